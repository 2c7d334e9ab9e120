//===- Register.h - Translations of the frontend ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FRONTEND_REGISTER_H
#define MOE_FRONTEND_REGISTER_H

namespace moe {

/// Registers the translation `--import-hf-config` and its command-line
/// options. To be called once, before the command line is parsed.
void registerImportHFConfig();

} // namespace moe

#endif // MOE_FRONTEND_REGISTER_H
