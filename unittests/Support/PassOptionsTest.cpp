// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes, each given once.

#include "moe/Support/PassOptions.h"
#include "gtest/gtest.h"

using namespace moe;

namespace {

TEST(PassOptions, GivenOnce) {
  for (const char *text :
       {"", "  ", "degree=2", "degree=2 sizes=1,2", "flag", "flag other=x",
        // Text inside a value is not an option.
        "a=b=a", "a={b=1 b=2} b={a=1 {b=2}}", "a='a=1 b=2' b=\"a=3\"",
        "a={'}' a=1} b=2"})
    EXPECT_EQ(checkGivenOnce("pass", text), "") << text;
}

TEST(PassOptions, GivenTwice) {
  for (const char *text :
       {"degree=2 degree=2", "degree=2  x degree=4", "degree degree",
        "degree degree=true", "degree=1,2 degree=3", "degree= degree=3",
        "a={b} degree={x y} degree={z}", "a=' degree=1 degree=2 degree=3"})
    EXPECT_EQ(checkGivenOnce("pass", text),
              "pass: expected degree once, got it more than once")
        << text;
}

} // namespace
