// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random collectives.

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <random>

using namespace moe;
using namespace mlir;

namespace {

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

struct MakeCollectivesContiguousTest : public ::testing::Test {
  MakeCollectivesContiguousTest() {
    context.loadDialect<MoEDialect, func::FuncDialect, tensor::TensorDialect>();
  }

  LogicalResult run(ModuleOp module, std::unique_ptr<Pass> first,
                    std::unique_ptr<Pass> second) {
    PassManager manager(&context);
    manager.addPass(std::move(first));
    manager.addPass(std::move(second));
    return manager.run(module);
  }

  MLIRContext context;
};

/// Returns a function with one collective, perhaps with transposes around it.
std::string makeProgram(std::mt19937 &random) {
  auto pick = [&](int64_t count) { return int64_t(random() % count); };
  auto type = [](ArrayRef<int64_t> shape) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + "f32>";
  };
  int64_t rank = 2 + pick(3);
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < rank; ++d)
    shape.push_back(pick(4) == 0 ? 1 : 4 * (1 + pick(3)));
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::string body, value = "%x", input = type(shape);
  auto transpose = [&] {
    if (pick(2))
      return;
    std::shuffle(order.begin(), order.end(), random);
    SmallVector<int64_t> made;
    std::string numbers;
    for (int64_t d : order) {
      made.push_back(shape[d]);
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(d);
    }
    std::string name = value + "t";
    body += name + " = moe.transpose " + value + " [" + numbers +
            "] : " + type(shape) + " -> " + type(made) + "\n";
    value = name;
    shape = made;
  };
  transpose();
  SmallVector<int64_t> divisible;
  for (int64_t d = 0; d < rank; ++d)
    if (shape[d] % 4 == 0)
      divisible.push_back(d);
  int64_t kind = divisible.empty() ? 0 : pick(3);
  int64_t cut = divisible.empty() ? 0 : divisible[pick(divisible.size())];
  int64_t joined = pick(rank);
  SmallVector<int64_t> made = shape;
  std::string dims = " dim " + std::to_string(kind == 0 ? joined : cut);
  if (kind == 2)
    dims =
        " split " + std::to_string(cut) + " concat " + std::to_string(joined);
  if (kind != 0)
    made[cut] /= 4;
  if (kind != 1)
    made[joined] *= 4;
  const char *names[] = {"all_gather", "reduce_scatter", "all_to_all"};
  body += "%y = moe." + std::string(names[kind]) + " " + value +
          " on <@mesh, [\"ep\"]>" + dims + " : " + type(shape) + " -> " +
          type(made) + "\n";
  value = "%y";
  shape = made;
  transpose();
  return "moe.mesh @mesh axes [\"ep\"] shape [4]\nfunc.func @f(%x: " + input +
         ") -> " + type(shape) + " {\n" + body + "return " + value + " : " +
         type(shape) + "\n}\n";
}

TEST_F(MakeCollectivesContiguousTest, OneStepSuffices) {
  std::mt19937 random(3);
  unsigned rewritten = 0;
  for (int round = 0; round < 300; ++round) {
    std::string text = makeProgram(random);
    SCOPED_TRACE(text);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    // A schedule is contiguous, whether or not its program is.
    auto scheduled = OwningOpRef<ModuleOp>(module->clone());
    ASSERT_TRUE(succeeded(run(*scheduled, createSchedule(),
                              createVerifyContiguousCollectives())));
    EXPECT_EQ(makeCollectivesContiguous(*scheduled), 0);
    std::string before = print(*module);
    ASSERT_TRUE(succeeded(run(*module, createMakeCollectivesContiguous(),
                              createVerifyContiguousCollectives())));
    rewritten += print(*module) != before;
    EXPECT_EQ(makeCollectivesContiguous(*module), 0);
    ASSERT_TRUE(succeeded(
        run(*module, createSchedule(), createVerifyContiguousCollectives())));
  }
  EXPECT_GT(rewritten, 100u);
}

} // namespace
