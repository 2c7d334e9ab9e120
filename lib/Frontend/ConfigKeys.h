// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of configs that must be read.
//
// An import does not need most keys of a config. But if it ignores a key about
// routing or about the sizes of experts, it silently imports another model. The
// names of keys decide which keys these are, except for a short table of
// harmless names.

#ifndef MOE_LIB_FRONTEND_CONFIGKEYS_H
#define MOE_LIB_FRONTEND_CONFIGKEYS_H

#include "moe/Support/Json.h"
#include "llvm/ADT/StringRef.h"

namespace moe {

/// True when the name of a key is about routing, about the geometry of experts
/// and feed-forward networks, or about the widths of heads. `path` is the key
/// with the objects it lies in, `a.b`.
bool looksLikeRouting(llvm::StringRef path);

/// True when an object of that name may hold such keys: not one about vision,
/// quantization and the like.
bool mayHoldRouting(llvm::StringRef key);

/// Why a key that looks so does not matter with this value, "a training loss";
/// empty when it does matter.
llvm::StringRef whyHarmless(llvm::StringRef path,
                            const support::JsonValue &value);

} // namespace moe

#endif // MOE_LIB_FRONTEND_CONFIGKEYS_H
