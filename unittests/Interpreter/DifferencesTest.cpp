// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tolerances for differences between numbers.

#include "moe/Interpreter/Differences.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/TypeRange.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir;
using namespace moe;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class DifferencesTest : public testing::Test {
protected:
  static Cell cell(double value) { return llvm::bit_cast<Cell>(value); }

  LocalTensor makeTensor(ArrayRef<double> values) {
    std::optional<LocalTensor> tensor =
        LocalTensor::allocate({static_cast<int64_t>(values.size())}, budget);
    for (auto [to, value] : llvm::zip_equal(tensor->getMutableCells(), values))
      to = cell(value);
    return *tensor;
  }

  bool allows(Tolerance tolerance, double got, double expected,
              double magnitude = 1) {
    return tolerance.allows(builder.getF32Type(), cell(got), cell(expected),
                            magnitude);
  }

  MLIRContext context;
  Builder builder{&context};
  MemoryBudget budget{1 << 20};
};

TEST_F(DifferencesTest, NoToleranceIsBitForBit) {
  Tolerance exact;
  EXPECT_TRUE(exact.isExact());
  EXPECT_EQ(exact.getText(), "bit for bit");
  EXPECT_TRUE(allows(exact, 1, 1));
  EXPECT_FALSE(allows(exact, -0.0, 0.0));
  EXPECT_FALSE(allows(exact, 1, 1 + 0x1p-52));
  EXPECT_TRUE(allows(exact, kNaN, kNaN));
}

TEST_F(DifferencesTest, RelativeIsOfTheGreatestExpected) {
  Tolerance tolerance{.relative = 0.25};
  EXPECT_EQ(tolerance.getText(), "within 0.25 relative");
  EXPECT_TRUE(allows(tolerance, 1.25, 1));
  EXPECT_TRUE(allows(tolerance, -0.75, -1));
  EXPECT_FALSE(allows(tolerance, 1.3125, 1));
  // 0.3125 is a quarter of 1.25, but not of 1.
  EXPECT_TRUE(allows(tolerance, 1.3125, 1, 1.25));
  EXPECT_TRUE(allows(tolerance, 0.3125, 0, 1.25));
  EXPECT_FALSE(allows(tolerance, 0.75, 1, 0.5));
  EXPECT_TRUE(allows(tolerance, -0.0, 0.0, 0));
  EXPECT_FALSE(allows(tolerance, 0x1p-100, 0, 0));
}

TEST_F(DifferencesTest, AbsoluteIsAdded) {
  Tolerance tolerance{.relative = 0.25, .absolute = 0.5};
  EXPECT_EQ(tolerance.getText(), "within 0.25 relative plus 0.5 absolute");
  EXPECT_TRUE(allows(tolerance, 0.5, 0, 0));
  EXPECT_TRUE(allows(tolerance, 1.75, 1));
  EXPECT_FALSE(allows(tolerance, 1.8125, 1));
  EXPECT_EQ(Tolerance{.absolute = 1e-6}.getText(), "within 1e-06 absolute");
}

TEST_F(DifferencesTest, InfinitiesAndNaNAreNearToThemselvesOnly) {
  Tolerance wide{.relative = 1e300, .absolute = 1e300};
  EXPECT_TRUE(allows(wide, kInfinity, kInfinity));
  EXPECT_FALSE(allows(wide, kInfinity, -kInfinity));
  EXPECT_FALSE(allows(wide, 1, kInfinity));
  EXPECT_FALSE(allows(wide, kInfinity, 1));
  EXPECT_FALSE(allows(wide, kNaN, 1));
  EXPECT_FALSE(allows(wide, 1, kNaN));
  EXPECT_FALSE(allows(wide, kNaN, kInfinity));
  EXPECT_TRUE(allows(wide, kNaN, -kNaN));
}

TEST_F(DifferencesTest, IntegersAreExact) {
  Tolerance wide{.relative = 1, .absolute = 1e9};
  EXPECT_TRUE(wide.allows(builder.getI64Type(), 5, 5, 1));
  EXPECT_FALSE(wide.allows(builder.getI64Type(), 5, 6, 1));
  EXPECT_FALSE(wide.allows(builder.getIndexType(), 5, 6, 1));
}

