// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the axes that values vary over.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Analysis/Replication.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_PRINTREPLICATION
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {
struct PrintReplication
    : public moe::impl::PrintReplicationBase<PrintReplication> {
  using PrintReplicationBase::PrintReplicationBase;

  void runOnOperation() override {
    auto computed = ReplicationInfo::compute(getOperation());
    if (failed(computed))
      return signalPassFailure();
    ReplicationInfo &info = **computed;
    auto describe = [&](ValueRange values) {
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleave(
          values,
          [&](Value value) {
            os << "[";
            uint64_t bits = info.getVarying(value);
            SmallVector<StringRef> names = info.getAxes().getNames(bits);
            llvm::interleaveComma(
                names, os, [&](StringRef name) { os << '"' << name << '"'; });
            if (names.empty() && bits != 0)
              os << "ranks";
            os << "]";
          },
          [&] { os << ", "; });
      return text;
    };
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument arg : block.getArguments())
            emitRemark(arg.getLoc()) << "argument " << arg.getArgNumber()
                                     << " varies over " << describe(arg);
      if (op->getNumResults() != 0)
        op->emitRemark() << "varies over " << describe(op->getResults());
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
