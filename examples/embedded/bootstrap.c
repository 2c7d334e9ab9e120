/*===- bootstrap.c - A job that brings its ranks together itself ----*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A job has a way for its ranks to tell each other bytes, and to say that all
 *is over: this one gives them to the runtime, which then needs no address.
 *Ranks are threads here, and an all-gather is memory that they share. Where
 *ranks are processes of MPI it is, with MPI_THREAD_SERIALIZED,
 *
 *   static int allGather(void *user, const void *mine, void *all, size_t n) {
 *     return MPI_Allgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, *(MPI_Comm
 *                          *)user) != MPI_SUCCESS;
 *   }
 *
 * and with torch.distributed all_gather on a process group of Gloo. README.md
 * has the commands.
 *
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "step.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRanks = moe_step_NUM_RANKS, kElements = 12 };
static const size_t kBytes = kElements * sizeof(float);

/*===----------------------------------------------------------------------===
 * What the job has
 *===----------------------------------------------------------------------===*/

static pthread_barrier_t barrier;
static const void *given[kRanks];
/* Set by whoever fails, and looked at by all. */
static atomic_int isOver;

static int allGather(void *user, const void *mine, void *all, size_t bytes) {
  int rank = *(const int *)user;
  given[rank] = mine;
  pthread_barrier_wait(&barrier);
  for (int from = 0; from < kRanks; ++from)
    memcpy((char *)all + (size_t)from * bytes, given[from], bytes);
  /* What was given stays until all have it. */
  pthread_barrier_wait(&barrier);
  return 0;
}

static int mustAbort(void *user) {
  (void)user;
  return atomic_load(&isOver);
}

static void aborted(void *user, const char *reason) {
  fprintf(stderr, "rank %d: over: %s\n", *(const int *)user, reason);
  atomic_store(&isOver, 1);
}

/*===----------------------------------------------------------------------===
 * A rank
 *===----------------------------------------------------------------------===*/

/* Whether rank 1 gives up instead of running the program. */
static int givesUp;

static void require(moert_status status, const char *what,
                    moert_context *context) {
  if (status == MOERT_OK)
    return;
  fprintf(stderr, "%s: %s: %s\n", what, moert_status_name(status),
          moert_last_error(context));
  exit(1);
}

static void *runRank(void *argument) {
  int rank = *(int *)argument;
  moert_config config;
  moert_config_default(&config);
  config.backend = "nccl";
  config.rank = rank;
  config.world_size = kRanks;
  config.device = rank;
  config.all_gather = allGather;
  config.must_abort = mustAbort;
  config.aborted = aborted;
  config.bootstrap_user = argument;
  moert_context *job = NULL;
  moert_stream *stream = NULL;
  moert_buffer *x = NULL, *sum = NULL;
  require(moert_init(&config, &job), "moert_init", NULL);
  require(moe_step_prepare(job), "prepare", job);
  require(moert_stream_create(job, "copies", 0, &stream), "stream", job);
  require(moert_buffer_create(job, kBytes, MOERT_MEMORY_DEVICE, &x), "x", job);
  require(moert_buffer_create(job, kBytes, MOERT_MEMORY_DEVICE, &sum), "sum",
          job);
  void *inputs[] = {moert_buffer_data(x)},
       *results[] = {moert_buffer_data(sum)};
  float numbers[kElements], got[kElements];
  for (int i = 0; i < kElements; ++i)
    numbers[i] = (float)(100 * rank + i);
  require(moert_copy(stream, inputs[0], numbers, kBytes), "copy", job);
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "x", job);

  if (givesUp) {
    /* The others wait in the program, and hear of it by the job's flag. */
    moert_status status = rank == 1 ? moert_abort(job, "rank 1 gives up")
                                    : moe_step(job, inputs, results);
    printf("rank %d: %s\n", rank, moert_status_name(status));
    moert_finalize(job, MOERT_DEADLINE_DEFAULT);
    return NULL;
  }
  require(moe_step(job, inputs, results), "step", job);
  require(moert_copy(stream, got, results[0], kBytes), "copy", job);
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "sum", job);
  for (int i = 0; i < kElements; ++i) {
    int j = i / 6, a = i / 3 % 2, b = i % 3;
    float expected = (float)(2 * (100 * j + 6 * a + b) + 3);
    if (got[i] != expected) {
      fprintf(stderr, "rank %d: expected %g at %d, got %g\n", rank,
              (double)expected, i, (double)got[i]);
      exit(1);
    }
  }
  require(moert_finalize(job, MOERT_DEADLINE_DEFAULT), "finalize", NULL);
  printf("rank %d: as expected\n", rank);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[kRanks];
  int ranks[kRanks];
  givesUp = argc > 1 && strcmp(argv[1], "give-up") == 0;
  pthread_barrier_init(&barrier, NULL, kRanks);
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks[rank] = rank;
    pthread_create(&threads[rank], NULL, runRank, &ranks[rank]);
  }
  for (int rank = 0; rank < kRanks; ++rank)
    pthread_join(threads[rank], NULL);
  return 0;
}
