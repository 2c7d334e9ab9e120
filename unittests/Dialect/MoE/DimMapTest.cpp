// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps from operand dims to result dims.

#include "IRTest.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

namespace {

class DimMapTest : public moe::test::IRTest {
protected:
  /// Parses a function with the given arguments around `op` on a mesh ep 2 x tp
  /// 3, and returns the dim map of its first op as text: links as
  /// "operand.dim>result.dim", opaque dims as "operand.dim>" and ">result.dim",
  /// in that order and sorted; "none" if the op has no map.
  std::string map(StringRef arguments, StringRef op) {
    parse((R"(moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
              func.func @f()" +
           arguments + ") {\n" + op + "\n return\n}")
              .str());
    auto func = find<func::FuncOp>();
    if (!func)
      return "";
    return text(&func.getBody().front().front());
  }

  static std::string text(Operation *op) {
    std::optional<DimMap> map = getDimMap(op);
    if (!map)
      return "none";
    SmallVector<std::string> words;
    auto name = [](unsigned value, unsigned dim) {
      return std::to_string(value) + "." + std::to_string(dim);
    };
    for (const DimLink &link : map->links) {
      words.push_back(name(link.operand, link.operandDim) + ">" +
                      name(link.result, link.resultDim));
      EXPECT_EQ(map->getResultDim(link.operand, link.operandDim, link.result),
                link.resultDim);
      EXPECT_EQ(map->getOperandDim(link.result, link.resultDim, link.operand),
                link.operandDim);
    }
    llvm::sort(words);
    for (auto [operand, dim] : map->opaqueOperandDims) {
      words.push_back(name(operand, dim) + ">");
      EXPECT_TRUE(map->isOpaqueOperandDim(operand, dim));
    }
    for (auto [result, dim] : map->opaqueResultDims) {
      words.push_back(">" + name(result, dim));
      EXPECT_TRUE(map->isOpaqueResultDim(result, dim));
    }
    return llvm::join(words, " ");
  }
};

TEST_F(DimMapTest, CollectivesTouchTheDimsTheyCutOrJoin) {
  EXPECT_EQ(map("%x: tensor<4x5x6xf32>",
                "%r = moe.all_to_all %x on <@mesh, [\"ep\"]> split 0 concat 2"
                ": tensor<4x5x6xf32> -> tensor<2x5x12xf32>"),
            "0.1>0.1");
  EXPECT_EQ(map("%x: tensor<4x5x6xf32>",
                "%r = moe.all_to_all %x on <@mesh, [\"ep\"]> split 0 concat 0"
                ": tensor<4x5x6xf32> -> tensor<4x5x6xf32>"),
            "0.1>0.1 0.2>0.2");
  EXPECT_EQ(map("%x: tensor<4x5xf32>",
                "%r = moe.all_gather %x on <@mesh, [\"ep\"]> dim 1"
                ": tensor<4x5xf32> -> tensor<4x10xf32>"),
            "0.0>0.0");
  EXPECT_EQ(map("%x: tensor<4x5xf32>",
                "%r = moe.reduce_scatter %x on <@mesh, [\"ep\"]> dim 0"
                ": tensor<4x5xf32> -> tensor<2x5xf32>"),
            "0.1>0.1");
  EXPECT_EQ(
      map("%x: tensor<4x5xf32>",
          "%r = moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<4x5xf32>"),
      "0.0>0.0 0.1>0.1");
  EXPECT_EQ(map("%x: tensor<f32>",
                "%r = moe.all_reduce %x on <@mesh, [\"ep\"]> : tensor<f32>"),
            "");
}

TEST_F(DimMapTest, RaggedAllToAllTouchesItsRowsAndVectors) {
  EXPECT_EQ(map("%x: tensor<4x5x6xf32>, %z: tensor<7x5x6xf32>, "
                "%n: tensor<2xi32>",
                "%r = moe.ragged_all_to_all %x into %z on <@mesh, [\"ep\"]> "
                "send(%n, %n) recv(%n, %n)"
                ": tensor<4x5x6xf32>, tensor<2xi32> -> tensor<7x5x6xf32>"),
            "0.1>0.1 0.2>0.2 1.1>0.1 1.2>0.2");
}

TEST_F(DimMapTest, LocalDataMovement) {
  EXPECT_EQ(map("%x: tensor<4x5xf32>",
                "%r = moe.drop %x on <@mesh, [\"ep\"]> dim 0"
                ": tensor<4x5xf32> -> tensor<2x5xf32>"),
            "0.1>0.1");
  EXPECT_EQ(map("%x: tensor<4x5xf32>, %y: tensor<4x1xf32>",
                "%r = moe.assemble %x, %y, %x dim 1 : tensor<4x5xf32>, "
                "tensor<4x1xf32>, tensor<4x5xf32> -> tensor<4x11xf32>"),
            "0.0>0.0 1.0>0.0 2.0>0.0");
  EXPECT_EQ(map("%x: tensor<4x5x6xf32>",
                "%r = moe.transpose %x [2, 0, 1] : tensor<4x5x6xf32> -> "
                "tensor<6x4x5xf32>"),
            "0.0>0.1 0.1>0.2 0.2>0.0");
  EXPECT_EQ(map("", "%i = moe.group_rank on <@mesh, [\"ep\"]> : index"),
            "none");
}

TEST_F(DimMapTest, ModulesOfALayer) {
  // A gate scores tokens one by one, from all of their hidden elements.
  EXPECT_EQ(map("%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, "
                "%b: tensor<8xf32>",
                "%i, %w = moe.gate sigmoid %x, %r bias %b : tensor<8xf32> "
                "top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> "
                "tensor<16x2xi32>, tensor<16x2xf32>"),
            "0.0>0.0 0.0>1.0 0.1> 1.0>");
  // Tokens compete for slots; their elements pass through.
  EXPECT_EQ(map("%x: tensor<3x4xf32>, %i: tensor<3x1xi32>",
                "%b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, "
                "tensor<3x1xi32> -> tensor<2x1x2x4xf32>, tensor<3x1xi32>"),
            "0.1>0.3");
  EXPECT_EQ(map("%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, "
                "%w: tensor<3x1xf32>",
                "%y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, "
                "tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>"),
            "0.2>0.1 1.0>0.0 2.0>0.0");
  EXPECT_EQ(map("%x: tensor<2x5x7x4xf32>, %u: tensor<2x4x6xf32>, "
                "%d: tensor<2x6x4xf32>",
                "%y = moe.experts gpt %x, %u, %d : tensor<2x5x7x4xf32>, "
                "tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x7x4xf32>"),
            "0.0>0.0 0.1>0.1 0.2>0.2 1.0>0.0 2.0>0.0 0.3> 1.1> 1.2> 2.1> 2.2> "
            ">0.3");
  // Biases are rows of the weights.
  EXPECT_EQ(map("%x: tensor<2x5x4xf32>, %u: tensor<2x5x6xf32>, "
                "%d: tensor<2x7x4xf32>",
                "%y = moe.experts gpt %x, %u, %d {biased} : tensor<2x5x4xf32>, "
                "tensor<2x5x6xf32>, tensor<2x7x4xf32> -> tensor<2x5x4xf32>"),
            "0.0>0.0 0.1>0.1 1.0>0.0 2.0>0.0 0.2> 1.1> 1.2> 2.1> 2.2> >0.2");
}

TEST_F(DimMapTest, ElementwiseOps) {
  EXPECT_EQ(
      map("%x: tensor<4x?xf32>", "%r = arith.addf %x, %x : tensor<4x?xf32>"),
      "0.0>0.0 0.1>0.1 1.0>0.0 1.1>0.1");
  EXPECT_EQ(map("%x: tensor<4xf32>", "%r = math.exp %x : tensor<4xf32>"),
            "0.0>0.0");
  EXPECT_EQ(map("%x: tensor<4xf32>",
                "%r = arith.truncf %x : tensor<4xf32> to tensor<4xf16>"),
            "0.0>0.0");
  // A scalar condition has no dims; scalars alone have no links.
  EXPECT_EQ(map("%c: i1, %x: tensor<4xf32>",
                "%r = arith.select %c, %x, %x : tensor<4xf32>"),
            "1.0>0.0 2.0>0.0");
  EXPECT_EQ(map("%x: f32", "%r = arith.addf %x, %x : f32"), "");
}

TEST_F(DimMapTest, TensorsOfOneValueAreOpaque) {
  EXPECT_EQ(map("", "%r = arith.constant dense<1.0> : tensor<4x5xf32>"),
            ">0.0 >0.1");
  EXPECT_EQ(map("", "%r = arith.constant dense<[1, 2]> : tensor<2xi32>"), "");
  EXPECT_EQ(map("", "%r = arith.constant 1 : index"), "");
  EXPECT_EQ(map("", "%r = tensor.empty() : tensor<4xf32>"), ">0.0");
  EXPECT_EQ(map("%x: f32", "%r = tensor.splat %x : tensor<2x3xf32>"),
            ">0.0 >0.1");
}

TEST_F(DimMapTest, CastsLinkEveryDim) {
  EXPECT_EQ(map("%x: tensor<4x?xf32>",
                "%r = tensor.cast %x : tensor<4x?xf32> to tensor<?x5xf32>"),
            "0.0>0.0 0.1>0.1");
  EXPECT_EQ(map("%x: tensor<4x?xf32>",
                "%r = tensor.cast %x : tensor<4x?xf32> to tensor<*xf32>"),
            "");
}

TEST_F(DimMapTest, ExpandingLinksWhatKeepsItsSize) {
  // 6 becomes 2 x 3 and has no link; 4 only gets unit dims around it and has
  // one.
  EXPECT_EQ(map("%x: tensor<6x4xf32>",
                "%r = tensor.expand_shape %x [[0, 1], [2, 3, 4]] output_shape "
                "[2, 3, 1, 4, 1] : tensor<6x4xf32> into "
                "tensor<2x3x1x4x1xf32>"),
            "0.1>0.3");
  EXPECT_EQ(map("%x: tensor<6x1xf32>",
                "%r = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape "
                "[6, 1, 1, 1] : tensor<6x1xf32> into tensor<6x1x1x1xf32>"),
            "0.0>0.0 0.1>0.2");
  EXPECT_EQ(map("%x: tensor<f32>",
                "%r = tensor.expand_shape %x [] output_shape [1, 1] : "
                "tensor<f32> into tensor<1x1xf32>"),
            "");
  EXPECT_EQ(map("%x: tensor<0x4xf32>",
                "%r = tensor.expand_shape %x [[0, 1], [2]] output_shape "
                "[0, 2, 4] : tensor<0x4xf32> into tensor<0x2x4xf32>"),
            "0.1>0.2");
}

TEST_F(DimMapTest, ExpandingADynamicDimLinksNothing) {
  EXPECT_EQ(map("%x: tensor<?x4xf32>, %n: index",
                "%r = tensor.expand_shape %x [[0, 1], [2]] output_shape "
                "[%n, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>"),
            "0.1>0.2");
}

TEST_F(DimMapTest, CollapsingLinksWhatKeepsItsSize) {
  EXPECT_EQ(map("%x: tensor<2x3x1x4x1xf32>",
                "%r = tensor.collapse_shape %x [[0, 1], [2, 3, 4]] : "
                "tensor<2x3x1x4x1xf32> into tensor<6x4xf32>"),
            "0.3>0.1");
  EXPECT_EQ(map("%x: tensor<1x1x5xf32>",
                "%r = tensor.collapse_shape %x [[0, 1], [2]] : "
                "tensor<1x1x5xf32> into tensor<1x5xf32>"),
            "0.0>0.0 0.2>0.1");
  EXPECT_EQ(map("%x: tensor<1x1xf32>",
                "%r = tensor.collapse_shape %x [] : tensor<1x1xf32> into "
                "tensor<f32>"),
            "");
  EXPECT_EQ(map("%x: tensor<?x1xf32>",
                "%r = tensor.collapse_shape %x [[0, 1]] : tensor<?x1xf32> "
                "into tensor<?xf32>"),
            "");
}

TEST_F(DimMapTest, SlicesLinkTheDimsTheyTakeWhole) {
  EXPECT_EQ(map("%x: tensor<4x5x6xf32>",
                "%r = tensor.extract_slice %x[0, 1, 0] [4, 2, 6] [1, 1, 1] : "
                "tensor<4x5x6xf32> to tensor<4x2x6xf32>"),
            "0.0>0.0 0.2>0.2");
  // A rank-reducing slice shifts the dims after the removed one.
  EXPECT_EQ(map("%x: tensor<4x5x6xf32>",
                "%r = tensor.extract_slice %x[3, 0, 0] [1, 5, 6] [1, 1, 1] : "
                "tensor<4x5x6xf32> to tensor<5x6xf32>"),
            "0.1>0.0 0.2>0.1");
  // Dims count as partial if an offset or size is dynamic, or the dim itself
  // is.
  EXPECT_EQ(map("%x: tensor<4x?x6xf32>, %n: index",
                "%r = tensor.extract_slice %x[%n, 0, 0] [4, %n, %n] [1, 1, 1] "
                ": tensor<4x?x6xf32> to tensor<4x?x?xf32>"),
            "");
  // A slice of every second row does not cover the dim.
  EXPECT_EQ(map("%x: tensor<6x5xf32>",
                "%r = tensor.extract_slice %x[0, 0] [3, 5] [2, 1] : "
                "tensor<6x5xf32> to tensor<3x5xf32>"),
            "0.1>0.1");
}

TEST_F(DimMapTest, InsertedSlicesLinkBothSources) {
  EXPECT_EQ(map("%x: tensor<2x6xf32>, %y: tensor<4x6xf32>",
                "%r = tensor.insert_slice %x into %y[1, 0] [2, 6] [1, 1] : "
                "tensor<2x6xf32> into tensor<4x6xf32>"),
            "0.1>0.1 1.1>0.1");
  EXPECT_EQ(map("%x: tensor<6xf32>, %y: tensor<4x6xf32>",
                "%r = tensor.insert_slice %x into %y[3, 0] [1, 6] [1, 1] : "
                "tensor<6xf32> into tensor<4x6xf32>"),
            "0.0>0.1 1.1>0.1");
}

TEST_F(DimMapTest, NothingIsKnownOfOtherOps) {
  EXPECT_EQ(map("%x: tensor<4xf32>, %i: index",
                "%r = tensor.extract %x[%i] : tensor<4xf32>"),
            "none");
  EXPECT_EQ(
      map("%x: tensor<4xf32>", "func.call @f(%x) : (tensor<4xf32>) -> ()"),
      "none");
}

} // namespace
