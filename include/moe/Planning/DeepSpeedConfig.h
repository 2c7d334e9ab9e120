// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads jobs from DeepSpeed configuration files.

#ifndef MOE_PLANNING_DEEPSPEEDCONFIG_H
#define MOE_PLANNING_DEEPSPEEDCONFIG_H

#include "moe/Planning/TrainingInput.h"

namespace moe::planning {

/// Sets job options from `--deepspeed-config` if it is given, and appends the
/// settings that affect time or memory but are not modelled to
/// `in.notModelled`. Fails if the file is not such a configuration, if an
/// option contradicts it, or if its batch sizes contradict DeepSpeed's rule:
/// train_batch_size = train_micro_batch_size_per_gpu x
/// gradient_accumulation_steps x data-parallel ranks.
std::optional<Failure> readDeepSpeedConfig(TrainingInput &in);

} // namespace moe::planning

#endif // MOE_PLANNING_DEEPSPEEDCONFIG_H
