// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass names that moe-choose-plan replaced.

#ifndef MOE_LIB_COMPILER_CHOOSE_FORMERPASSES_H
#define MOE_LIB_COMPILER_CHOOSE_FORMERPASSES_H

namespace moe {

/// Registers the former names as pipelines that print a warning.
void registerFormerPasses();

} // namespace moe

#endif // MOE_LIB_COMPILER_CHOOSE_FORMERPASSES_H
