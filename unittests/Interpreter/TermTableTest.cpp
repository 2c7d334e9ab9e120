// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash-consing, multisets and printing of terms.

#include "moe/Interpreter/TermTable.h"
#include "moe/Interpreter/TermPrinter.h"
#include "gtest/gtest.h"

using namespace moe;

namespace {

class TermTableTest : public ::testing::Test {
protected:
  MemoryBudget budget{1 << 24};
  TermTable table{budget};
  Term x = table.getLeaf(0, 0, 0), y = table.getLeaf(0, 0, 1),
       z = table.getLeaf(1, 2, 0);

  Term sum(llvm::ArrayRef<Term> children) {
    return table.getMultiset(TermKind::Sum, children);
  }
};

TEST_F(TermTableTest, EqualTermsHaveOneId) {
  unsigned f = table.getSymbol("f"), g = table.getSymbol("g");
  EXPECT_EQ(table.getSymbol("f"), f);
  EXPECT_EQ(table.getLeaf(0, 0, 0), x);
  EXPECT_EQ(table.getApply(f, {x, y}), table.getApply(f, {x, y}));
  EXPECT_NE(table.getApply(f, {x, y}), table.getApply(f, {y, x}));
  EXPECT_NE(table.getApply(f, {x, y}), table.getApply(g, {x, y}));
  EXPECT_NE(table.getApply(f, {x}), table.getApply(f, {x, x}));
  EXPECT_NE(table.getElement(x, 0), table.getElement(x, 1));
  EXPECT_EQ(table.getInteger(-3), table.getInteger(-3));
  EXPECT_NE(table.getInteger(1), table.getReal(1.0));
  EXPECT_NE(table.getReal(0.0), table.getReal(-0.0));
}

TEST_F(TermTableTest, LeavesTellArgumentHolderAndIndex) {
  EXPECT_NE(table.getLeaf(0, 0, 1), table.getLeaf(0, 1, 0));
  EXPECT_NE(table.getLeaf(1, 0, 0), table.getLeaf(0, 1, 0));
}

TEST_F(TermTableTest, SumsAreFlatMultisets) {
  EXPECT_EQ(sum({x, sum({y, z})}), sum({sum({z, x}), y}));
  EXPECT_EQ(sum({sum({x, y}), sum({x, z})}), sum({x, x, y, z}));
  EXPECT_NE(sum({x, x, y}), sum({x, y}));
  EXPECT_NE(sum({x, x, y}), sum({x, y, y}));
  EXPECT_EQ(sum({x}), x);
  EXPECT_EQ(sum({x, table.getReal(-0.0)}), x);
  EXPECT_EQ(sum({table.getReal(0.0), table.getReal(0.0)}), table.getReal(0.0));
}

TEST_F(TermTableTest, AddingZeroChangesNegativeZeroOnly) {
  Term zero = table.getReal(0.0), negative = table.getReal(-0.0);
  EXPECT_NE(sum({x, zero}), x);
  EXPECT_EQ(sum({x, zero, zero}), sum({zero, x}));
  EXPECT_EQ(sum({sum({x, zero}), sum({y, zero})}), sum({x, y, zero}));
  EXPECT_EQ(sum({zero, negative}), zero);
  EXPECT_EQ(sum({negative, negative}), negative);
  // A zero added to another number is dropped.
  EXPECT_EQ(sum({x, table.getReal(3.0), zero}), sum({table.getReal(3.0), x}));
  EXPECT_EQ(sum({sum({x, zero}), table.getReal(3.0)}),
            sum({table.getReal(3.0), x}));
  // A loop that accumulates a sum starts from zero.
  EXPECT_EQ(table.getSumFromZero({}), zero);
  EXPECT_EQ(table.getSumFromZero({x}), sum({x, zero}));
}

TEST_F(TermTableTest, OtherReductionsAreKeptApart) {
  auto prod = [&](llvm::ArrayRef<Term> c) {
    return table.getMultiset(TermKind::Prod, c);
  };
  auto min = [&](llvm::ArrayRef<Term> c) {
    return table.getMultiset(TermKind::Min, c);
  };
  auto max = [&](llvm::ArrayRef<Term> c) {
    return table.getMultiset(TermKind::Max, c);
  };
  EXPECT_NE(prod({x, y}), sum({x, y}));
  EXPECT_NE(min({x, y}), max({x, y}));
  EXPECT_NE(prod({x, sum({y, z})}), prod({x, y, z}));
  EXPECT_NE(prod({x, x, y}), prod({x, y}));
  EXPECT_EQ(prod({x, table.getReal(1.0)}), x);
  EXPECT_NE(prod({x, table.getReal(0.0)}), table.getReal(0.0));
  // Repetitions do not change a minimum.
  EXPECT_EQ(min({x, x, y}), min({y, x}));
  EXPECT_EQ(max({x, max({x, y})}), max({x, y}));
}

TEST_F(TermTableTest, CountsBeyond32BitsAreNotConfused) {
  auto doubled = [&](unsigned times, Term term) {
    for (unsigned i = 0; i < times; ++i)
      term = sum({term, term});
    return term;
  };
  // With 32-bit counts, 2^32 x would wrap to nothing and 2^32 + 1 to x.
  Term many = doubled(32, x);
  EXPECT_NE(many, x);
  EXPECT_NE(sum({many, x}), x);
  EXPECT_NE(doubled(33, x), many);
  EXPECT_EQ(doubled(33, x), doubled(33, x));
}

TEST_F(TermTableTest, ContentHashDoesNotDependOnWhatWasBuiltBefore) {
  MemoryBudget otherBudget{1 << 24};
  TermTable other(otherBudget);
  // Builds the same sum with ids in the opposite order.
  Term otherZ = other.getLeaf(1, 2, 0), otherY = other.getLeaf(0, 0, 1),
       otherX = other.getLeaf(0, 0, 0);
  other.getSymbol("something else");
  Term left = table.getApply(table.getSymbol("f"), {sum({x, y, z}), x});
  Term right = other.getApply(
      other.getSymbol("f"),
      {other.getMultiset(TermKind::Sum, {otherZ, otherX, otherY}), otherX});
  EXPECT_EQ(table.getHash(left), other.getHash(right));
}

TEST_F(TermTableTest, ManyTermsStayDistinct) {
  unsigned f = table.getSymbol("f");
  size_t before = table.size();
  for (int round = 0; round < 2; ++round)
    for (uint64_t i = 0; i < 20000; ++i)
      table.getApply(f, {table.getLeaf(2, 0, i)});
  EXPECT_EQ(table.size(), before + 40000);
}

TEST_F(TermTableTest, ABudgetThatEndsIsNoticed) {
  MemoryBudget small(200000);
  {
    TermTable limited(small);
    for (uint64_t i = 0; i < 100000 && !limited.isExhausted(); ++i)
      limited.getLeaf(0, 0, i);
    EXPECT_TRUE(limited.isExhausted());
    EXPECT_LE(small.getLive(), 200000u);
  }
  EXPECT_EQ(small.getLive(), 0u);
}

class TermPrinterTest : public TermTableTest {
protected:
  TermPrinterTest() {
    names.arguments.resize(2);
    names.arguments[0].shape = {2, 3, 1};
    names.arguments[0].factors = {1, 4, 64};
    names.arguments[0].axes = {{"dp", 4, 2}, {"tp", 1, 4}};
    names.arguments[1].shape = {4};
    names.arguments[1].factors = {1};
    names.arguments[1].byRank = true;
  }
  ArgumentNames names;
};

TEST_F(TermPrinterTest, LeavesNameIndexAndHolder) {
  // Index 5 is [1, 2, 0]; rank 6 is dp 1, tp 2.
  EXPECT_EQ(printTerm(table, table.getLeaf(0, 6, 5), names),
            "arg0[1,8..11,*]@{dp=1,tp=2}");
  EXPECT_EQ(printTerm(table, z, names), "arg1[0]@{rank=2}");
}

TEST_F(TermPrinterTest, FunctionsAndSums) {
  Term w = table.getLeaf(1, 0, 3);
  Term f = table.getApply(table.getSymbol("f"), {w, table.getReal(2.0)});
  EXPECT_EQ(printTerm(table, table.getElement(f, 3), names),
            "f(arg1[3]@{rank=0}, 2.0)#3");
  EXPECT_EQ(printTerm(table, sum({w, z, w}), names),
            "(arg1[0]@{rank=2} + 2*arg1[3]@{rank=0})");
}

TEST_F(TermPrinterTest, DepthAndLengthAreBounded) {
  unsigned f = table.getSymbol("f");
  Term deep = z;
  for (int i = 0; i < 100000; ++i)
    deep = table.getApply(f, {deep});
  EXPECT_EQ(printTerm(table, deep, names, 2), "f(f(...))");
  Term wide = z;
  for (int i = 0; i < 40; ++i)
    wide = table.getApply(f, {wide, wide, wide, wide});
  EXPECT_LT(printTerm(table, wide, names, 40, 200).size(), 2000u);
}

TEST_F(TermPrinterTest, FindsTheInnermostDifference) {
  unsigned f = table.getSymbol("f");
  Term left = table.getElement(table.getApply(f, {x, sum({y, z})}), 1);
  Term right = table.getElement(table.getApply(f, {x, sum({y, x})}), 1);
  EXPECT_EQ(findDifference(table, left, right), std::pair(z, x));
  Term other = table.getElement(table.getApply(f, {x, sum({y, z})}), 2);
  EXPECT_EQ(findDifference(table, left, other), std::pair(left, other));
}

} // namespace