TEST_F(DifferencesTest, AResultIsAsGreatAsItsGreatestFiniteNumberAnywhere) {
  Type type = RankedTensorType::get({3}, builder.getF32Type());
  Type integer = RankedTensorType::get({3}, builder.getI32Type());
  Type types[] = {type, integer, type};
  RankTensors first = {makeTensor({1, -kInfinity, 2}),
                       makeTensor({-4, kNaN, 3})};
  RankTensors none = {makeTensor({kNaN, kInfinity, kNaN})};
  EXPECT_EQ(findMagnitudes(TypeRange(types), {first, first, none}),
            std::vector<double>({4, 0, 0}));

  // The remainder of large summands, on a rank that has no large values.
  Type one[] = {type};
  std::vector<RankTensors> expected = {
      {makeTensor({0, 1, 2}), makeTensor({100, 0, 0})}};
  std::vector<RankTensors> got = {
      {makeTensor({0.5, 1, 2}), makeTensor({100, 0, 0})}};
  std::vector<double> magnitudes = findMagnitudes(TypeRange(one), expected);
  EXPECT_FALSE(findFirstDifference(TypeRange(one), got, expected,
                                   {.relative = 0.005}, magnitudes));
  EXPECT_TRUE(findFirstDifference(TypeRange(one), got, expected,
                                  {.relative = 0.004}, magnitudes));
}

TEST_F(DifferencesTest, FindsTheFirstAndTheGreatest) {
  Type type = RankedTensorType::get({3}, builder.getF32Type());
  Type types[] = {type, type};
  RankTensors expected = {makeTensor({1, 2, 3}), makeTensor({4, 5, 6})};
  RankTensors got = {makeTensor({1, 2.25, 3}), makeTensor({4, 5, 6.5})};
  std::vector<RankTensors> left = {expected, got}, right = {expected, expected};
  std::vector<double> magnitudes = {3, 8};

  std::optional<Difference> first = findFirstDifference(
      TypeRange(types), left, right, {.absolute = 0.25}, magnitudes);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->result, 1u);
  EXPECT_EQ(first->place, 1u);
  EXPECT_EQ(first->element, 2u);
  EXPECT_FALSE(findFirstDifference(TypeRange(types), left, right,
                                   {.absolute = 0.5}, magnitudes));
  first = findFirstDifference(TypeRange(types), left, right, {}, magnitudes);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->place, 0u);
  EXPECT_EQ(first->element, 1u);

  std::optional<GreatestDifference> greatest =
      findGreatestDifference(TypeRange(types), left, right, magnitudes);
  ASSERT_TRUE(greatest);
  EXPECT_EQ(greatest->distance, 0.5);
  EXPECT_EQ(greatest->share, 0.5 / 8);
  EXPECT_EQ(greatest->at.result, 1u);
  EXPECT_EQ(greatest->at.place, 1u);
  EXPECT_EQ(greatest->at.element, 2u);
  EXPECT_FALSE(
      findGreatestDifference(TypeRange(types), right, right, magnitudes));
  // Relative to the magnitude of its result, a small difference may be the
  // greatest.
  left = {got, got};
  greatest = findGreatestDifference(TypeRange(types), left, right, {0.5, 1000});
  ASSERT_TRUE(greatest);
  EXPECT_EQ(greatest->at.result, 0u);
  EXPECT_EQ(greatest->share, 1);
}

TEST_F(DifferencesTest, ShapesDiffer) {
  Type type =
      RankedTensorType::get({ShapedType::kDynamic}, builder.getF32Type());
  std::vector<RankTensors> left = {{makeTensor({1})}};
  std::vector<RankTensors> right = {{makeTensor({1, 2})}};
  std::optional<Difference> first = findFirstDifference(
      TypeRange(ArrayRef<Type>(type)), left, right, {.relative = 1}, {2});
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->element);
}

} // namespace
