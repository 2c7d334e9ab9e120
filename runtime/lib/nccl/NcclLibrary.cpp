// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL and cuBLAS, which are loaded at run time.

#include "nccl/NcclLibrary.h"
#include "core/LoadLibrary.h"
#include <algorithm>
#include <mutex>

using namespace moert;
using namespace moert::nccl;

namespace {
/// Finds functions, and records the first that is missing.
struct Finder {
  void *library;
  std::string missing;

  template <typename Function>
  void find(Function &function, const char *symbol, bool isNeeded = true) {
    function = reinterpret_cast<Function>(findSymbol(library, symbol));
    if (!function && isNeeded && missing.empty())
      missing = symbol;
  }
};
} // namespace

static const Library *openNccl(std::string &reason) {
  // Nonblocking communicators require NCCL 2.14.
  constexpr int kLeastVersion = 21400;
  static Library nccl;
  std::string said;
  void *library = loadLibrary({"libnccl.so.2",
                               "/usr/local/cuda/lib64/"
                               "libnccl.so.2",
                               "/usr/local/cuda/lib/libnccl.so.2"},
                              nccl.path, said);
  if (!library) {
    reason = "no NCCL: " + said;
    return nullptr;
  }
  Finder finder{library, ""};
  finder.find(nccl.GetVersion, "ncclGetVersion");
  if (!nccl.GetVersion || nccl.GetVersion(&nccl.version) != nccl::kSuccess ||
      nccl.version < kLeastVersion) {
    reason = format("expected NCCL 2.14 or later, got %d.%d.%d in %s",
                    nccl.version / 10000, nccl.version / 100 % 100,
                    nccl.version % 100, nccl.path.c_str());
    return nullptr;
  }
  finder.find(nccl.GetErrorString, "ncclGetErrorString");
  finder.find(nccl.GetLastError, "ncclGetLastError");
  finder.find(nccl.GetUniqueId, "ncclGetUniqueId");
  finder.find(nccl.CommInitRankConfig, "ncclCommInitRankConfig");
  constexpr int kLeastForSplit = 21800;
  if (nccl.version >= kLeastForSplit)
    finder.find(nccl.CommSplit, "ncclCommSplit");
  finder.find(nccl.CommGetAsyncError, "ncclCommGetAsyncError");
  finder.find(nccl.CommCount, "ncclCommCount");
  finder.find(nccl.CommUserRank, "ncclCommUserRank");
  finder.find(nccl.CommAbort, "ncclCommAbort");
  finder.find(nccl.CommFinalize, "ncclCommFinalize");
  finder.find(nccl.CommDestroy, "ncclCommDestroy");
  bool registers = nccl.version >= kLeastForRegistration;
  finder.find(nccl.CommRegister, "ncclCommRegister", registers);
  finder.find(nccl.CommDeregister, "ncclCommDeregister", registers);
  finder.find(nccl.MemAlloc, "ncclMemAlloc", registers);
  finder.find(nccl.MemFree, "ncclMemFree", registers);
  finder.find(nccl.GroupStart, "ncclGroupStart");
  finder.find(nccl.GroupEnd, "ncclGroupEnd");
  finder.find(nccl.Send, "ncclSend");
  finder.find(nccl.Recv, "ncclRecv");
  finder.find(nccl.AllGather, "ncclAllGather");
  finder.find(nccl.ReduceScatter, "ncclReduceScatter");
  finder.find(nccl.AllReduce, "ncclAllReduce");
  constexpr int kLeastForAlltoAll = 22800;
  if (nccl.version >= kLeastForAlltoAll)
    finder.find(nccl.AlltoAll, "ncclAlltoAll", /*isNeeded=*/false);
  if (!finder.missing.empty()) {
    reason = format("NCCL in %s has no function %s", nccl.path.c_str(),
                    finder.missing.c_str());
    return nullptr;
  }
  return &nccl;
}

const Library *nccl::loadNccl(std::string &reason) {
  static std::mutex mutex;
  static const Library *library = nullptr;
  static std::string why;
  static bool tried = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (!tried)
    library = openNccl(why);
  tried = true;
  reason = why;
  return library;
}

int nccl::getNcclType(moert_type type) {
  switch (type) {
  case MOERT_I8:
    return 0;
  case MOERT_I32:
    return 2;
  case MOERT_I64:
    return 4;
  case MOERT_F16:
    return 6;
  case MOERT_F32:
    return 7;
  case MOERT_F64:
    return 8;
  case MOERT_BF16:
    return 9;
  case MOERT_I16:
    return -1;
  }
  return -1;
}

std::vector<std::string> nccl::getBlasNames(int cudaVersion) {
  std::vector<std::string> names;
  for (int major = std::min(cudaVersion / 1000, 13); major >= 11; --major)
    names.push_back(format("libcublas.so.%d", major));
  return names;
}

static const Blas *findBlas(std::string &reason) {
  static Blas blas;
  const cuda::Driver *driver = cuda::loadDriver(reason);
  if (!driver)
    return nullptr;
  std::vector<std::string> names = getBlasNames(driver->version), places;
  std::string path, said, wanted;
  for (const std::string &name : names) {
    wanted += (wanted.empty() ? "" : " or ") + name;
    places.push_back(name);
    places.push_back("/usr/local/cuda/lib64/" + name);
  }
  void *library = loadLibrary(places, path, said);
  if (!library) {
    reason = format("no cuBLAS: expected %s, as the driver is for CUDA %d.%d: "
                    "%s",
                    wanted.c_str(), driver->version / 1000,
                    driver->version % 1000 / 10, said.c_str());
    return nullptr;
  }
  Finder finder{library, ""};
  finder.find(blas.Create, "cublasCreate_v2");
  finder.find(blas.Destroy, "cublasDestroy_v2");
  finder.find(blas.SetStream, "cublasSetStream_v2");
  finder.find(blas.SetMathMode, "cublasSetMathMode");
  finder.find(blas.GemmStridedBatchedEx, "cublasGemmStridedBatchedEx");
  if (finder.missing.empty()) {
    Finder newer{library, ""};
    newer.find(blas.GemmGroupedBatchedEx, "cublasGemmGroupedBatchedEx");
    newer.find(blas.SetSmCountTarget, "cublasSetSmCountTarget");
    return &blas;
  }
  reason = "cuBLAS in " + path + " has no function " + finder.missing;
  return nullptr;
}

const Blas *nccl::loadBlas(std::string &reason) {
  static std::mutex mutex;
  static const Blas *blas = nullptr;
  static bool tried = false;
  static std::string why;
  std::lock_guard<std::mutex> lock(mutex);
  if (!tried)
    blas = findBlas(why);
  tried = true;
  reason = why;
  return blas;
}
