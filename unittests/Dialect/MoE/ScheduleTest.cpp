// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of pipelines and effects of tasks.

#include "IRTest.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <numeric>

using namespace mlir;
using namespace moe;

namespace {

class ScheduleTest : public moe::test::IRTest {
protected:
  /// Parses a pipeline with `degree` chunks of a dim of `size` elements and the
  /// given chunk sizes, if any, and returns the op's chunk sizes.
  SmallVector<int64_t> chunks(int64_t size, int64_t degree,
                              StringRef sizes = "") {
    bool even = sizes.empty() && size % degree == 0;
    std::string chunk = even ? std::to_string(size / degree) : "?";
    parse("func.func @f(%w: tensor<7xf32>, %x: tensor<2x" +
          std::to_string(size) + "xf32>) { moe.pipeline degree " +
          std::to_string(degree) + " " + sizes.str() +
          "(%v = %w shared : tensor<7xf32> as tensor<7xf32>, "
          "%c = %x split 1 : tensor<2x" +
          std::to_string(size) + "xf32> as tensor<2x" + chunk +
          "xf32>) { moe.yield } return }");
    auto pipeline = find<PipelineOp>();
    if (!pipeline)
      return {};
    EXPECT_EQ(pipeline.getChunkedSize(), size);
    return pipeline.getChunkSizes();
  }
};

TEST_F(ScheduleTest, ChunksAreAsEvenAsTheyCanBe) {
  for (int64_t size = 1; size <= 24; ++size)
    for (int64_t degree = 1; degree <= size; ++degree) {
      SmallVector<int64_t> sizes = chunks(size, degree);
      ASSERT_EQ(static_cast<int64_t>(sizes.size()), degree);
      EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), int64_t(0)), size);
      EXPECT_TRUE(llvm::is_sorted(sizes, std::greater<int64_t>()));
      EXPECT_LE(sizes.front() - sizes.back(), 1);
      EXPECT_GE(sizes.back(), 1);
    }
}

TEST_F(ScheduleTest, StatedSizesStayInTheirOrder) {
  EXPECT_EQ(chunks(9, 3, "sizes [1, 5, 3]"), (SmallVector<int64_t>{1, 5, 3}));
  EXPECT_EQ(chunks(209, 2, "sizes [8, 201]"), (SmallVector<int64_t>{8, 201}));
}

TEST_F(ScheduleTest, ChunksOfTheLongestDim) {
  EXPECT_EQ(chunks(std::numeric_limits<int64_t>::max(), 2),
            (SmallVector<int64_t>{int64_t(1) << 62, (int64_t(1) << 62) - 1}));
}

TEST_F(ScheduleTest, AsManyChunksAsThereMayBe) {
  SmallVector<int64_t> sizes =
      chunks(PipelineOp::kMaxDegree + 1, PipelineOp::kMaxDegree);
  ASSERT_EQ(static_cast<int64_t>(sizes.size()), PipelineOp::kMaxDegree);
  EXPECT_EQ(sizes.front(), 2);
  EXPECT_EQ(sizes[1], 1);
}

TEST_F(ScheduleTest, PipelinesDoWhatTheirOpsDoAndTasksAreLaunched) {
  parse(R"(moe.mesh @mesh axes ["ep"] shape [2]
           moe.stream @s inter
           func.func @f(%x: tensor<2xf32>) {
             moe.pipeline degree 2 (%c = %x split 0 : tensor<2xf32>
                                    as tensor<1xf32>) {
               %n = arith.negf %c : tensor<1xf32>
               moe.yield
             }
             moe.pipeline degree 2 (%c = %x split 0 : tensor<2xf32>
                                    as tensor<1xf32>) {
               %r = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<1xf32>
               moe.yield
             }
             moe.schedule {
               moe.task @s "a"[0 of 1] layer "" phase "fwd" {
                 moe.yield
               }
               moe.yield
             }
             return
           })");
  SmallVector<PipelineOp> pipelines;
  module->walk([&](PipelineOp op) { pipelines.push_back(op); });
  ASSERT_EQ(pipelines.size(), 2u);
  EXPECT_TRUE(isMemoryEffectFree(pipelines[0]));
  // A collective synchronizes ranks, so its pipeline may be erased but not
  // moved.
  EXPECT_FALSE(isMemoryEffectFree(pipelines[1]));
  EXPECT_TRUE(isOpTriviallyDead(pipelines[1]));
  EXPECT_FALSE(isOpTriviallyDead(find<TaskOp>()));
  EXPECT_FALSE(isOpTriviallyDead(find<ScheduleOp>()));
}

TEST_F(ScheduleTest, TextCutOrShortOfACharacterIsAnErrorOrValid) {
  std::string text = R"(moe.stream @s inter
    func.func @f(%x: tensor<4xf32>, %w: index) -> tensor<4xf32> {
      %p:2 = moe.pipeline degree 2 sizes [1, 3] (%c = %x split 0
          : tensor<4xf32> as tensor<?xf32>, %v = %w shared : index as index)
          attributes {a} {
        moe.yield %c, %x : tensor<?xf32>, tensor<4xf32>
      } -> concat 0 : tensor<4xf32>, sum : tensor<4xf32>
      %r = moe.schedule {
        %a, %t = moe.task @s "a"[0 of 2] layer "0" phase "fwd" {
          moe.yield %p#0 : tensor<4xf32>
        } : tensor<4xf32>
        %u = moe.task @s "a"[1 of 2] layer "0" phase "fwd" after(%t) {
          moe.yield
        }
        moe.yield %a : tensor<4xf32>
      } : tensor<4xf32>
      return %r : tensor<4xf32>
    })";
  parse(text);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  for (size_t size = StringRef(text).find("moe.pipeline"); size < text.size();
       ++size)
    // `substr` copies the prefix, because the lexer reads up to a closing NUL.
    EXPECT_FALSE(parseSourceString<ModuleOp>(text.substr(0, size), &context))
        << "of " << size << " characters";
  // The text may still be valid without one character; then it must verify.
  unsigned valid = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string shorter = text;
    shorter.erase(i, 1);
    OwningOpRef<ModuleOp> parsed =
        parseSourceString<ModuleOp>(shorter, &context);
    valid += parsed && succeeded(verify(*parsed));
  }
  EXPECT_GT(valid, 0u);
  EXPECT_LT(valid, text.size());
}

} // namespace
