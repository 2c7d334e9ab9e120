// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between processes.

#ifndef MOERT_MPI_MESSAGES_H
#define MOERT_MPI_MESSAGES_H

#include <cstddef>
#include <cstdint>

namespace moert {

/// Sends bytes between the ranks of a job, as MPI does. Messages of one tag
/// between two ranks keep their order. Requests are opaque, null for a failure.
/// Thread safe.
class Messages {
public:
  virtual ~Messages() = default;

  /// Sends without waiting; the data stay in place until the request is done or
  /// cancelled.
  virtual void *send(const void *data, size_t bytes, int peer, int tag) = 0;
  /// Receives without waiting; `peer` -1 is any.
  virtual void *receive(void *data, size_t bytes, int peer, int tag) = 0;
  /// 1 done, 0 not yet, -1 failed. After 1 and -1 the request is gone.
  virtual int test(void *request) = 0;
  /// Gives a request up.
  virtual void cancel(void *request) = 0;
  /// The job failed: the end of the process must not wait for others long.
  virtual void setFailed() {}
  /// For errors: "MPI", "the connection".
  virtual const char *getName() const = 0;
};

} // namespace moert

#endif // MOERT_MPI_MESSAGES_H
