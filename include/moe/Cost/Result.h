// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value or a failure.

#ifndef MOE_COST_RESULT_H
#define MOE_COST_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace moe::cost {

/// The reason of a failure: the expected and the actual input, and its
/// location.
struct Failure {
  std::string message;
};

/// A value or a failure. No exception crosses the planners' API.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure)
      : content(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return content.index() == 0; }

  T &operator*() {
    assert(*this && "expected a value");
    return std::get<0>(content);
  }
  const T &operator*() const {
    assert(*this && "expected a value");
    return std::get<0>(content);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  /// Returns the failure's message. Requires that there is no value.
  const std::string &getError() const {
    assert(!*this && "expected a failure");
    return std::get<1>(content).message;
  }
  Failure getFailure() const { return Failure{getError()}; }

private:
  std::variant<T, Failure> content;
};

} // namespace moe::cost

#endif // MOE_COST_RESULT_H
