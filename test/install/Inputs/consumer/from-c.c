#include "moe-c/MoE.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  MoeContext *context = moeContextCreate();
  const char *text = "moe.mesh @mesh axes [\"ep\"] shape [2]";
  MoeModule *module = moeModuleParse(context, text, strlen(text), "mesh.mlir");
  char *printed = moeModulePrint(module, 0);
  puts(printed);
  moeFreeString(printed);
  moeModuleDestroy(module);
  moeContextDestroy(context);
  return 0;
}
