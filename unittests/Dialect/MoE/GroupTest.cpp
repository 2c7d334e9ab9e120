// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of ranks.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace moe;

namespace {

using Lists = SmallVector<SmallVector<int64_t>>;

class GroupTest : public ::testing::Test {
protected:
  GroupTest() {
    context.loadDialect<MoEDialect>();
    module = parseSourceString<ModuleOp>(
        R"(moe.mesh @mesh axes ["dp", "ep", "tp"] shape [1, 2, 3])", &context);
  }

  GroupAttr group(ArrayRef<StringRef> axes) {
    return GroupAttr::get(FlatSymbolRefAttr::get(&context, "mesh"), axes);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(GroupTest, RankListsFollowTheMeshWithTheLastAxisFastest) {
  EXPECT_EQ(*group({"tp"}).getRankLists(*module),
            (Lists{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(*group({"ep"}).getRankLists(*module),
            (Lists{{0, 3}, {1, 4}, {2, 5}}));
}

TEST_F(GroupTest, AxesOfAGroupOrderItsRanks) {
  EXPECT_EQ(*group({"ep", "tp"}).getRankLists(*module),
            (Lists{{0, 1, 2, 3, 4, 5}}));
  EXPECT_EQ(*group({"tp", "ep"}).getRankLists(*module),
            (Lists{{0, 3, 1, 4, 2, 5}}));
}

TEST_F(GroupTest, NoAxisMeansGroupsOfOneRank) {
  EXPECT_EQ(*group({}).getGroupSize(*module), 1);
  EXPECT_EQ(*group({}).getRankLists(*module),
            (Lists{{0}, {1}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(*group({"dp"}).getGroupSize(*module), 1);
}

TEST_F(GroupTest, UnknownAxesDoNotResolve) {
  EXPECT_TRUE(failed(group({"cp"}).getGroupSize(*module)));
  EXPECT_TRUE(failed(group({"cp"}).getRankLists(*module)));
}

} // namespace
