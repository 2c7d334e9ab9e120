// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the backend 'mpi' needs of MPI.

#ifndef MOERT_MPI_MPITRANSPORT_H
#define MOERT_MPI_MPITRANSPORT_H

#include <cstddef>
#include <cstdint>

// MPI has no binary interface that all libraries share, so the few calls there
// are live in a library of their own, libmoert_mpi, which is built where MPI
// was found and loaded when the backend is asked for. Everything else of the
// backend is in libmoert and knows this table only.

extern "C" {

typedef struct moert_mpi_transport {
  /** Of this table; another one is refused. */
  int version;
  /** Name and version of the MPI library; works before `start`. */
  void (*describe)(char *text, size_t size);
  /** Starts MPI with threads, once in a process; ends it when the process
   * does. Returns 0 or 1 with the reason in `text`. MPI waits for all
   * processes of the job and cannot be left: when it does so for longer than
   * the deadline, says so on stderr, as rank `wantedRank` of `wantedSize`, and
   * ends the process with exit code 2. */
  int (*start)(int wantedRank, int wantedSize, int64_t deadlineUs, int *rank,
               int *size, char *text, size_t textSize);
  /** Sends without waiting. Requests are opaque, null for a failure. Messages
   * of one tag between two ranks keep their order. */
  void *(*send)(const void *data, size_t bytes, int peer, int tag);
  /** Receives without waiting; `peer` -1 is any. */
  void *(*receive)(void *data, size_t bytes, int peer, int tag);
  /** 1 done, 0 not yet, -1 failed. After 1 and -1 the request is gone. */
  int (*test)(void *request);
  /** Gives a request up. */
  void (*cancel)(void *request);
  /** The job failed: the end of the process must not wait for others long. */
  void (*setFailed)(void);
} moert_mpi_transport;

#define MOERT_MPI_TRANSPORT_VERSION 2

} // extern "C"

#endif // MOERT_MPI_MPITRANSPORT_H
