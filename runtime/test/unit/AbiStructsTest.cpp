// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests structs of earlier and later callers.

#include "core/AbiStructs.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace moert;

namespace {
/// The struct of this library; `added` is newer than the first interface.
struct Known {
  size_t size;
  int64_t first;
  int64_t added;
};
/// The struct of a caller that was compiled for a later interface.
struct Later {
  Known known;
  int64_t unknown;
};
} // namespace

template <> inline constexpr size_t moert::kFirstSize<Known> = 16;

static void expectRefused(const Status &status, const char *part) {
  EXPECT_EQ(status.getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(status.getMessage().find(part), std::string::npos)
      << status.getMessage();
}

TEST(SizedTest, LacksMeanZero) {
  // Memory after the caller's struct must not be read.
  Known given = {16, 7, 8}, own = {1, 2, 3};
  ASSERT_TRUE(takeSized(given, given.size, "known", own).ok());
  EXPECT_EQ(own.first, 7);
  EXPECT_EQ(own.added, 0);
}

TEST(SizedTest, WhatIsNotKnownMustBeZero) {
  Later given = {{sizeof(Later), 7, 8}, 0};
  Known own = {};
  ASSERT_TRUE(takeSized(given.known, given.known.size, "known", own).ok());
  EXPECT_EQ(own.added, 8);
  given.unknown = 0x500;
  expectRefused(takeSized(given.known, given.known.size, "known", own),
                "expected a known whose bytes from 24 on, which interface ");
  expectRefused(takeSized(given.known, given.known.size, "known", own),
                "are zero, got 5 at byte 25");
}

TEST(SizedTest, RefusesSizesThatNobodyHas) {
  Known given = {0, 7, 8}, own = {};
  for (size_t size : {size_t(0), size_t(15), size_t(4097), SIZE_MAX})
    expectRefused(takeSized(given, size, "known", own),
                  "expected a known of 24 bytes, as interface ");
}

TEST(SizedTest, DefaultsAreWrittenAsFarAsTheCallerHasMembers) {
  constexpr size_t kFirst = kFirstSize<moert_config>;
  union {
    moert_config config;
    unsigned char bytes[4096];
  } memory;
  std::memset(memory.bytes, 0xee, sizeof(memory));
  // A caller of interface 0.7 calls the function, not the macro.
  ASSERT_EQ((moert_config_default)(&memory.config), MOERT_OK);
  EXPECT_EQ(memory.config.struct_size, kFirst);
  EXPECT_EQ(memory.config.world_size, 1);
  EXPECT_EQ(memory.bytes[kFirst], 0xee);
  moert_context *context = nullptr;
  ASSERT_EQ(moert_init(&memory.config, &context), MOERT_OK)
      << moert_last_error(nullptr);
  EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  // For a caller of a later interface, unknown members are set to 0.
  ASSERT_EQ(moert_config_default_sized(&memory.config, 1024), MOERT_OK);
  EXPECT_EQ(memory.config.struct_size, 1024u);
  EXPECT_EQ(memory.bytes[1023], 0);
  EXPECT_EQ(memory.bytes[1024], 0xee);
  ASSERT_EQ(moert_init(&memory.config, &context), MOERT_OK)
      << moert_last_error(nullptr);
  EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  memory.bytes[1023] = 1;
  EXPECT_EQ(moert_init(&memory.config, &context), MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_config_default_sized(&memory.config, 8),
            MOERT_INVALID_ARGUMENT);
}
