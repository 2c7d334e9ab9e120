/*===- device.h - The few calls of CUDA and NCCL that are used ------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * As <cuda.h> and <nccl.h> declare them: a program of yours includes those. Here
 * the examples are compiled where neither is installed, and linked with the
 * stand-ins. Returned is 0, or an error.
 *
 *===----------------------------------------------------------------------===*/

#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct { char internal[128]; } ncclUniqueId;
typedef void *ncclComm_t, *CUcontext, *CUstream;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;

int cuInit(unsigned flags);
int cuDeviceGet(CUdevice *device, int ordinal);
int cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
int cuCtxSetCurrent(CUcontext context);
int cuCtxGetCurrent(CUcontext *context);
int cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes);
int cuMemFree_v2(CUdeviceptr pointer);
int cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream);
int cuStreamCreate(CUstream *stream, unsigned flags);
int cuStreamSynchronize(CUstream stream);
int cuStreamDestroy_v2(CUstream stream);
int ncclGetUniqueId(ncclUniqueId *id);
int ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
int ncclCommDestroy(ncclComm_t comm);

#ifdef __cplusplus
}
#endif

#endif /* DEVICE_H */
