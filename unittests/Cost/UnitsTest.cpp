// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantities with units that do not mix.

#include "moe/Cost/Units.h"
#include "gtest/gtest.h"

#include <functional>
#include <type_traits>

using namespace moe::cost;

namespace {

template <typename A, typename B>
constexpr bool kCanAdd = std::is_invocable_v<std::plus<>, A, B>;
template <typename A, typename B>
constexpr bool kCanMultiply = std::is_invocable_v<std::multiplies<>, A, B>;
template <typename A, typename B>
constexpr bool kCanDivide = std::is_invocable_v<std::divides<>, A, B>;
template <typename A, typename B>
constexpr bool kCanCompare = std::is_invocable_v<std::less<>, A, B>;

// Meaningful operations compile.
static_assert(kCanAdd<Bytes, Bytes>);
static_assert(kCanDivide<Bytes, GBps>);
static_assert(kCanMultiply<Elements, BytesPerElement>);
static_assert(kCanCompare<Microseconds, Microseconds>);

// Meaningless operations do not.
static_assert(!kCanAdd<Bytes, Elements>);
static_assert(!kCanAdd<Elements, Macs>);
static_assert(!kCanAdd<Microseconds, Milliseconds>);
static_assert(!kCanAdd<Microseconds, double>);
static_assert(!kCanAdd<Bytes, double>);
static_assert(!kCanCompare<Microseconds, Milliseconds>);
static_assert(!kCanCompare<Bytes, Elements>);
static_assert(!kCanCompare<Bytes, double>);
static_assert(!kCanDivide<Elements, GBps>);
static_assert(!kCanMultiply<Bytes, Bytes>);
static_assert(!kCanMultiply<Elements, MicrosecondsPerByte>);
static_assert(!kCanMultiply<Bytes, MicrosecondsPerElement>);
static_assert(!kCanMultiply<Bytes, MicrosecondsPerMac>);
static_assert(!std::is_convertible_v<double, Bytes>);
static_assert(!std::is_convertible_v<Bytes, double>);
static_assert(!std::is_constructible_v<Bytes, Elements>);
static_assert(!std::is_constructible_v<Microseconds, Milliseconds>);
static_assert(!std::is_assignable_v<Microseconds &, Milliseconds>);

// Units have no cost at run time.
static_assert(sizeof(Bytes) == sizeof(double));
static_assert(std::is_trivially_copyable_v<Bytes>);

TEST(UnitsTest, BytesOverBandwidthAreTime) {
  // 25 GB/s is 25e9 bytes in 1e6 us.
  EXPECT_DOUBLE_EQ((Bytes(25e9) / GBps(25)).value(), 1e6);
  EXPECT_DOUBLE_EQ((GBps(25) * Microseconds(2)).value(), 50e3);
  EXPECT_DOUBLE_EQ((Bytes(50e3) / Microseconds(2)).value(), 25);
}

TEST(UnitsTest, PapersPrintMilliseconds) {
  EXPECT_DOUBLE_EQ(toMicroseconds(Milliseconds(0.287)).value(), 287);
  EXPECT_DOUBLE_EQ(toMilliseconds(Microseconds(287)).value(), 0.287);
}

TEST(UnitsTest, SlopesOfElementsBecomeSlopesOfBytes) {
  MicrosecondsPerElement slope(2.054e-3);
  EXPECT_DOUBLE_EQ((slope / BytesPerElement(4)).value(), 0.5135e-3);
  EXPECT_DOUBLE_EQ(
      (Elements(1000) * slope).value(),
      (Elements(1000) * BytesPerElement(4) * (slope / BytesPerElement(4)))
          .value());
  EXPECT_DOUBLE_EQ(toBandwidth(MicrosecondsPerByte(1e-3)).value(), 1);
}

TEST(UnitsTest, Arithmetic) {
  Bytes sum = Bytes(3) + Bytes(4) - Bytes(2);
  sum += Bytes(1);
  sum -= Bytes(2);
  EXPECT_EQ(sum, Bytes(4));
  EXPECT_EQ(2 * sum, sum * 2);
  EXPECT_EQ(sum / 2, Bytes(2));
  EXPECT_EQ(sum / Bytes(8), 0.5);
  EXPECT_LT(Bytes(1), Bytes(2));
}

} // namespace
