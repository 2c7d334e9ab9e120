// What the planners' calls answer in a runtime that has none.
#include "moert.h"
#include <cstdio>

int main() {
  moert_plan_machine_config config = {};
  moert_plan_machine *machine = nullptr;
  moert_plan_all_to_all_result result = {};
  moert_plan_degree_result degree = {};
  double us = 0;
  moert_status all[] = {
      moert_plan_machine_default(&config),
      moert_plan_machine_create(&config, &machine),
      moert_plan_machine_destroy(machine),
      moert_plan_collective_time(machine, MOERT_PLAN_ALL_TO_ALL, nullptr, 0, 0,
                                 0, &us),
      moert_plan_all_to_all(machine, 1, 1, 1, 0, 1, &result),
      moert_plan_degree(machine, nullptr, 0, 1, &degree)};
  for (moert_status status : all)
    if (status != MOERT_UNAVAILABLE)
      return 1;
  std::printf("%s\n", moert_last_error(nullptr));
  return 0;
}
