/* Prints the description of a program. */

#include "exchange.h"
#include <stdio.h>

int main(void) {
  return puts(moe_exchange_description) < 0;
}
