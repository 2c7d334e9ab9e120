// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares 16-bit floats with plain arithmetic.

#include "core/Types.h"
#include "../conformance/Oracle.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace moert;

template <typename T> static conformance::Bytes bytesOf(T value) {
  conformance::Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

TEST(TypesTest, LoadsEvery16BitFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto raw = static_cast<uint16_t>(bits);
    conformance::Bytes bytes = bytesOf(raw);
    double half = conformance::loadFloat(MOERT_F16, bytes, 0);
    double brain = conformance::loadFloat(MOERT_BF16, bytes, 0);
    if (std::isnan(half))
      EXPECT_TRUE(std::isnan(toFloat(Half{raw}))) << bits;
    else
      EXPECT_EQ(bitCast<uint32_t>(toFloat(Half{raw})),
                bitCast<uint32_t>(static_cast<float>(half)))
          << bits;
    if (std::isnan(brain))
      EXPECT_TRUE(std::isnan(toFloat(BFloat{raw}))) << bits;
    else
      EXPECT_EQ(bitCast<uint32_t>(toFloat(BFloat{raw})),
                bitCast<uint32_t>(static_cast<float>(brain)))
          << bits;
  }
}

/// Rounds `value` in both ways.
static void expectRounded(double value) {
  conformance::Bytes half(2), brain(2), single(4);
  conformance::storeFloat(MOERT_F16, half, 0, value);
  conformance::storeFloat(MOERT_BF16, brain, 0, value);
  conformance::storeFloat(MOERT_F32, single, 0, value);
  EXPECT_EQ(bytesOf(Element<MOERT_F16>::round(value)), half) << value;
  EXPECT_EQ(bytesOf(Element<MOERT_BF16>::round(value)), brain) << value;
  EXPECT_EQ(bytesOf(Element<MOERT_F32>::round(value)), single) << value;
}

TEST(TypesTest, RoundsDoublesOnce) {
  // Every 16-bit float of both kinds, the ties between neighbours, and doubles
  // near ties that a float cannot distinguish from them.
  for (uint32_t bits = 0; bits < 0xff80; ++bits) {
    auto raw = static_cast<uint16_t>(bits);
    for (float value : {toFloat(Half{raw}), toFloat(BFloat{raw})}) {
      if (!std::isfinite(value))
        continue;
      auto next = static_cast<uint16_t>(raw + 1);
      float above = value == toFloat(Half{raw}) ? toFloat(Half{next})
                                                : toFloat(BFloat{next});
      double middle = (static_cast<double>(value) + above) / 2;
      if (!std::isfinite(middle))
        continue;
      for (double near :
           {static_cast<double>(value), middle, std::nextafter(middle, 1e300),
            std::nextafter(middle, -1e300)})
        expectRounded(near);
    }
  }
  for (double value : {1e-300, -1e-300, 1e300, -1e300, 65519.0, 65519.999999,
                       65520.0, 3.3895313892515355e38, 3.4e38, 5e-324,
                       std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::quiet_NaN()})
    expectRounded(value);
}

TEST(TypesTest, ReadsAndWritesIntegers) {
  for (moert_type type : {MOERT_I64, MOERT_I32, MOERT_I16, MOERT_I8}) {
    int64_t largest = getLargestInteger(type);
    alignas(8) char memory[16] = {};
    for (int64_t value : {largest, -largest - 1, int64_t(-1), int64_t(77)}) {
      storeInteger(type, memory, 1, value);
      EXPECT_EQ(loadInteger(type, memory, 1), value) << getTypeName(type);
    }
    EXPECT_EQ(loadInteger(type, memory, 0), 0);
  }
}
