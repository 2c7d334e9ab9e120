// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries loaded at run time.

#ifndef MOERT_CORE_LOADLIBRARY_H
#define MOERT_CORE_LOADLIBRARY_H

#include <string>
#include <vector>

namespace moert {

/// Loads the first of `names` that can be loaded and keeps it for good. Null,
/// with what the loader said of each, when there is none.
void *loadLibrary(const std::vector<std::string> &names, std::string &path,
                  std::string &reason);

/// Loads a library of this project: from beside this one, from ../lib beside
/// it, or from where the loader looks.
void *loadOwnLibrary(const char *name, std::string &path, std::string &reason);

/// Null when the library has no such symbol.
void *findSymbol(void *library, const char *name);

} // namespace moert

#endif // MOERT_CORE_LOADLIBRARY_H
