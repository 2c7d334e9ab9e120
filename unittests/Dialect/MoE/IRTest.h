// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixture shared by the tests of the dialect.

#ifndef MOE_UNITTESTS_IR_IRTEST_H
#define MOE_UNITTESTS_IR_IRTEST_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "gtest/gtest.h"

namespace moe::test {

/// A fixture with the dialects that the test programs use.
class IRTest : public ::testing::Test {
protected:
  IRTest() {
    context.loadDialect<MoEDialect, mlir::func::FuncDialect,
                        mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::tensor::TensorDialect>();
  }

  /// Parses `source` as the module under test, which must succeed.
  void parse(llvm::StringRef source) {
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    ASSERT_TRUE(module) << source.str();
  }

  /// Returns the first op of type OpT in the module under test.
  template <typename OpT> OpT find() {
    OpT found;
    if (module)
      module->walk([&](OpT op) {
        found = op;
        return mlir::WalkResult::interrupt();
      });
    return found;
  }

  /// The ranked tensor type written as `text`.
  mlir::RankedTensorType type(llvm::StringRef text) {
    return llvm::cast<mlir::RankedTensorType>(mlir::parseType(text, &context));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace moe::test

#endif // MOE_UNITTESTS_IR_IRTEST_H
