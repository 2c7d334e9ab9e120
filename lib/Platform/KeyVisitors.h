// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visitors that the sections of a platform file share.

#ifndef MOE_LIB_PLATFORM_KEYVISITORS_H
#define MOE_LIB_PLATFORM_KEYVISITORS_H

#include "FieldIO.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Platform/Load.h"

namespace moe::platform {

/// Visits a number and the key of its origin.
template <typename IO, typename T>
void visitStated(IO &io, std::string_view key,
                        std::string_view originKey,
                        std::optional<cost::Stated<T>> &stated, support::Range range) {
  std::optional<T> value;
  std::string origin;
  if (stated)
    value = stated->value, origin = stated->origin;
  io.optional(key, value, range);
  io.origin(originKey, origin);
  io.only(originKey, key);
  if (value)
    stated = cost::Stated<T>{*value, origin};
}

/// Visits a value with the default 0, which is not written.
template <typename IO, typename T>
void visitStated(IO &io, std::string_view key,
                        std::string_view originKey, cost::Stated<T> &stated,
                        support::Range range) {
  std::optional<cost::Stated<T>> found;
  if (getPlain(stated.value) != 0)
    found = stated;
  visitStated(io, key, originKey, found, range);
  if (found)
    stated = *found;
}

/// Rejects a share above 1.
template <typename IO>
void checkShare(IO &io, std::string_view key, double value) {
  io.check([&](support::ObjectReader &reader) {
    if (value > 1)
      reader.fail(key,
                  "expected a share from 0 to 1, got " + cost::formatNumber(value));
  });
}

/// Accepts every item of a list.
inline constexpr auto kAnyItem = [](support::ObjectReader &, const auto &, size_t) {};

/// Visits the measured rates of a platform (RateKeys.cpp).
template <typename IO> void visitRates(IO &io, MeasuredRates &rates);
extern template void visitRates(KeyReader &io, MeasuredRates &rates);
extern template void visitRates(KeyWriter &io, MeasuredRates &rates);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_KEYVISITORS_H
