// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that may run in chunks.

#include "Models.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

namespace {

/// Collectives and data movement.
template <typename OpT>
struct CommunicationModel
    : public ChainOpInterface::ExternalModel<CommunicationModel<OpT>, OpT> {
  ChainScope getChainScope(Operation *) const {
    return ChainScope::Communication;
  }
};

struct HookModel : public ChainOpInterface::ExternalModel<HookModel, HookOp> {};

struct ExpertsChainModel
    : public ChainOpInterface::ExternalModel<ExpertsChainModel, ExpertsOp> {
  bool appliesExperts(Operation *) const { return true; }
};

struct ExpertsDgradModel
    : public ChainOpInterface::ExternalModel<ExpertsDgradModel,
                                             ExpertsDgradOp> {
  bool appliesExperts(Operation *) const { return true; }
  unsigned getChainedOperand(Operation *op) const {
    return cast<ExpertsDgradOp>(op).getCotangentMutable().getOperandNumber();
  }
};

template <typename... OpTs> void attachCommunication(MLIRContext &context) {
  (OpTs::template attachInterface<CommunicationModel<OpTs>>(context), ...);
}

} // namespace

void moe::attachChains(MLIRContext &context) {
  attachCommunication<AllToAllOp, RaggedAllToAllOp, AllGatherOp,
                      ReduceScatterOp, AllReduceOp, CollectivePermuteOp, DropOp,
                      TransposeOp>(context);
  HookOp::attachInterface<HookModel>(context);
  ExpertsOp::attachInterface<ExpertsChainModel>(context);
  ExpertsDgradOp::attachInterface<ExpertsDgradModel>(context);
}
