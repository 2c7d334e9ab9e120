//===- SendPieces.h - All-reduces of pieces of gradients --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_COMPILER_GRADIENTS_SENDPIECES_H
#define MOE_LIB_COMPILER_GRADIENTS_SENDPIECES_H

#include "BackwardPass.h"

namespace moe {

/// Replaces the all-reduces of a backward pass by all-reduces of pieces, each
/// in the program where it is to be sent: beside a dense part in front of it,
/// beside an MoE part right in front of its experts, after the backward pass in
/// front of the return. Pieces of one group and element type that go to one
/// place travel in one all-reduce. Returns how many there are. `pieces` are in
/// units and in the order they are sent in, and pass `checkPartition`; if
/// `fuse` is not set, each is sent by itself.
int64_t sendPieces(BackwardPass &pass,
                   llvm::ArrayRef<schedule::GradientPiece> pieces, bool fuse);

} // namespace moe

#endif // MOE_LIB_COMPILER_GRADIENTS_SENDPIECES_H
