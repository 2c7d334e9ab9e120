// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between processes.

#ifndef MOERT_MPI_MESSAGES_H
#define MOERT_MPI_MESSAGES_H

#include <cstddef>
#include <cstdint>

namespace moert {

/// Sends bytes between the ranks of a job, like MPI. Messages with one tag
/// between two ranks keep their order. Requests are opaque; null means a
/// failure. Thread-safe.
class Messages {
public:
  virtual ~Messages() = default;

  /// Sends without waiting. The data must stay in place until the request is
  /// done or cancelled.
  virtual void *send(const void *data, size_t bytes, int peer, int tag) = 0;
  /// Receives without waiting; `peer` -1 means any rank.
  virtual void *receive(void *data, size_t bytes, int peer, int tag) = 0;
  /// Returns 1 if done, 0 if not yet, and -1 if failed. 1 and -1 free the
  /// request.
  virtual int test(void *request) = 0;
  /// Cancels and frees a request.
  virtual void cancel(void *request) = 0;
  /// Reports that the job failed, so that the end of the process does not wait
  /// long for other ranks.
  virtual void setFailed() {}
  /// Returns a name for errors, for example "MPI" or "the connection".
  virtual const char *getName() const = 0;
};

} // namespace moert

#endif // MOERT_MPI_MESSAGES_H
