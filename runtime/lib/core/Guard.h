// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every call does around its work.

#ifndef MOERT_CORE_GUARD_H
#define MOERT_CORE_GUARD_H

#include "core/Backend.h"
#include "core/CallerState.h"
#include <exception>
#include <new>
#include <system_error>

namespace moert {

/// Keeps a failed call's words for `moert_last_error` of this thread, with
/// the rank and the name of the call before them.
moert_status report(const moert_context *context, const char *call,
                    const Status &status);

/// Runs the body of a call; nothing that is thrown gets out, and the caller's
/// device stays current.
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

/// The deadline a caller gave: microseconds, or the context's.
Status makeDeadline(const moert_context &context, int64_t deadlineUs,
                    Deadline &deadline);

} // namespace moert

#endif // MOERT_CORE_GUARD_H
