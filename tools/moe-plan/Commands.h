// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands of moe-plan.

#ifndef MOE_TOOLS_MOE_PLAN_COMMANDS_H
#define MOE_TOOLS_MOE_PLAN_COMMANDS_H

#include "Command.h"
#include <memory>

namespace moe::plan {

/// `all-to-all`: the best way to do one all-to-all of a tensor-parallel MoE
/// layer (SPEC MO-1 to MO-7).
std::unique_ptr<Command> createAllToAllCommand();

/// `circuits`: which servers circuits should join (SPEC MF-1 to MF-5).
std::unique_ptr<Command> createCircuitsCommand();

/// `conflicts`: which exchanges of a training step meet on which links (SPEC
/// MO-12).
std::unique_ptr<Command> createConflictsCommand();

/// `degree`: into how many chunks to cut the tokens of an MoE layer
/// (SPEC FS-1 to FS-6).
std::unique_ptr<Command> createDegreeCommand();

/// `cost`: what the network of a cluster costs (SPEC MF-13, MF-16).
std::unique_ptr<Command> createCostCommand();

/// `fabric`: what exchanges take on the fabric of a cluster (SPEC MF-12, MF-16,
/// MF-22).
std::unique_ptr<Command> createFabricCommand();

/// `flags`: what flags of training frameworks are here.
std::unique_ptr<Command> createFlagsCommand();

/// `job`: training steps of whole clusters (SPEC MF-15 to MF-19).
std::unique_ptr<Command> createJobCommand();

/// `predict`: loads of experts from those of the layer before (SPEC MF-11).
std::unique_ptr<Command> createPredictCommand();

/// `expand`: how context-parallel ranks lie beside expert-parallel ones (SPEC
/// MO-13).
std::unique_ptr<Command> createExpandCommand();

/// `gradients`: which parts of gradients to send beside which parts of the
/// backward pass (SPEC FS-7, FS-8).
std::unique_ptr<Command> createGradientsCommand();

/// `dispatch`: what each device should send to each (SPEC TA-1 to TA-5).
std::unique_ptr<Command> createDispatchCommand();

/// `memory`: what training holds on each rank (SPEC MO-11).
std::unique_ptr<Command> createMemoryCommand();

/// `step`: what a training step takes as a job runs it.
std::unique_ptr<Command> createStepCommand();

/// `gemm`, `collective` and `dispatch-kernel`: what one of them takes.
std::unique_ptr<Command> createGemmCommand();
std::unique_ptr<Command> createCollectiveCommand();
std::unique_ptr<Command> createDispatchKernelCommand();

/// `sweep`: all layouts of a job that fit, ranked.
std::unique_ptr<Command> createSweepCommand();

/// `traffic`: draws traces of traffic, or says how skewed one is.
std::unique_ptr<Command> createTrafficCommand();

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_COMMANDS_H
