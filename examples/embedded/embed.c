/*===- embed.c - A job in C that calls a compiled program -----------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * C11 and nothing else: the job's own stream, communicator and memory on a
 * device, here on the stand-ins, whose counts of calls it prints. Ranks are
 * threads here, and processes in a job of yours; README.md has the commands.
 *
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "device.h"
#include "step.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRanks = moe_step_NUM_RANKS, kElements = 12, kSteps = 20 };
static const size_t kBytes = kElements * sizeof(float);
static pthread_barrier_t barrier;
static ncclUniqueId identity;
static const char *address = "127.0.0.1:29500";

static void require(int status, const char *what, moert_context *context) {
  if (status == 0)
    return;
  fprintf(stderr, "%s: error %d: %s\n", what, status,
          moert_last_error(context));
  exit(1);
}

static void *allocate(size_t bytes) {
  CUdeviceptr pointer = 0;
  require(cuMemAlloc_v2(&pointer, bytes), "cuMemAlloc", NULL);
  return (void *)(uintptr_t)pointer;
}

static void release(void *pointer) {
  require(cuMemFree_v2((CUdeviceptr)(uintptr_t)pointer), "cuMemFree", NULL);
}

static const char *const kCalls[] = {"cuMemAlloc", "cuMemAllocAsync",
                                     "cuStreamSynchronize", "cuStreamQuery",
                                     "ncclCommInitRankConfig"};
enum { kNumCalls = sizeof(kCalls) / sizeof(kCalls[0]) };

/* As the stand-ins count them; zeros on a device. */
static void count(uint64_t counts[kNumCalls]) {
  uint64_t (*getCount)(const char *) = NULL;
  *(void **)&getCount = dlsym(RTLD_DEFAULT, "moert_stand_in_count");
  for (int i = 0; i < kNumCalls; ++i)
    counts[i] = getCount ? getCount(kCalls[i]) : 0;
}

static void *runRank(void *argument) {
  int32_t rank = (int32_t)(intptr_t)argument, all[kRanks];
  CUdevice device = 0;
  CUcontext context = NULL;
  CUstream stream = NULL;
  ncclComm_t comm = NULL;
  require(cuInit(0), "cuInit", NULL);
  require(cuDeviceGet(&device, rank), "cuDeviceGet", NULL);
  require(cuDevicePrimaryCtxRetain(&context, device), "context", NULL);
  require(cuCtxSetCurrent(context), "cuCtxSetCurrent", NULL);
  require(cuStreamCreate(&stream, 0), "cuStreamCreate", NULL);
  if (rank == 0)
    require(ncclGetUniqueId(&identity), "ncclGetUniqueId", NULL);
  pthread_barrier_wait(&barrier);
  require(ncclCommInitRank(&comm, kRanks, identity, rank), "ncclComm", NULL);

  moert_config config;
  moert_config_default(&config);
  config.backend = "nccl";
  config.rank = rank;
  config.world_size = kRanks;
  config.address = address;
  config.device = rank;
  moert_context *job = NULL;
  moert_stream *adopted = NULL;
  require(moert_init(&config, &job), "moert_init", NULL);
  for (int32_t i = 0; i < kRanks; ++i)
    all[i] = i;
  require(moert_stream_adopt(job, "job", stream, &adopted), "stream", job);
  require(moert_comm_adopt(job, all, kRanks, comm), "comm", job);

  void *x = allocate(kBytes), *sum = allocate(kBytes);
  void *workspace = allocate((size_t)moe_step_workspace_bytes() + 1);
  void *inputs[] = {x}, *results[] = {sum};
  float numbers[12], got[12];
  for (int i = 0; i < kElements; ++i)
    numbers[i] = (float)(100 * rank + i);
  require(moert_copy(adopted, x, numbers, kBytes), "copy", job);
  uint64_t before[kNumCalls], after[kNumCalls];
  for (int step = 0; step <= kSteps; ++step) {
    /* The first step makes what all later ones use. */
    if (step == 1) {
      require(cuStreamSynchronize(stream), "cuStreamSynchronize", NULL);
      pthread_barrier_wait(&barrier);
      count(before);
      pthread_barrier_wait(&barrier);
    }
    require(moe_step_enqueue(job, adopted, inputs, results, workspace), "step",
            job);
  }
  pthread_barrier_wait(&barrier);
  count(after);
  pthread_barrier_wait(&barrier);
  require(moert_copy(adopted, got, sum, kBytes), "copy", job);
  require(cuStreamSynchronize(stream), "cuStreamSynchronize", NULL);
  for (int i = 0; i < kElements; ++i) {
    int j = i / 6, a = i / 3 % 2, b = i % 3;
    float expected = (float)(2 * (100 * j + 6 * a + b) + 3);
    if (got[i] != expected) {
      fprintf(stderr, "rank %d: expected %g at %d, got %g\n", (int)rank,
              (double)expected, i, (double)got[i]);
      exit(1);
    }
  }
  if (rank == 0) {
    printf("%d steps", kSteps);
    for (int i = 0; i < kNumCalls; ++i)
      printf(", %s %llu", kCalls[i],
             (unsigned long long)(after[i] - before[i]));
    printf(" of them\n");
  }

  /* The runtime goes first: it does not end what is the job's. */
  require(moert_finalize(job, MOERT_DEADLINE_DEFAULT), "finalize", NULL);
  release(x);
  release(sum);
  release(workspace);
  require(ncclCommDestroy(comm), "ncclCommDestroy", NULL);
  require(cuStreamDestroy_v2(stream), "cuStreamDestroy", NULL);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t ranks[kRanks];
  if (argc > 1)
    address = argv[1];
  pthread_barrier_init(&barrier, NULL, kRanks);
  for (int rank = 0; rank < kRanks; ++rank)
    pthread_create(&ranks[rank], NULL, runRank, (void *)(intptr_t)rank);
  for (int rank = 0; rank < kRanks; ++rank)
    pthread_join(ranks[rank], NULL);
  return 0;
}
