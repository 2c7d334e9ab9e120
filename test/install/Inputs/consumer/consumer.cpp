// A user's program: parses a module, prints the bytes that its collectives
// send, and compiles it to runtime calls.
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Register.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/Support/raw_ostream.h"

static constexpr llvm::StringLiteral text = R"(
  moe.mesh @mesh axes ["ep"] shape [4]
  func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<8x16xf32> -> tensor<8x16xf32>
    %z = arith.addf %y, %y : tensor<8x16xf32>
    return %z : tensor<8x16xf32>
  }
)";

int main() {
  mlir::DialectRegistry registry;
  moe::registerProgramDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return 1;
  module->walk([](moe::CollectiveOpInterface op) {
    llvm::outs() << op->getName() << ": " << *op.getSendBytes() << " bytes\n";
  });
  moe::CompileOptions options;
  options.from = moe::CompilePhase::Schedule;
  if (mlir::failed(
          moe::compileTo(*module, moe::CompilePhase::LLVM, options)))
    return 1;
  llvm::outs() << "phase " << moe::getName(moe::findPhase(*module)) << "\n";
  return 0;
}
