// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that are loaded at run time.

#ifndef MOERT_CORE_LOADLIBRARY_H
#define MOERT_CORE_LOADLIBRARY_H

#include <string>
#include <vector>

namespace moert {

/// Loads the first loadable library of `names`, which is never unloaded. If
/// there is none, returns null and the loader's message for each.
void *loadLibrary(const std::vector<std::string> &names, std::string &path,
                  std::string &reason);

/// Loads a library of this project: from this library's directory, from ../lib
/// next to it, or from the loader's search path.
void *loadOwnLibrary(const char *name, std::string &path, std::string &reason);

/// Returns null if the library does not have the symbol.
void *findSymbol(void *library, const char *name);

} // namespace moert

#endif // MOERT_CORE_LOADLIBRARY_H
