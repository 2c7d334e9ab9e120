// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes sent by collectives, and their transposes.

#include "IRTest.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

namespace {

class CollectiveTest : public moe::test::IRTest {
protected:
  /// Parses and returns `op` in a function with %x of type `operand` and a
  /// vector %n of `ranks` integers, on a mesh ep 4 x tp 3.
  CollectiveOpInterface collective(StringRef operand, StringRef op,
                                   StringRef ranks = "4") {
    parse((R"(moe.mesh @mesh axes ["ep", "tp"] shape [4, 3]
              func.func @f(%x: )" +
           operand + ", %n: tensor<" + ranks + "xi32>) {\n %r = " + op +
           "\n return\n}")
              .str());
    return find<CollectiveOpInterface>();
  }

  FailureOr<int64_t> bytes(StringRef operand, StringRef op,
                           StringRef ranks = "4") {
    return collective(operand, op, ranks).getSendBytes();
  }

  /// Builds the transpose of `op` and the transpose of that, checks that both
  /// verify, and returns the text of the two without the operands.
  std::pair<std::string, std::string> transposes(CollectiveOpInterface op) {
    OpBuilder builder(op->getBlock()->getTerminator());
    FailureOr<Value> once = op.buildTranspose(builder, op->getResult(0));
    if (failed(once))
      return {"none", "none"};
    auto first = (*once).getDefiningOp<CollectiveOpInterface>();
    FailureOr<Value> twice = first.buildTranspose(builder, *once);
    if (failed(twice))
      return {text(first), "none"};
    EXPECT_EQ((*once).getType(), op->getOperand(0).getType());
    EXPECT_EQ((*twice).getType(), op->getResult(0).getType());
    EXPECT_TRUE(succeeded(verify(*module)));
    return {text(first), text((*twice).getDefiningOp())};
  }

