//===- RemarkText.h - Texts of remarks about layers -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remark about a layer begins with it, "layer 3: " or "layer 3 fwd: ". What a
// choice says are parts behind each other with "; " between them.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_REMARKTEXT_H
#define MOE_COMPILER_REMARKTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace moe {

/// The layer, with the phase where it is said, and the rest of a text; of a
/// text about no layer, no layer and all of it.
std::pair<llvm::StringRef, llvm::StringRef> splitLayer(llvm::StringRef text);

/// "0-3, 7" of 0, 1, 2, 3, 7, and "0-3 fwd" of phases; other names as they are.
std::string formatLayers(llvm::ArrayRef<std::string> layers);

/// The parts of a choice that people read at first: what was chosen, the next
/// best, the baseline, what would change it. Of what was weighed besides and
/// what could not be tried they say only that there is more.
std::vector<std::string> shortenChoice(llvm::StringRef text);

} // namespace moe

#endif // MOE_COMPILER_REMARKTEXT_H
