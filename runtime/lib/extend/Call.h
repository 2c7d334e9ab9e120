// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the libraries that extend libmoert.

#ifndef MOERT_EXTEND_CALL_H
#define MOERT_EXTEND_CALL_H

#include "core/Status.h"
#include "moert_extend.h"
#include <exception>
#include <new>
#include <system_error>

namespace moert {

/// Runs a body of a library that extends libmoert, without letting an exception
/// escape; `moert_last_error` then describes the error.
template <typename Body>
moert_status answer(const moert_context *context, const char *call, Body body) {
  auto tell = [&](moert_status status, const char *words) {
    return moert_report(context, call, status, words);
  };
  try {
    Status status = body();
    return tell(status.getCode(), status.getMessage().c_str());
  } catch (const std::bad_alloc &) {
    return tell(MOERT_OUT_OF_MEMORY, "no memory");
  } catch (const std::system_error &) {
    return tell(MOERT_OUT_OF_MEMORY, "the system refused a thread or a lock");
  } catch (const std::exception &failure) {
    return tell(MOERT_BACKEND_ERROR, failure.what());
  }
}

/// Returns INVALID_ARGUMENT if a number is not in [least, most].
inline Status expectIn(const char *what, int64_t number, int64_t least,
                       int64_t most) {
  if (number >= least && number <= most)
    return {};
  return error(MOERT_INVALID_ARGUMENT, "expected %s in [%lld, %lld], got %lld",
               what, static_cast<long long>(least),
               static_cast<long long>(most), static_cast<long long>(number));
}

} // namespace moert

#endif // MOERT_EXTEND_CALL_H
