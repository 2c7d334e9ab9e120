// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of configs that must be read.
//
// An import does not need most keys of a config. But if it ignores a key about
// routing or about the sizes of experts, it silently imports another model. The
// names of keys decide which keys these are, except a short table of harmless
// names.

#ifndef MOE_LIB_FRONTEND_CONFIGKEYS_H
#define MOE_LIB_FRONTEND_CONFIGKEYS_H

#include "moe/Support/Json.h"
#include "llvm/ADT/StringRef.h"

namespace moe {

/// Returns true if the name of a key is about routing, about the geometry of
/// experts and feed-forward networks, or about the widths of heads. `path` is
/// the key with its enclosing objects, `a.b`.
bool looksLikeRouting(llvm::StringRef path);

/// Returns true if an object of that name may have such keys, unlike objects
/// about vision, quantization and so on.
bool mayHoldRouting(llvm::StringRef key);

/// Returns why such a key is harmless with this value, for example "a training
/// loss"; empty if it matters.
llvm::StringRef whyHarmless(llvm::StringRef path,
                            const support::JsonValue &value);

} // namespace moe

#endif // MOE_LIB_FRONTEND_CONFIGKEYS_H
