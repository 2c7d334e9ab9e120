// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU emulation of CUDA and NCCL (stand-ins).

#include "moe/Execution/StandIns.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
#include <link.h>

using namespace llvm;
using namespace moe;
using cost::Failure;
using cost::Result;

namespace {
/// A library and a function in it. The function distinguishes the stand-in from
/// the real library where that is possible.
struct StandIn {
  const char *name, *function;
};
} // namespace

/// In this order, because the others need the first.
static constexpr StandIn libraries[] = {
    {"libcuda.so.1", "moert_stand_in_count"},
    {"libnccl.so.2", "ncclGetVersion"},
    {"libcublas.so.12", "cublasCreate_v2"},
    {"libcublas.so.13", "cublasCreate_v2"}};

Result<std::string> moe::findStandIns() {
  std::string program = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findStandIns));
  std::string reasons;
  for (const char *place : {"lib/stand-ins", "lib/moe-mlir/stand-ins"}) {
    SmallString<256> folder =
        sys::path::parent_path(sys::path::parent_path(program));
    sys::path::append(folder, place);
    std::string missing;
    for (const StandIn &library : libraries) {
      SmallString<256> file = folder;
      sys::path::append(file, library.name);
      if (missing.empty() && !sys::fs::exists(file))
        missing = library.name;
    }
    if (missing.empty())
      return std::string(folder);
    reasons +=
        (reasons.empty() ? "" : ", ") + missing + " in " + folder.str().str();
  }
  return Failure{"expected the stand-ins for the CUDA driver, NCCL and cuBLAS "
                 "beside this program, found no " +
                 reasons};
}

static std::string getPath(void *library) {
  link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && *map->l_name)
    return map->l_name;
  return "an unknown file";
}

Result<std::string> moe::loadStandIns() {
  Result<std::string> folder = findStandIns();
  if (!folder)
    return folder;
  for (const StandIn &library : libraries) {
    std::string file = *folder + "/" + library.name;
    // The loader keeps one library per name. If a library of this name is
    // loaded already, the runtime would find it instead of the stand-in.
    void *there = dlopen(library.name, RTLD_NOW | RTLD_NOLOAD);
    void *loaded = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!loaded) {
      const char *said = dlerror();
      return Failure{"cannot load the stand-in " + file + ": " +
                     (said ? said : "the loader gave no reason")};
    }
    if (there && there != loaded)
      return Failure{"expected to load " + std::string(library.name) +
                     " from " + *folder + ", got it loaded already from " +
                     getPath(there)};
    if (!dlsym(loaded, library.function) ||
        dlopen(library.name, RTLD_NOW | RTLD_NOLOAD) != loaded)
      return Failure{"expected a stand-in of the name " +
                     std::string(library.name) + " with " + library.function +
                     " in " + file + ", got another library"};
  }
  return folder;
}
