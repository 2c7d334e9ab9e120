// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that ranks meet at collectives.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Dialect/MoE/RunInterfaces.h"
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
    // Programs without control flow and ragged plans do not need the
    // replication analysis.
    auto computed = ReplicationInfo::computeWhenAsked(getOperation());
    if (failed(computed))
      return signalPassFailure();
    const MeshAxes &axes = (*computed)->getAxes();
    ControlInfo control(**computed);
    bool failedAny = false;
    getOperation()->walk([&](Operation *op) {
      if (auto ragged = dyn_cast<RaggedAllToAllOp>(op))
        failedAny |= failed(checkRuns(ragged));
      if (auto plan = dyn_cast<RaggedPlanOp>(op))
        failedAny |= failed(checkPlan(plan, plan.getCounts(),
                                      {plan.getGroup(), plan.getJoinedAttr()},
                                      **computed));
      if (auto plan = dyn_cast<NodePlanOp>(op))
        failedAny |= failed(
            checkPlan(plan, plan.getCounts(),
                      {plan.getGroup(), plan.getInside(), plan.getJoinedAttr()},
                      **computed));
      if (auto plan = dyn_cast<RunsOpInterface>(op))
        failedAny |= failed(checkPlan(plan, op->getOperand(0),
                                      {plan.getCountsGroup()}, **computed));
      if (std::optional<uint64_t> meeting = control.getRendezvousAxes(op))
        if (auto found = control.findDivergence(op, *meeting)) {
          report(op, *found, axes);
          failedAny = true;
        }
    });
    if (failedAny)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static void report(Operation *op, const Divergence &found,
                     const MeshAxes &axes) {
    InFlightDiagnostic diag = op->emitError();
    diag << (isa<CollectiveOpInterface>(op)
                 ? "ranks of the group may not meet here"
                 : "ranks of the groups in the called function may not meet "
                   "there");
    Diagnostic &text = diag.attachNote(found.loc);
    if (!found.isKnown) {
      text << "expected the regions around it to be those of scf.if, scf.for, "
              "scf.while, scf.index_switch or of the moe dialect, got "
           << found.op;
      return;
    }
    text << found.op << " may go different ways on ranks ";
    SmallVector<StringRef> names = axes.getNames(found.axes);
    if (names.empty()) {
      text << "of one group";
      return;
    }
    text << "that differ in axis ";
    llvm::interleaveComma(names, text,
                          [&](StringRef name) { text << '"' << name << '"'; });
  }

  /// Checks that all ranks that plan together use the same counts.
  static LogicalResult checkPlan(Operation *op, Value counts,
                                 ArrayRef<GroupAttrInterface> groups,
                                 const ReplicationInfo &replication) {
    const MeshAxes &axes = replication.getAxes();
    uint64_t meeting = 0;
    for (GroupAttrInterface group : groups)
      if (group)
        meeting |= axes.getBits(group).value_or(0);
    uint64_t varying = replication.getVarying(counts) & meeting;
    if (varying == 0)
      return success();
    InFlightDiagnostic diag =
        op->emitOpError()
        << "expected counts that are the same on all ranks of its groups, got "
           "counts that may vary over axis ";
    llvm::interleaveComma(axes.getNames(varying), diag,
                          [&](StringRef name) { diag << '"' << name << '"'; });
    return diag;
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

  /// Checks that the buffer of an exchange can hold all rows that its plan
  /// allows one rank to receive. Otherwise only the rank with the most rows
  /// would fail, in the middle of the step.
  LogicalResult checkPlanned(RaggedAllToAllOp op) {
    Value sizes = getLiveOut(op.getRecvSizes());
    std::optional<int64_t> most;
    if (auto plan = sizes.getDefiningOp<RaggedPlanOp>();
        plan && sizes == plan.getRecvSizes())
      most = plan.getLimit();
    if (auto plan = sizes.getDefiningOp<NodePlanOp>()) {
      if (sizes == plan.getNodeRecvSizes())
        most = plan.getNodeLimit();
      if (sizes == plan.getRecvSizes())
        most = plan.getLimit();
    }
    auto type = cast<RankedTensorType>(op.getInit().getType());
    if (!most || type.isDynamicDim(0) || type.getDimSize(0) >= *most)
      return success();
    return op.emitOpError()
           << "expected room for the " << *most
           << " rows that its plan lets a rank receive, got " << type;
  }

  LogicalResult checkRuns(RaggedAllToAllOp op) {
    return failure(failed(checkPlanned(op)) ||
                   failed(checkRuns(op, op.getSendOffsets(), op.getSendSizes(),
                                    op.getOperand(), "sent to")) ||
                   failed(checkRuns(op, op.getRecvOffsets(), op.getRecvSizes(),
                                    op.getInit(), "received from")));
  }
};

} // namespace
