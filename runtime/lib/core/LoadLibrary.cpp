// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that are loaded at run time.

#include "core/LoadLibrary.h"
#include <climits>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

using namespace moert;

void *moert::loadLibrary(const std::vector<std::string> &names,
                         std::string &path, std::string &reason) {
  reason.clear();
  auto take = [&](const std::string &name, void *library) {
    path = name;
    link_map *map = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && *map->l_name)
      path = map->l_name;
    return library;
  };
  // Prefer a library that the process has already loaded, for example by
  // PyTorch, because two versions would have separate states.
  for (const std::string &name : names)
    if (void *library =
            dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD))
      return take(name, library);
  for (const std::string &name : names) {
    // Skip a missing path silently; the loader searches for bare names.
    if (name.find('/') != std::string::npos && access(name.c_str(), R_OK) != 0)
      continue;
    if (void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL))
      return take(name, library);
    const char *said = dlerror();
    reason += (reason.empty() ? "" : "; ") +
              std::string(said ? said : "the loader gave no reason");
  }
  return nullptr;
}

void *moert::loadOwnLibrary(const char *name, std::string &path,
                            std::string &reason) {
  std::vector<std::string> names;
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&loadOwnLibrary), &info) &&
      info.dli_fname) {
    std::string file = info.dli_fname;
    // A program that was found through PATH has only a bare name here.
    if (file.find('/') == std::string::npos) {
      char path[PATH_MAX];
      ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
      if (length > 0)
        file.assign(path, static_cast<size_t>(length));
    }
    size_t slash = file.rfind('/');
    std::string folder =
        slash == std::string::npos ? "." : file.substr(0, slash);
    names = {folder + "/" + name, folder + "/../lib/" + name};
  }
  names.push_back(name);
  return loadLibrary(names, path, reason);
}

void *moert::findSymbol(void *library, const char *name) {
  return dlsym(library, name);
}
