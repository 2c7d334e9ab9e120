// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of ops against moert.h.
//
// Nothing here runs. The compiler's build compares the calls of ops with the
// runtime's headers: each function must be in moert_calls.def, and its
// parameters and result must match the op's entry.

#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moert.h"
#include "moert_ocs.h"
#include <string_view>
#include <type_traits>

namespace moe::rt {

namespace {
/// A function of moert.h or moert_ocs.h.
struct Signature {
  std::string_view symbol;
  std::array<char, 24> letters = {};
  size_t numParameters = 0;
  bool givesStatus = false;
  /// True if the last parameter is the address of a new handle.
  bool givesHandle = false;
};
} // namespace

template <typename T> constexpr char getLetter() {
  if constexpr (std::is_pointer_v<T>)
    return std::is_function_v<std::remove_pointer_t<T>> ? 'f' : 'p';
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    return sizeof(T) == 4 ? 'i' : sizeof(T) == 8 ? 'l' : '?';
  else
    return std::is_same_v<T, double> ? 'd' : '?';
}

template <typename R, typename... Args>
constexpr Signature describe(std::string_view symbol, R (*)(Args...)) {
  Signature signature{symbol, {getLetter<Args>()...}, sizeof...(Args)};
  signature.givesStatus = std::is_same_v<R, moert_status>;
  constexpr bool isHandle[] = {
      (std::is_pointer_v<Args> &&
       std::is_pointer_v<std::remove_pointer_t<Args>>)...};
  signature.givesHandle = isHandle[sizeof...(Args) - 1];
  return signature;
}

static constexpr Signature kSignatures[] = {
#define MOERT_CALL(name) describe(symbols::name, &moert_##name),
#define MOERT_WORK(name) MOERT_CALL(name)
#define MOERT_KERNEL(name, Name, args) MOERT_CALL(name)
#include "moert_calls.def"
};

constexpr bool agree(const RuntimeFunction &function,
                     const Signature &signature) {
  bool makes = function.result == CallResult::Handle;
  std::string_view parameters = function.parameters;
  return signature.givesStatus && signature.givesHandle == makes &&
         signature.numParameters == parameters.size() + makes &&
         std::string_view(signature.letters.data(), parameters.size()) ==
             parameters;
}

constexpr bool isKnown(const RuntimeFunction &function) {
  for (const Signature &signature : kSignatures)
    if (signature.symbol == std::string_view(function.symbol))
      return agree(function, signature);
  return false;
}

template <typename OpT> constexpr bool callsKnown() {
  if constexpr (requires { OpT::kRuntimeFunctions; })
    for (const RuntimeFunction &function : OpT::kRuntimeFunctions)
      if (!isKnown(function))
        return false;
  return true;
}

/// One instantiation per op, so that the build error names the op.
template <typename OpT> struct Check {
  static_assert(callsKnown<OpT>(),
                "the op calls what is not in moert_calls.def, or with other "
                "arguments than moert.h or moert_ocs.h has");
};
template <typename... Ops> struct CheckAll : Check<Ops>... {};
[[maybe_unused]] static constexpr CheckAll<
#define GET_OP_LIST
#include "moe/Dialect/MoERT/MoERTOps.cpp.inc"
    >
    kChecked;

// Constants that are passed as numbers.
static_assert(kDefaultDeadline == MOERT_DEADLINE_DEFAULT);
static_assert(kMostCopyDims == MOERT_MAX_DIMS);
// Pairs of ports are passed as pairs of 32-bit integers.
static_assert(sizeof(moert_ocs_circuit) == 2 * sizeof(int32_t));

} // namespace moe::rt
