// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers on the command line.

#include "moe/Tools/NumberOptions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace moe;

namespace {

/// Gives an option as the command line does.
void give(cl::SubCommand &command, StringRef name, StringRef text) {
  EXPECT_FALSE(
      cl::getRegisteredOptions(command)[name]->addOccurrence(0, name, text));
}

TEST(NumberOptions, Integers) {
  cl::SubCommand command("integers");
  IntegerOption option{"n", "", command, {2, 8}};
  EXPECT_FALSE(option.isSet());
  EXPECT_EQ(option.getOrigin(), "default");
  EXPECT_EQ(option.read().getError(), "--n is required");
  EXPECT_EQ(*option.read(16), 16);
  std::optional<int64_t> value;
  EXPECT_FALSE(option.readIfSet(value));
  EXPECT_FALSE(value);

  give(command, "n", "2");
  EXPECT_EQ(option.getOrigin(), "--n");
  EXPECT_EQ(*option.read(), 2);
  EXPECT_FALSE(option.readIfSet(value));
  EXPECT_EQ(value, 2);
  for (const char *text :
       {"1", "9", "", "x", "2.5", "2k", "99999999999999999999", " 4"}) {
    give(command, "n", text);
    std::string expected =
        std::string("--n: expected an integer in [2, 8], got '") + text + "'";
    EXPECT_EQ(option.read(3).getError(), expected);
    EXPECT_EQ(option.readIfSet(value)->message, expected);
  }
  // The last one counts where a tool does not refuse several.
  give(command, "n", "8");
  EXPECT_EQ(*option.read(), 8);
}

TEST(NumberOptions, Reals) {
  cl::SubCommand command("reals");
  NumberOption above{"above", "", command, {.word = "none"}};
  NumberOption least{"least", "", command, {.mayBeZero = true}};
  give(command, "above", "none");
  EXPECT_EQ(above.getText(), "none");
  for (const char *text : {"0", "-1", "inf", "nan", ""}) {
    give(command, "above", text);
    EXPECT_EQ(above.read().getError(),
              std::string("--above: expected a finite number above 0 or "
                          "'none', got '") +
                  text + "'");
  }
  give(command, "above", "1.25");
  EXPECT_EQ(*above.read(), 1.25);
  give(command, "least", "0");
  EXPECT_EQ(*least.read(), 0);
  give(command, "least", "-0.5");
  EXPECT_EQ(least.read().getError(),
            "--least: expected a finite number of at least 0, got '-0.5'");
}

} // namespace