  static std::string text(Operation *op) {
    std::string result;
    llvm::raw_string_ostream os(result);
    op->print(os);
    return result.substr(result.find("moe."));
  }
};

// SPEC CC-2: bytes that one rank sends to others, computed by hand.
TEST_F(CollectiveTest, AllToAllSendsAllBlocksButItsOwn) {
  EXPECT_EQ(*bytes("tensor<8x5xf32>",
                   "moe.all_to_all %x on <@mesh, [\"ep\"]> split 0 concat 0"
                   ": tensor<8x5xf32> -> tensor<8x5xf32>"),
            120); // 160 * 3/4
  EXPECT_EQ(*bytes("tensor<12x2xbf16>",
                   "moe.all_to_all %x on <@mesh, [\"ep\", \"tp\"]> split 0 "
                   "concat 1 : tensor<12x2xbf16> -> tensor<1x24xbf16>"),
            44); // 48 * 11/12
}

TEST_F(CollectiveTest, AllGatherSendsPartsOfTheResult) {
  EXPECT_EQ(*bytes("tensor<8x5xf32>",
                   "moe.all_gather %x on <@mesh, [\"tp\"]> dim 1"
                   ": tensor<8x5xf32> -> tensor<8x15xf32>"),
            320); // 480 * 2/3
}

TEST_F(CollectiveTest, ReduceScatterSendsPartsOfTheOperand) {
  EXPECT_EQ(*bytes("tensor<9x5xf32>",
                   "moe.reduce_scatter %x on <@mesh, [\"tp\"]> dim 0"
                   ": tensor<9x5xf32> -> tensor<3x5xf32>"),
            120); // 180 * 2/3
}

TEST_F(CollectiveTest, AllReduceSendsTwiceAndRoundsUp) {
  EXPECT_EQ(*bytes("tensor<3x4xf32>",
                   "moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<3x4xf32>"),
            72); // 2 * 48 * 3/4
  EXPECT_EQ(*bytes("tensor<i8>",
                   "moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<i8>"),
            2); // 2 * 1 * 3/4 = 1.5
  EXPECT_EQ(*bytes("tensor<0xf32>",
                   "moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<0xf32>"),
            0);
}

TEST_F(CollectiveTest, RaggedAllToAllSendsWhatEvenRowsWould) {
  // Three of four ranks are assumed to be others, because there is no trace.
  EXPECT_EQ(*bytes("tensor<8x5xf32>",
                   "moe.ragged_all_to_all %x into %x on <@mesh, [\"ep\"]> "
                   "send(%n, %n) recv(%n, %n)"
                   ": tensor<8x5xf32>, tensor<4xi32> -> tensor<8x5xf32>"),
            120);
  // The smaller buffer bounds the bytes to send.
  EXPECT_EQ(*bytes("tensor<8x5xf32>, %z : tensor<16x5xf32>",
                   "moe.ragged_all_to_all %x into %z on <@mesh, [\"ep\"]> "
                   "send(%n, %n) recv(%n, %n)"
                   ": tensor<8x5xf32>, tensor<4xi32> -> tensor<16x5xf32>"),
            120);
}

TEST_F(CollectiveTest, CollectivePermuteSendsItsOperandOnce) {
  auto permute = [&](StringRef positions) {
    return *bytes("tensor<8x5xf32>",
                  ("moe.collective_permute %x on <@mesh, [\"ep\"]> " +
                   positions + " : tensor<8x5xf32>")
                      .str());
  };
  EXPECT_EQ(permute("from [0, 1, 2, 3] to [1, 2, 3, 0]"), 160);
  EXPECT_EQ(permute("from [0] to [3]"), 160);
  // A rank that keeps its operand sends nothing.
  EXPECT_EQ(permute("from [0, 1] to [0, 1]"), 0);
  EXPECT_EQ(permute("from [] to []"), 0);
}

TEST_F(CollectiveTest, OneRankSendsNothing) {
  EXPECT_EQ(*bytes("tensor<8xf32>",
                   "moe.all_to_all %x on <@mesh, []> split 0 concat 0"
                   ": tensor<8xf32> -> tensor<8xf32>"),
            0);
  EXPECT_EQ(*bytes("tensor<8xf32>", "moe.all_gather %x on <@mesh, []> dim 0"
                                    ": tensor<8xf32> -> tensor<8xf32>"),
            0);
  EXPECT_EQ(*bytes("tensor<8xf32>",
                   "moe.all_reduce %x on <@mesh, []> : tensor<8xf32>"),
            0);
  EXPECT_EQ(*bytes("tensor<8xf32>",
                   "moe.ragged_all_to_all %x into %x on <@mesh, []> "
                   "send(%n, %n) recv(%n, %n)"
                   ": tensor<8xf32>, tensor<1xi32> -> tensor<8xf32>",
                   "1"),
            0);
}

TEST_F(CollectiveTest, BytesFailOnDynamicShapesAndOverflow) {
  EXPECT_TRUE(
      failed(bytes("tensor<?xf32>",
                   "moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<?xf32>")));
  // The operand's bytes fit in 63 bits, but twice as many do not.
  EXPECT_TRUE(failed(bytes("tensor<6917529027641081856xi8>",
                           "moe.all_reduce %x on <@mesh, [\"ep\"]> : "
                           "tensor<6917529027641081856xi8>")));
  EXPECT_TRUE(failed(bytes("tensor<4xf32>",
                           "moe.all_gather %x on <@mesh, [\"ep\"]> dim 0"
                           ": tensor<4xf32> -> tensor<?xf32>")));
}

TEST_F(CollectiveTest, BytesFailWhereTheGroupDoesNotResolve) {
  CollectiveOpInterface ragged = collective(
      "tensor<8xf32>", "moe.ragged_all_to_all %x into %x on <@mesh, [\"ep\"]> "
                       "send(%n, %n) recv(%n, %n)"
                       ": tensor<8xf32>, tensor<4xi32> -> tensor<8xf32>");
  ASSERT_TRUE(succeeded(ragged.getSendBytes()));
  find<MeshOp>().erase();
  EXPECT_TRUE(failed(ragged.getSendBytes()));
}

TEST_F(CollectiveTest, KindsAndNames) {
  CollectiveOpInterface op =
      collective("tensor<4xf32>",
                 "moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<4xf32>");
  EXPECT_EQ(op.getCollectiveKind(), CollectiveKind::AllReduce);
  EXPECT_EQ(*op.getGroup().getGroupSize(op), 4);
  for (CollectiveKind kind :
       {CollectiveKind::AllToAll, CollectiveKind::RaggedAllToAll,
        CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
        CollectiveKind::AllReduce, CollectiveKind::CollectivePermute}) {
    std::string name = "moe." + stringifyCollectiveKind(kind).str();
    EXPECT_TRUE(RegisteredOperationName::lookup(name, &context)) << name;
  }
}

TEST_F(CollectiveTest, TransposeOfCollectivePermute) {
  CollectiveOpInterface op = collective(
      "tensor<8x5xf32>", "moe.collective_permute %x on <@mesh, [\"ep\"]> "
                         "from [0, 1] to [1, 3] : tensor<8x5xf32>");
  auto [once, twice] = transposes(op);
  EXPECT_NE(once.find("from [1, 3] to [0, 1]"), std::string::npos) << once;
  EXPECT_NE(twice.find("from [0, 1] to [1, 3]"), std::string::npos) << twice;
}

// SPEC 2 requires gradients; a transpose's transpose is the op itself.
TEST_F(CollectiveTest, TransposeOfAllToAll) {
  CollectiveOpInterface op =
      collective("tensor<8x5xf32>",
                 "moe.all_to_all %x on <@mesh, [\"ep\"]> split 0 concat 1"
                 ": tensor<8x5xf32> -> tensor<2x20xf32>");
  auto [once, twice] = transposes(op);
  EXPECT_EQ(once, "moe.all_to_all %0 on <@mesh, [\"ep\"]> split 1 concat 0 : "
                  "tensor<2x20xf32> -> tensor<8x5xf32>");
  EXPECT_EQ(twice, "moe.all_to_all %1 on <@mesh, [\"ep\"]> split 0 concat 1 : "
                   "tensor<8x5xf32> -> tensor<2x20xf32>");
}

TEST_F(CollectiveTest, TransposeOfAllGatherIsReduceScatter) {
  CollectiveOpInterface op = collective(
      "tensor<?x5xf32>", "moe.all_gather %x on <@mesh, [\"tp\"]> dim 0"
                         ": tensor<?x5xf32> -> tensor<?x5xf32>");
  auto [once, twice] = transposes(op);
  EXPECT_EQ(once, "moe.reduce_scatter %0 on <@mesh, [\"tp\"]> dim 0 : "
                  "tensor<?x5xf32> -> tensor<?x5xf32>");
  EXPECT_EQ(twice, "moe.all_gather %1 on <@mesh, [\"tp\"]> dim 0 : "
                   "tensor<?x5xf32> -> tensor<?x5xf32>");
}

TEST_F(CollectiveTest, TransposeOfReduceScatterIsAllGather) {
  CollectiveOpInterface op = collective(
      "tensor<6x5xf32>", "moe.reduce_scatter %x on <@mesh, [\"tp\"]> dim 0"
                         ": tensor<6x5xf32> -> tensor<2x5xf32>");
  auto [once, twice] = transposes(op);
  EXPECT_EQ(once, "moe.all_gather %0 on <@mesh, [\"tp\"]> dim 0 : "
                  "tensor<2x5xf32> -> tensor<6x5xf32>");
  EXPECT_EQ(twice, "moe.reduce_scatter %1 on <@mesh, [\"tp\"]> dim 0 : "
                   "tensor<6x5xf32> -> tensor<2x5xf32>");
}

TEST_F(CollectiveTest, TransposeOfAllReduceIsItself) {
  CollectiveOpInterface op =
      collective("tensor<4xf32>",
                 "moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<4xf32>");
  auto [once, twice] = transposes(op);
  EXPECT_EQ(once, "moe.all_reduce %0 on <@mesh, [\"ep\"]> : tensor<4xf32>");
  EXPECT_EQ(twice, "moe.all_reduce %1 on <@mesh, [\"ep\"]> : tensor<4xf32>");
}

TEST_F(CollectiveTest, WhatIsNotLinearHasNoTranspose) {
  for (StringRef reduction : {"prod", "min", "max"}) {
    CollectiveOpInterface reduce = collective(
        "tensor<4xf32>", ("moe.all_reduce %x on <@mesh, [\"ep\"]> reduction " +
                          reduction + " : tensor<4xf32>")
                             .str());
    EXPECT_EQ(transposes(reduce).first, "none") << reduction.str();
    CollectiveOpInterface scatter = collective(
        "tensor<4xf32>", ("moe.reduce_scatter %x on <@mesh, [\"ep\"]> dim 0 "
                          "reduction " +
                          reduction + " : tensor<4xf32> -> tensor<1xf32>")
                             .str());
    EXPECT_EQ(transposes(scatter).first, "none") << reduction.str();
  }
  CollectiveOpInterface ragged = collective(
      "tensor<8xf32>", "moe.ragged_all_to_all %x into %x on <@mesh, [\"ep\"]> "
                       "send(%n, %n) recv(%n, %n)"
                       ": tensor<8xf32>, tensor<4xi32> -> tensor<8xf32>");
  EXPECT_EQ(transposes(ragged).first, "none");
}

} // namespace
