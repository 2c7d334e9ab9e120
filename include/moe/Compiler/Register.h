//===- Register.h - The compiler's passes and needs -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_REGISTER_H
#define MOE_COMPILER_REGISTER_H

namespace moe {

/// Registers the passes of this project and `--moe-compile="from=P to=P
/// platform=F strategy=S degree=N schedule=S"`.
void registerCompilerPasses();

} // namespace moe

#endif // MOE_COMPILER_REGISTER_H
