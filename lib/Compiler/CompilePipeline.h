// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline moe-compile: options as text.

#ifndef MOE_LIB_COMPILER_COMPILEPIPELINE_H
#define MOE_LIB_COMPILER_COMPILEPIPELINE_H

namespace moe {

/// Registers `--moe-compile="from=P to=P platform=F strategy=S degree=N
/// schedule=S"`.
void registerCompilePipeline();

} // namespace moe

#endif // MOE_LIB_COMPILER_COMPILEPIPELINE_H
