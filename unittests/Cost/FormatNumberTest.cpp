// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Cost/FormatNumber.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <limits>

using namespace moe::cost;

namespace {

TEST(FormatNumberTest, ReadsBackAsTheSameNumber) {
  for (double number : {0.1, 1e6, 1.0 / 3, 5e-324, 1.7976931348623157e308}) {
    EXPECT_EQ(std::strtod(formatShortest(number).c_str(), nullptr), number);
    EXPECT_EQ(std::strtod(formatNumber(number).c_str(), nullptr), number);
  }
  EXPECT_EQ(formatShortest(1e6), "1e+06");
}

TEST(FormatNumberTest, PrintsWholeNumbersInFull) {
  EXPECT_EQ(formatNumber(1e6), "1000000");
  EXPECT_EQ(formatNumber(-12), "-12");
  EXPECT_EQ(formatNumber(999999999999999), "999999999999999");
  EXPECT_EQ(formatNumber(1e15), "1e+15");
  EXPECT_EQ(formatNumber(1.5), "1.5");
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::infinity()), "inf");
}

TEST(FormatNumberTest, CutsDigits) {
  EXPECT_EQ(formatDigits(1234567, 6), "1.23457e+06");
  EXPECT_EQ(formatDigits(1234567, 10), "1234567");
  EXPECT_EQ(formatFixed(2.5, 0), "2");
  EXPECT_EQ(formatFixed(-0.126, 2), "-0.13");
  // More digits than a buffer of a fixed size would hold.
  EXPECT_EQ(formatFixed(1e300, 1).size(), 303u);
  EXPECT_EQ(toText(0.1), "0.1");
  EXPECT_EQ(toText(int64_t(1234567)), "1234567");
}

TEST(FormatNumberTest, PrintsEachDigitOfAHash) {
  EXPECT_EQ(formatHash(0), "0000000000000000");
  EXPECT_EQ(formatHash(0x0123456789abcdefu), "0123456789abcdef");
}

TEST(FormatNumberTest, PicksUnitsOfTimes) {
  EXPECT_EQ(formatTime(0), "0.00 us");
  EXPECT_EQ(formatTime(9.994), "9.99 us");
  EXPECT_EQ(formatTime(9.996), "10.0 us");
  EXPECT_EQ(formatTime(999.4), "999 us");
  EXPECT_EQ(formatTime(999.6), "1.00 ms");
  EXPECT_EQ(formatTime(-46e3), "-46.0 ms");
  EXPECT_EQ(formatTime(1.24e6), "1.24 s");
}

} // namespace
