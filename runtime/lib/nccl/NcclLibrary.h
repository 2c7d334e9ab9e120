// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL and cuBLAS, which are loaded at run time.

#ifndef MOERT_NCCL_NCCLLIBRARY_H
#define MOERT_NCCL_NCCLLIBRARY_H

#include "nccl/CudaDriver.h"
#include <string>
#include <vector>

// We declare the few required functions ourselves, as for the driver.

namespace moert::nccl {

using Result = int;
struct CommHandle;
using Comm = CommHandle *;

constexpr Result kSuccess = 0, kInProgress = 7;

struct UniqueId {
  char bytes[128];
};

/// The configuration of NCCL 2.17, which later versions recognize by its
/// version. Before 2.17, `blocking` was the last member.
struct Config {
  /// The value that leaves a choice to NCCL.
  static constexpr int kUndefined = INT32_MIN;
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21700;
  int blocking = 0;
  int cgaClusterSize = kUndefined, minCTAs = kUndefined, maxCTAs = kUndefined;
  const char *netName = nullptr;
};
constexpr int kLeastForBlocks = 21700, kLeastForRegistration = 21900;

/// NCCL's functions, named without "nccl".
struct Library {
  Result (*GetVersion)(int *version);
  const char *(*GetErrorString)(Result result);
  const char *(*GetLastError)(Comm comm);
  Result (*GetUniqueId)(UniqueId *id);
  Result (*CommInitRankConfig)(Comm *comm, int size, UniqueId id, int rank,
                               Config *config);
  /// Null before 2.18.
  Result (*CommSplit)(Comm comm, int color, int key, Comm *made,
                      Config *config);
  Result (*CommGetAsyncError)(Comm comm, Result *result);
  Result (*CommCount)(Comm comm, int *count);
  Result (*CommUserRank)(Comm comm, int *rank);
  Result (*CommAbort)(Comm comm);
  Result (*CommFinalize)(Comm comm);
  Result (*CommDestroy)(Comm comm);
  /// Null before 2.19, either all or none.
  Result (*CommRegister)(Comm comm, void *data, size_t bytes, void **handle);
  Result (*CommDeregister)(Comm comm, void *handle);
  Result (*MemAlloc)(void **data, size_t bytes);
  Result (*MemFree)(void *data);
  Result (*GroupStart)();
  Result (*GroupEnd)();
  Result (*Send)(const void *data, size_t count, int type, int peer, Comm comm,
                 cuda::Stream stream);
  Result (*Recv)(void *data, size_t count, int type, int peer, Comm comm,
                 cuda::Stream stream);
  Result (*AllGather)(const void *send, void *receive, size_t count, int type,
                      Comm comm, cuda::Stream stream);
  Result (*ReduceScatter)(const void *send, void *receive, size_t count,
                          int type, int reduction, Comm comm,
                          cuda::Stream stream);
  Result (*AllReduce)(const void *send, void *receive, size_t count, int type,
                      int reduction, Comm comm, cuda::Stream stream);
  /// Null before 2.28.
  Result (*AlltoAll)(const void *send, void *receive, size_t count, int type,
                     Comm comm, cuda::Stream stream);
  int version = 0;
  std::string path;
};

/// Loads NCCL once. Returns null and a reason if it is missing or too old.
const Library *loadNccl(std::string &reason);

/// Returns NCCL's number of an element type, or -1 for types that it does not
/// have (16-bit integers).
int getNcclType(moert_type type);
/// NCCL's type for bytes.
constexpr int kBytes = 0;

/// The functions of cuBLAS that experts need.
struct Blas {
  int (*Create)(void **handle);
  int (*Destroy)(void *handle);
  int (*SetStream)(void *handle, cuda::Stream stream);
  int (*SetMathMode)(void *handle, int mode);
  /// Null with cuBLAS of a CUDA before 11.5.
  int (*SetSmCountTarget)(void *handle, int sms);
  int (*GemmStridedBatchedEx)(void *handle, int transposeA, int transposeB,
                              int m, int n, int k, const void *alpha,
                              const void *a, int typeA, int lda,
                              long long strideA, const void *b, int typeB,
                              int ldb, long long strideB, const void *beta,
                              void *c, int typeC, int ldc, long long strideC,
                              int batches, int computeType, int algorithm);
  /// Null with cuBLAS of a CUDA before 12.5.
  int (*GemmGroupedBatchedEx)(void *handle, const int transposeA[],
                              const int transposeB[], const int m[],
                              const int n[], const int k[], const void *alpha,
                              const void *const a[], int typeA, const int lda[],
                              const void *const b[], int typeB, const int ldb[],
                              const void *beta, void *const c[], int typeC,
                              const int ldc[], int groups, const int sizes[],
                              int computeType);
};

/// Returns the file names of cuBLAS versions that work with a driver for this
/// CUDA version (for example 12040), the newest first: cuBLAS N requires a
/// driver for CUDA N or later.
std::vector<std::string> getBlasNames(int cudaVersion);

/// Loads cuBLAS once, for the loaded driver. Returns null, the searched names
/// and a reason if it is missing.
const Blas *loadBlas(std::string &reason);

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLLIBRARY_H
