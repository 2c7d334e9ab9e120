// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding compared with APFloat.

#include "moe/Interpreter/Rounding.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace moe;

namespace {

class RoundingTest : public ::testing::Test {
protected:
  MLIRContext context;
  Builder builder{&context};

  static double byAPFloat(double value, FloatType type) {
    llvm::APFloat rounded(value);
    bool lossy = false;
    rounded.convert(type.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lossy);
    rounded.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &lossy);
    return rounded.convertToDouble();
  }

  static void expectSame(double value, FloatType type) {
    double got = Rounder(type)(value), expected = byAPFloat(value, type);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got)) << value;
      return;
    }
    EXPECT_EQ(llvm::bit_cast<uint64_t>(got), llvm::bit_cast<uint64_t>(expected))
        << value << " rounded to " << got << ", expected " << expected;
  }
};

TEST_F(RoundingTest, AgreesWithAPFloatOnRandomNumbers) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> nearOne;
  for (FloatType type :
       {FloatType(builder.getBF16Type()), FloatType(builder.getF16Type()),
        FloatType(builder.getF32Type()), FloatType(builder.getF64Type()),
        FloatType(Float8E4M3FNType::get(&context)),
        FloatType(Float8E5M2Type::get(&context))}) {
    for (int i = 0; i < 20000; ++i) {
      // Tests random bit patterns, and numbers of common magnitudes.
      expectSame(llvm::bit_cast<double>(random()), type);
      expectSame(nearOne(random), type);
      expectSame(std::ldexp(nearOne(random), int(random() % 60) - 40), type);
    }
  }
}

TEST_F(RoundingTest, TiesGoToEven) {
  Rounder bf16(builder.getBF16Type()), f16(builder.getF16Type());
  // One unit in the last place of 1.0 is 2^-7 in bf16, 2^-10 in f16.
  EXPECT_EQ(bf16(1.0 + 0x1p-8), 1.0);
  EXPECT_EQ(bf16(1.0 + 3 * 0x1p-8), 1.0 + 4 * 0x1p-8);
  EXPECT_EQ(f16(1.0 + 0x1p-11), 1.0);
  EXPECT_EQ(f16(1.0 + 3 * 0x1p-11), 1.0 + 4 * 0x1p-11);
  // Slightly above a tie; rounding to float first would make it a tie.
  EXPECT_EQ(bf16(1.0 + 0x1p-8 + 0x1p-40), 1.0 + 0x1p-7);
}

TEST_F(RoundingTest, EdgesOfTheRange) {
  Rounder f16(builder.getF16Type());
  EXPECT_EQ(f16(65504.0), 65504.0);
  EXPECT_EQ(f16(65519.9), 65504.0);
  EXPECT_TRUE(std::isinf(f16(65520.0)));
  EXPECT_TRUE(std::isinf(f16(-1e300)) && std::signbit(f16(-1e300)));
  EXPECT_EQ(f16(0x1p-24), 0x1p-24);
  EXPECT_EQ(f16(0x1p-25), 0.0);
  EXPECT_EQ(f16(0x1.8p-25), 0x1p-24);
  EXPECT_TRUE(std::signbit(f16(-0x1p-30)));
  for (double special : {0.0, -0.0, 0x1p-1074, 0x1p-133, 0x1p-134, 3.4e38,
                         3.39e38, 1e39, HUGE_VAL, -HUGE_VAL})
    for (FloatType type :
         {FloatType(builder.getBF16Type()), FloatType(builder.getF16Type()),
          FloatType(Float8E4M3FNType::get(&context))})
      expectSame(special, type);
}

TEST_F(RoundingTest, EveryNaNBecomesOneNaN) {
  Rounder bf16(builder.getBF16Type());
  uint64_t bits = llvm::bit_cast<uint64_t>(bf16(std::nan("1")));
  EXPECT_EQ(llvm::bit_cast<uint64_t>(bf16(-std::nan("2"))), bits);
}

TEST_F(RoundingTest, IntegersWrap) {
  EXPECT_EQ(wrapInteger(127, 8), 127);
  EXPECT_EQ(wrapInteger(128, 8), -128);
  EXPECT_EQ(wrapInteger(256, 8), 0);
  EXPECT_EQ(wrapInteger(1, 1), -1);
  EXPECT_EQ(wrapInteger(INT64_MIN, 64), INT64_MIN);
}

TEST_F(RoundingTest, ElementTypesThatDoublesHold) {
  EXPECT_TRUE(isInterpretedElementType(builder.getBF16Type()));
  EXPECT_TRUE(isInterpretedElementType(builder.getF64Type()));
  EXPECT_TRUE(isInterpretedElementType(builder.getIndexType()));
  EXPECT_TRUE(isInterpretedElementType(builder.getI1Type()));
  EXPECT_FALSE(isInterpretedElementType(Float80Type::get(&context)));
  EXPECT_FALSE(isInterpretedElementType(Float128Type::get(&context)));
  EXPECT_FALSE(isInterpretedElementType(builder.getIntegerType(65)));
  EXPECT_FALSE(
      isInterpretedElementType(ComplexType::get(builder.getF32Type())));
}

} // namespace
