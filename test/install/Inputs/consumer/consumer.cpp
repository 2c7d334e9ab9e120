// A user's program: parses a module and prints what its collectives send.
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/Support/raw_ostream.h"

static constexpr llvm::StringLiteral text = R"(
  moe.mesh @mesh axes ["ep"] shape [4]
  %x = tensor.empty() : tensor<8x16xf32>
  %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<8x16xf32> -> tensor<8x16xf32>
)";

int main() {
  mlir::MLIRContext context;
  context.loadDialect<moe::MoEDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return 1;
  module->walk([](moe::CollectiveOpInterface op) {
    llvm::outs() << op->getName() << ": " << *op.getSendBytes() << " bytes\n";
  });
  return 0;
}
