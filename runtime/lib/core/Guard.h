// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common handling of errors in calls of the C interface.

#ifndef MOERT_CORE_GUARD_H
#define MOERT_CORE_GUARD_H

#include "core/Backend.h"
#include "core/CallerState.h"
#include <exception>
#include <new>
#include <system_error>

namespace moert {

/// Stores the message of a failed call, after the rank and the name of the
/// call, for `moert_last_error` of this thread.
moert_status report(const moert_context *context, const char *call,
                    const Status &status);

/// Runs a body without letting an exception escape; the caller's device stays
/// current.
template <typename Body>
moert_status guard(const moert_context *context, const char *call, Body body) {
  CallerState caller;
  try {
    return report(context, call, body());
  } catch (const std::bad_alloc &) {
    return report(context, call, Status(MOERT_OUT_OF_MEMORY, "no memory"));
  } catch (const std::system_error &failure) {
    return report(context, call,
                  Status(MOERT_OUT_OF_MEMORY,
                         std::string("the system refused a thread or a "
                                     "lock: ") +
                             failure.what()));
  } catch (const std::exception &failure) {
    return report(context, call, Status(MOERT_BACKEND_ERROR, failure.what()));
  }
}

/// Converts a caller's deadline: microseconds, or the context's default.
Status makeDeadline(const moert_context &context, int64_t deadlineUs,
                    Deadline &deadline);

} // namespace moert

#endif // MOERT_CORE_GUARD_H
