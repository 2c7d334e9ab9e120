// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime calls of the ops.

#include "moe/Dialect/MoERT/RuntimeCalls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace moe;
using rt::CallArgument;

namespace {

struct RuntimeCallsTest : public testing::Test {
  RuntimeCallsTest() {
    context.loadDialect<MoEDialect, rt::MoERTDialect, func::FuncDialect>();
  }

  /// Returns the calls of all ops of an entry function with these ops.
  std::vector<rt::RuntimeCall> getCalls(StringRef ops) {
    std::string text =
        "func.func @main(%ctx: !moert.context, %s: !moert.stream, "
        "%x: memref<2x1x4x3xf32>, %y: memref<2x1x4x3xf32>, "
        "%t: memref<2x1x4x3xf32, strided<[12, 1, 1, 4]>>, "
        "%e: memref<0x4xf32>) {\n" +
        ops.str() + "\nreturn\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    rt::RuntimeCalls calls(&context);
    if (module)
      module->walk(
          [&](rt::RuntimeCallOpInterface op) { op.addRuntimeCalls(calls); });
    return calls.get().vec();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::vector<std::string> getSymbols(ArrayRef<rt::RuntimeCall> calls) {
  std::vector<std::string> symbols;
  for (const rt::RuntimeCall &call : calls)
    symbols.push_back(call.function.symbol.str());
  return symbols;
}

using Symbols = std::vector<std::string>;

} // namespace

/// Contiguous dims are merged, a single run becomes a plain copy, and an empty
/// copy makes no call.
TEST_F(RuntimeCallsTest, CopiesAreWhatTheirBoxesAre) {
  auto calls = getCalls(R"(
    moert.copy %s %x to %y : memref<2x1x4x3xf32> to memref<2x1x4x3xf32>
    moert.copy %s %e to %e : memref<0x4xf32> to memref<0x4xf32>
    moert.copy %s %x to %t : memref<2x1x4x3xf32>
      to memref<2x1x4x3xf32, strided<[12, 1, 1, 4]>>
  )");
  EXPECT_EQ(getSymbols(calls), (Symbols{"moert_copy", "moert_copy_strided"}));
  ASSERT_EQ(calls.size(), 2u);
  ASSERT_EQ(calls[0].arguments.size(), 4u);
  EXPECT_EQ(calls[0].arguments[3].number, 2 * 4 * 3 * 4);
  ASSERT_EQ(calls[1].arguments.size(), 8u);
  Builder builder(&context);
  EXPECT_EQ(calls[1].arguments[2].attribute,
            builder.getI64TensorAttr({12, 1, 4}));
  EXPECT_EQ(calls[1].arguments[4].attribute,
            builder.getI64TensorAttr({12, 3, 1}));
  EXPECT_EQ(calls[1].arguments[5].attribute,
            builder.getI64TensorAttr({2, 4, 3}));
  EXPECT_EQ(calls[1].arguments[6].number, 3);
}

/// The context and the caller own events and memory, so no call creates them.
TEST_F(RuntimeCallsTest, EventsAndMemoryAreNotMade) {
  auto calls = getCalls(R"(
    %e0 = moert.event %ctx
    %m = moert.arena %ctx : memref<0xi8>
    %b = moert.host_buffer : memref<2x1x4x3xf32>
    moert.copy %s %x to %b : memref<2x1x4x3xf32> to memref<2x1x4x3xf32>
  )");
  EXPECT_EQ(getSymbols(calls), (Symbols{"moert_copy"}));
}

TEST_F(RuntimeCallsTest, WorkIsWhatIsPutOnStreams) {
  EXPECT_TRUE(rt::isWork(rt::symbols::all_to_all));
  EXPECT_TRUE(rt::isWork(rt::symbols::gate));
  EXPECT_FALSE(rt::isWork(rt::symbols::event_record));
  EXPECT_FALSE(rt::isWork("moert_unknown"));
}
