// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations of kernels.

#ifndef MOERT_STANDINS_SHIM_ATOMICS_H
#define MOERT_STANDINS_SHIM_ATOMICS_H

// All operations are atomic for the whole process, because kernels of different
// streams run concurrently, and because the host reads their results.

#include <type_traits>

namespace moert::shim {

/// Sets `*target = change(*target)` and returns the previous value.
template <typename T, typename Change> T update(T *target, Change change) {
  T old, wanted;
  __atomic_load(target, &old, __ATOMIC_SEQ_CST);
  do
    wanted = change(old);
  while (!__atomic_compare_exchange(target, &old, &wanted, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

} // namespace moert::shim

// The value has the target's type, so that arguments are converted.
#define MOERT_SHIM_ATOMIC(name, change)                                        \
  template <typename T> T name(T *target, std::type_identity_t<T> value) {     \
    return moert::shim::update(                                                \
        target, [value](T old) { return static_cast<T>(change); });            \
  }                                                                            \
  template <typename T>                                                        \
  T name##_block(T *target, std::type_identity_t<T> value) {                   \
    return name(target, value);                                                \
  }                                                                            \
  template <typename T>                                                        \
  T name##_system(T *target, std::type_identity_t<T> value) {                  \
    return name(target, value);                                                \
  }

MOERT_SHIM_ATOMIC(atomicAdd, old + value)
MOERT_SHIM_ATOMIC(atomicSub, old - value)
MOERT_SHIM_ATOMIC(atomicExch, ((void)old, value))
MOERT_SHIM_ATOMIC(atomicMin, value < old ? value : old)
MOERT_SHIM_ATOMIC(atomicMax, old < value ? value : old)
MOERT_SHIM_ATOMIC(atomicAnd, old &value)
MOERT_SHIM_ATOMIC(atomicOr, old | value)
MOERT_SHIM_ATOMIC(atomicXor, old ^ value)
#undef MOERT_SHIM_ATOMIC

template <typename T>
T atomicCAS(T *target, std::type_identity_t<T> expected,
            std::type_identity_t<T> value) {
  __atomic_compare_exchange(target, &expected, &value, false, __ATOMIC_SEQ_CST,
                            __ATOMIC_SEQ_CST);
  return expected;
}
template <typename T>
T atomicCAS_block(T *target, std::type_identity_t<T> expected,
                  std::type_identity_t<T> value) {
  return atomicCAS(target, expected, value);
}
template <typename T>
T atomicCAS_system(T *target, std::type_identity_t<T> expected,
                   std::type_identity_t<T> value) {
  return atomicCAS(target, expected, value);
}

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

#endif // MOERT_STANDINS_SHIM_ATOMICS_H
