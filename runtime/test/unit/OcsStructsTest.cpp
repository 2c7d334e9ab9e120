// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests configurations of switches of earlier and later callers.

#include "core/AbiStructs.h"
#include "ocs/Handles.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace moert;

/// The configurations of switches follow the same rules as other structs.
TEST(SizedTest, SwitchesHaveSizesToo) {
  union {
    moert_ocs_config ocs;
    unsigned char bytes[4096];
  } memory;
  std::memset(memory.bytes, 0xee, sizeof(memory));
  ASSERT_EQ((moert_ocs_config_default)(&memory.ocs), MOERT_OK);
  EXPECT_EQ(memory.ocs.struct_size, kFirstSize<moert_ocs_config>);
  EXPECT_EQ(memory.ocs.deadline_us, 10000000);
  EXPECT_EQ(memory.bytes[kFirstSize<moert_ocs_config>], 0xee);
  ASSERT_EQ(moert_ocs_config_default_sized(&memory.ocs, 512), MOERT_OK);
  EXPECT_EQ(memory.bytes[511], 0);
  EXPECT_EQ(memory.bytes[512], 0xee);
  moert_ocs *ocs = nullptr;
  EXPECT_EQ(moert_ocs_open(&memory.ocs, &ocs), MOERT_INVALID_ARGUMENT);
  EXPECT_STREQ(moert_last_error(nullptr),
               "moert_ocs_open: expected an address, got NULL");
  memory.bytes[511] = 1;
  EXPECT_EQ(moert_ocs_open(&memory.ocs, &ocs), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "expected a moert_ocs_config whose bytes from "),
            nullptr)
      << moert_last_error(nullptr);
  EXPECT_EQ(moert_ocs_config_default_sized(&memory.ocs, 8),
            MOERT_INVALID_ARGUMENT);
}
