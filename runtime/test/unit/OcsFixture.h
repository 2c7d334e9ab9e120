// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An emulated switch for tests.

#ifndef MOERT_TEST_UNIT_OCSFIXTURE_H
#define MOERT_TEST_UNIT_OCSFIXTURE_H

#include "EmulatedSwitch.h"
#include "moert_ocs.h"
#include "gtest/gtest.h"
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A switch and a connection to it; the destructor destroys both.
class OcsTest : public testing::Test {
protected:
  using Map = std::map<int32_t, int32_t>;
  using Clock = std::chrono::steady_clock;

  static double getMs(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start)
        .count();
  }
  static std::string getError() { return moert_last_error(nullptr); }

  ~OcsTest() override { close(); }

  void serve(EmulatedSwitchOptions options) {
    isCalient = options.isCalient;
    device = std::make_unique<EmulatedSwitch>(std::move(options));
    std::string reason;
    ASSERT_TRUE(device->start(reason)) << reason;
    address = "127.0.0.1:" + std::to_string(device->getPort());
  }

  moert_ocs_config makeConfig() {
    moert_ocs_config config;
    EXPECT_EQ(moert_ocs_config_default(&config), MOERT_OK);
    config.address = address.c_str();
    config.dialect = isCalient ? MOERT_OCS_CALIENT : MOERT_OCS_POLATIS;
    config.user = "admin";
    config.password = "root";
    config.all_ports = 1;
    return config;
  }

  moert_status open(const moert_ocs_config &config) {
    return moert_ocs_open(&config, &ocs);
  }

  void close() {
    if (ocs) {
      EXPECT_EQ(moert_ocs_close(ocs), MOERT_OK);
    }
    ocs = nullptr;
  }

  moert_status configure(const Map &circuits,
                         moert_ocs_result *result = nullptr) {
    std::vector<moert_ocs_circuit> list;
    for (const auto &[in, out] : circuits)
      list.push_back({in, out});
    moert_ocs_change *change = nullptr;
    moert_status status = moert_ocs_configure(
        ocs, list.data(), static_cast<int32_t>(list.size()), &change);
    if (status != MOERT_OK)
      return status;
    status = moert_ocs_await(change, MOERT_DEADLINE_DEFAULT);
    std::string words = getError();
    if (result) {
      EXPECT_EQ(moert_ocs_change_result(change, result), MOERT_OK);
    }
    EXPECT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
    lastError = words;
    return status;
  }

  Map getCircuits() {
    std::vector<moert_ocs_circuit> list(1000);
    int32_t count = -1;
    EXPECT_EQ(moert_ocs_circuits(ocs, list.data(), 1000, &count), MOERT_OK)
        << getError();
    Map circuits;
    for (int32_t i = 0; i < count; ++i)
      circuits[list[i].in] = list[i].out;
    return circuits;
  }

  std::unique_ptr<EmulatedSwitch> device;
  bool isCalient = false;
  std::string address, lastError;
  moert_ocs *ocs = nullptr;
};

#endif // MOERT_TEST_UNIT_OCSFIXTURE_H
