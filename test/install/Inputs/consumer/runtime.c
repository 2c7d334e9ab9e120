/* Uses the runtime and the libraries beside it, in C. */
#include "moert_ocs.h"
#include "moert_plan.h"
#include <stdio.h>

int main(void) {
  moert_config job;
  moert_context *context = NULL;
  moert_ocs_config config;
  moert_ocs *ocs = NULL;
  moert_plan_machine_config machine;
  moert_config_default(&job);
  if (moert_init(&job, &context) != MOERT_OK)
    return 1;
  printf("%d ranks\n", (int)moert_world_size(context));
  moert_ocs_config_default(&config);
  config.address = "127.0.0.1:1";
  if (moert_ocs_open(&config, &ocs) == MOERT_UNAVAILABLE)
    printf("%s\n", moert_last_error(NULL));
  moert_plan_machine_default(&machine);
  printf("%d levels\n", (int)machine.num_levels);
  return moert_finalize(context, MOERT_DEADLINE_DEFAULT) != MOERT_OK;
}
