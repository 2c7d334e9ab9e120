// Runs the program of ocs.mlir on two ranks of this process with an emulated
// switch, and prints the commands that the switch received. With the argument
// "detached" the program does not find its switch; with "deny" the switch
// refuses.
#include "EmulatedSwitch.h"
#include "moert_ocs.h"
#include <cstdio>
#include <cstring>
#include <thread>

extern "C" int32_t moe_main(moert_context *, void **inputs, void **results);

static int runRank(int32_t rank, moert_ocs *ocs) {
  moert_config config;
  moert_config_default(&config);
  config.rank = rank;
  config.world_size = 2;
  moert_context *context;
  if (moert_init(&config, &context) != MOERT_OK)
    return 1;
  if (ocs && rank == 1)
    moert_ocs_attach(context, "region", ocs);
  float x[4], y[4] = {};
  for (int i = 0; i < 4; ++i)
    x[i] = static_cast<float>(10 * rank + i);
  void *inputs[] = {x}, *results[] = {y};
  int wrong = 0;
  moert_status status = MOERT_OK;
  for (int step = 0; step < 2 && status == MOERT_OK; ++step) {
    status = static_cast<moert_status>(moe_main(context, inputs, results));
    for (int i = 0; i < 4; ++i)
      wrong += y[i] != static_cast<float>(10 * (i / 2) + 2 * rank + i % 2);
  }
  if (status != MOERT_OK && rank == 1) {
    std::printf("rank 1: %s\n", moert_last_error(context));
    // The other rank would wait for this one.
    moert_abort(context, "the program failed");
  }
  moert_finalize(context, MOERT_DEADLINE_DEFAULT);
  return status != MOERT_OK || wrong;
}

int main(int argc, char **argv) {
  bool isDetached = argc > 1 && !std::strcmp(argv[1], "detached");
  EmulatedSwitchOptions options;
  options.baseUs = 2000;
  if (argc > 1 && !std::strcmp(argv[1], "deny"))
    options.faults = {{SwitchFault::Kind::Deny, "ENT", 1}};
  EmulatedSwitch device(options);
  device.setCircuits({{1, 9}, {3, 11}});
  std::string reason;
  if (!device.start(reason)) {
    std::printf("%s\n", reason.c_str());
    return 1;
  }
  std::string address = "127.0.0.1:" + std::to_string(device.getPort());
  moert_ocs_config config;
  moert_ocs_config_default(&config);
  config.address = address.c_str();
  config.user = "admin";
  config.password = "root";
  config.all_ports = 1;
  moert_ocs *ocs = nullptr;
  if (moert_ocs_open(&config, &ocs) != MOERT_OK) {
    std::printf("%s\n", moert_last_error(nullptr));
    return 1;
  }
  int results[2];
  std::thread other(
      [&] { results[1] = runRank(1, isDetached ? nullptr : ocs); });
  results[0] = runRank(0, ocs);
  other.join();
  moert_ocs_close(ocs);
  for (const std::string &command : device.getLog())
    std::printf("%s\n", command.c_str());
  std::printf("%s\n", results[0] || results[1] ? "failed" : "as expected");
  return results[0] || results[1];
}
