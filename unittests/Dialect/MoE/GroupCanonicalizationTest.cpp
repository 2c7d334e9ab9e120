// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalization of rank lists to mesh axes.

#include "IRTest.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <numeric>

using namespace mlir;
using namespace moe;

namespace {

using Lists = SmallVector<SmallVector<int64_t>>;

class GroupCanonicalizationTest : public moe::test::IRTest {
protected:
  /// Declares a mesh with axes a, b, c, ... of the given sizes.
  void declare(ArrayRef<int64_t> shape) {
    OpBuilder builder(&context);
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    SmallVector<std::string> names;
    for (size_t i = 0; i < shape.size(); ++i)
      names.push_back(std::string(1, 'a' + i));
    SmallVector<StringRef> axes(names.begin(), names.end());
    MeshOp::create(builder, builder.getUnknownLoc(), "mesh",
                   builder.getStrArrayAttr(axes), shape);
    ASSERT_TRUE(succeeded(verify(*module)));
  }

  GroupAttr group(ArrayRef<StringRef> axes) {
    return GroupAttr::get(FlatSymbolRefAttr::get(&context, "mesh"), axes);
  }

  ReplicaGroupsAttr replicaGroups(const Lists &lists) {
    SmallVector<int64_t> ranks;
    for (ArrayRef<int64_t> list : lists)
      ranks.append(list.begin(), list.end());
    auto type =
        RankedTensorType::get({static_cast<int64_t>(lists.size()),
                               static_cast<int64_t>(lists.front().size())},
                              IntegerType::get(&context, 64));
    return ReplicaGroupsAttr::get(&context,
                                  DenseIntElementsAttr::get(type, ranks));
  }

  /// Returns the group of a drop after its canonicalization pattern ran once.
  Attribute canonicalize(GroupAttrInterface from) {
    OpBuilder builder(&context);
    builder.setInsertionPointToEnd(module->getBody());
    auto x = UnrealizedConversionCastOp::create(
        builder, builder.getUnknownLoc(), type("tensor<?xf32>"), ValueRange());
    auto reduce = AllReduceOp::create(builder, builder.getUnknownLoc(),
                                      x.getType(0), x.getResult(0), from);
    PatternRewriter rewriter(&context);
    (void)AllReduceOp::canonicalize(reduce, rewriter);
    EXPECT_TRUE(succeeded(verify(*module)));
    Attribute result = reduce.getGroup();
    reduce.erase();
    x.erase();
    return result;
  }
};

/// Calls `visit` with every ordered selection of distinct numbers below `n`.
void forEachArrangement(unsigned n, SmallVector<unsigned> &chosen,
                        llvm::function_ref<void()> visit) {
  visit();
  for (unsigned i = 0; i < n; ++i) {
    if (llvm::is_contained(chosen, i))
      continue;
    chosen.push_back(i);
    forEachArrangement(n, chosen, visit);
    chosen.pop_back();
  }
}

TEST_F(GroupCanonicalizationTest, FindsTheAxesInAnyOrderOfAxesAndRows) {
  SmallVector<SmallVector<int64_t>> shapes = {
      {2, 3, 4}, {2, 2, 2}, {1, 2, 1, 3}, {5}, {1}, {3, 1}, {1, 1}, {4, 2, 2}};
  for (const SmallVector<int64_t> &shape : shapes) {
    declare(shape);
    auto mesh = find<MeshOp>();
    SmallVector<unsigned> chosen;
    unsigned tried = 0;
    forEachArrangement(shape.size(), chosen, [&] {
      SmallVector<StringRef> axes, larger;
      for (unsigned axis : chosen) {
        axes.push_back(mesh.getAxisName(axis));
        if (shape[axis] > 1)
          larger.push_back(mesh.getAxisName(axis));
      }
      Lists lists = *group(axes).getRankLists(*module);
      // Every rotation of the rows is the same set of groups.
      for (size_t i = 0; i < lists.size(); ++i) {
        std::rotate(lists.begin(), lists.begin() + 1, lists.end());
        Attribute got = canonicalize(replicaGroups(lists));
        EXPECT_EQ(got, Attribute(group(larger)))
            << "mesh of " << shape.size() << " axes, row " << i;
        ++tried;
      }
    });
    EXPECT_GT(tried, 0u);
  }
}

TEST_F(GroupCanonicalizationTest, NeverTurnsListsIntoOtherGroups) {
  // All 720 orders of six ranks, as groups of every size: the canonical group
  // must list the same groups.
  declare({2, 3});
  SmallVector<int64_t> order(6);
  std::iota(order.begin(), order.end(), 0);
  unsigned found = 0;
  do {
    for (size_t size : {1, 2, 3, 6}) {
      Lists lists;
      for (size_t i = 0; i < order.size(); i += size)
        lists.emplace_back(order.begin() + i, order.begin() + i + size);
      Attribute got = canonicalize(replicaGroups(lists));
      auto axes = dyn_cast<GroupAttr>(got);
      if (!axes)
        continue;
      ++found;
      Lists back = *axes.getRankLists(*module);
      llvm::sort(back);
      llvm::sort(lists);
      EXPECT_EQ(back, lists);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  // <[]> in 6! row orders, <["b"]> in 2!, <["a"]> in 3!, and both orders of
  // both axes in one row each.
  EXPECT_EQ(found, 720u + 2u + 6u + 2u);
}

TEST_F(GroupCanonicalizationTest, ListsOfAnotherNumberOfRanksStay) {
  // The op does not verify in a module, but nothing may crash before the
  // verifier reports that.
  declare({2, 3});
  auto x = ReplicaGroupsAttr(replicaGroups({{0, 1}, {2, 3}}));
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(module->getBody());
  auto rank = GroupRankOp::create(builder, builder.getUnknownLoc(),
                                  builder.getIndexType(), x);
  EXPECT_EQ(*rank.getGroup().getGroupSize(rank), 2);
  auto value = UnrealizedConversionCastOp::create(
      builder, builder.getUnknownLoc(), type("tensor<4xf32>"), ValueRange());
  auto drop = DropOp::create(builder, builder.getUnknownLoc(),
                             value.getResult(0), x, 0, 2);
  PatternRewriter rewriter(&context);
  EXPECT_TRUE(failed(DropOp::canonicalize(drop, rewriter)));
}

TEST_F(GroupCanonicalizationTest, ALargeMeshIsNeverListed) {
  declare({2147483647});
  EXPECT_EQ(*group({"a"}).getGroupSize(*module), 2147483647);
  EXPECT_TRUE(failed(group({"a"}).getRankLists(*module)));
  EXPECT_TRUE(failed(group({}).getRankLists(*module)));
  EXPECT_EQ(canonicalize(group({"a"})), Attribute(group({"a"})));
}

} // namespace
