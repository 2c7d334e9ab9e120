// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MPI functions that the backend 'mpi' requires.

#ifndef MOERT_MPI_MPITRANSPORT_H
#define MOERT_MPI_MPITRANSPORT_H

#include <cstddef>
#include <cstdint>

// MPI has no binary interface that all libraries share. Therefore the few MPI
// calls are in a separate library, libmoert_mpi, which is built if MPI was
// found and loaded when the backend is requested. The rest of the backend is in
// libmoert and uses only this table.

extern "C" {

typedef struct moert_mpi_transport {
  /** Version of this table; other versions are refused. */
  int version;
  /** Writes the name and version of the MPI library; works before `start`. */
  void (*describe)(char *text, size_t size);
  /** Starts MPI with threads, once per process, and ends it with the process.
   * Returns 0, or 1 with the reason in `text`. MPI waits for all processes of
   * the job without a time limit. If this takes longer than the deadline,
   * prints an error on stderr as rank `wantedRank` of `wantedSize`, and ends
   * the process with exit code 2. */
  int (*start)(int wantedRank, int wantedSize, int64_t deadlineUs, int *rank,
               int *size, char *text, size_t textSize);
  /** Sends without waiting. Requests are opaque; null means a failure. Messages
   * with one tag between two ranks keep their order. */
  void *(*send)(const void *data, size_t bytes, int peer, int tag);
  /** Receives without waiting; `peer` -1 means any rank. */
  void *(*receive)(void *data, size_t bytes, int peer, int tag);
  /** Returns 1 if done, 0 if not yet, and -1 if failed. 1 and -1 free the
   * request. */
  int (*test)(void *request);
  /** Cancels and frees a request. */
  void (*cancel)(void *request);
  /** Reports that the job failed, so that the end of the process does not wait
   * long for other ranks. */
  void (*setFailed)(void);
} moert_mpi_transport;

#define MOERT_MPI_TRANSPORT_VERSION 2

} // extern "C"

#endif // MOERT_MPI_MPITRANSPORT_H
