//===- VerifyCollectives.cpp - Check that ranks meet ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Analysis/Replication.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_VERIFYCOLLECTIVES
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct VerifyCollectives
    : public moe::impl::VerifyCollectivesBase<VerifyCollectives> {
  using VerifyCollectivesBase::VerifyCollectivesBase;

  void runOnOperation() override {
    auto computed = ReplicationInfo::compute(getOperation());
    if (failed(computed))
      return signalPassFailure();
    replication = computed->get();
    collectCalledCollectives();

    bool failedAny = false;
    getOperation()->walk([&](Operation *op) {
      if (auto ragged = dyn_cast<RaggedAllToAllOp>(op))
        failedAny |= failed(checkRuns(ragged));
      std::optional<uint64_t> axes = getRendezvousAxes(op);
      if (axes)
        failedAny |= failed(checkControl(op, *axes));
    });
    if (failedAny)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  /// The axes over which ranks must reach `op` together, nullopt when they
  /// need not: those of a collective's group, or of all collectives in a
  /// called function.
  std::optional<uint64_t> getRendezvousAxes(Operation *op) {
    const MeshAxes &axes = replication->getAxes();
    if (auto collective = dyn_cast<CollectiveOpInterface>(op))
      return axes.getBits(collective.getGroup()).value_or(axes.all());
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call)
      return std::nullopt;
    auto it = called.find(call.resolveCallable());
    return it == called.end() ? std::nullopt : std::optional(it->second);
  }

  /// Finds, for every function, the axes of the collectives it runs, directly
  /// or through calls.
  void collectCalledCollectives() {
    for (bool changed = true; changed;) {
      changed = false;
      getOperation()->walk([&](FunctionOpInterface function) {
        std::optional<uint64_t> total;
        function->walk([&](Operation *op) {
          if (auto axes = getRendezvousAxes(op))
            total = total.value_or(0) | *axes;
        });
        if (!total)
          return;
        auto [it, inserted] = called.try_emplace(function, *total);
        if (inserted || (it->second | *total) != it->second) {
          it->second |= *total;
          changed = true;
        }
      });
    }
  }

  /// The axes the values that steer `op` vary over.
  uint64_t getControlAxes(Operation *op) {
    uint64_t bits = 0;
    for (Value value : getControlOperands(op))
      bits |= replication->getVarying(value);
    return bits;
  }

  static std::string describe(Operation *op) {
    if (isa<CollectiveOpInterface>(op))
      return "ranks of the group may not meet here";
    return "ranks of the groups in the called function may not meet there";
  }

  LogicalResult checkControl(Operation *op, uint64_t axes) {
    for (Operation *parent = op->getParentOp();
         parent && parent != getOperation(); parent = parent->getParentOp()) {
      if (isa<FunctionOpInterface>(parent))
        return checkBranches(op, cast<FunctionOpInterface>(parent), axes);
      if (isa<ModuleOp>(parent))
        return success();
      if (!isKnownControlFlow(parent)) {
        InFlightDiagnostic diag = op->emitError() << describe(op);
        diag.attachNote(parent->getLoc())
            << "expected the regions around it to be those of scf.if, scf.for, "
               "scf.while, scf.index_switch or of the moe dialect, got "
            << parent->getName();
        return diag;
      }
      if (uint64_t shared = getControlAxes(parent) & axes) {
        InFlightDiagnostic diag = op->emitError() << describe(op);
        note(diag, parent, shared);
        return diag;
      }
    }
    return success();
  }

  /// Unstructured branches: none that some ranks take and others do not.
  LogicalResult checkBranches(Operation *op, FunctionOpInterface function,
                              uint64_t axes) {
    for (Block &block : function.getFunctionBody()) {
      if (block.getNumSuccessors() < 2)
        continue;
      Operation *branch = block.getTerminator();
      // What decides on the way, not what is handed along it.
      llvm::SmallDenseSet<unsigned> handed;
      if (auto op = dyn_cast<BranchOpInterface>(branch))
        for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
          OperandRange range =
              op.getSuccessorOperands(i).getForwardedOperands();
          for (unsigned j = 0; j < range.size(); ++j)
            handed.insert(range.getBeginOperandIndex() + j);
        }
      uint64_t bits = 0;
      for (OpOperand &operand : branch->getOpOperands())
        if (!handed.contains(operand.getOperandNumber()))
          bits |= replication->getVarying(operand.get());
      if (bits & axes) {
        InFlightDiagnostic diag = op->emitError() << describe(op);
        note(diag, branch, bits & axes);
        return diag;
      }
    }
    return success();
  }

  void note(InFlightDiagnostic &diag, Operation *branch, uint64_t bits) {
    SmallVector<StringRef> names = replication->getAxes().getNames(bits);
    Diagnostic &text = diag.attachNote(branch->getLoc());
    text << branch->getName() << " may go different ways on ranks ";
    if (names.empty()) {
      text << "of one group";
      return;
    }
    text << "that differ in axis ";
    llvm::interleaveComma(names, text,
                          [&](StringRef name) { text << '"' << name << '"'; });
  }

  /// Checks constant offsets and sizes of one direction against the rows of
  /// `buffer`.
  LogicalResult checkRuns(RaggedAllToAllOp op, Value offsets, Value sizes,
                          Value buffer, StringRef direction) {
    DenseIntElementsAttr starts, counts;
    auto type = cast<RankedTensorType>(buffer.getType());
    if (!matchPattern(offsets, m_Constant(&starts)) ||
        !matchPattern(sizes, m_Constant(&counts)) || type.isDynamicDim(0))
      return success();
    APInt rows(128, type.getDimSize(0));
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(
             starts.getValues<APInt>(), counts.getValues<APInt>()))) {
      APInt start = std::get<0>(pair).sext(128);
      APInt count = std::get<1>(pair).sext(128);
      if (start.isNegative() || count.isNegative() || (start + count).sgt(rows))
        return op.emitOpError()
               << "expected the rows " << direction << " peer " << i
               << " to lie in [0, " << type.getDimSize(0) << "), got "
               << std::get<1>(pair).getSExtValue() << " rows from row "
               << std::get<0>(pair).getSExtValue();
    }
    return success();
  }

  LogicalResult checkRuns(RaggedAllToAllOp op) {
    return failure(failed(checkRuns(op, op.getSendOffsets(), op.getSendSizes(),
                                    op.getOperand(), "sent to")) ||
                   failed(checkRuns(op, op.getRecvOffsets(), op.getRecvSizes(),
                                    op.getInit(), "received from")));
  }

  ReplicationInfo *replication = nullptr;
  llvm::DenseMap<Operation *, uint64_t> called;
};

} // namespace
