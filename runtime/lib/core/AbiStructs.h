// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs that contain their size.
//
// Callers may have been compiled for an earlier or later interface, with fewer
// or more members at the end of structs. New members must be added after the
// present size, never in the padding at the end of a struct, because earlier
// callers leave it undefined.

#ifndef MOERT_CORE_ABISTRUCTS_H
#define MOERT_CORE_ABISTRUCTS_H

#include "core/Status.h"
#include <algorithm>
#include <cstring>

namespace moert {

/// The minimum size of an accepted struct: its size in interface 0.7, or in the
/// first interface that had it.
template <typename T> constexpr size_t kFirstSize = 0;
#define MOERT_FIRST_SIZE(type, bytes)                                          \
  template <> inline constexpr size_t kFirstSize<type> = bytes;                \
  static_assert(sizeof(type) >= bytes);
MOERT_FIRST_SIZE(moert_config, 72)
MOERT_FIRST_SIZE(moert_gate_args, 192)
MOERT_FIRST_SIZE(moert_order_args, 88)
MOERT_FIRST_SIZE(moert_expert_counts_args, 64)
MOERT_FIRST_SIZE(moert_order_rows_args, 80)
MOERT_FIRST_SIZE(moert_distinct_nodes_args, 72)
MOERT_FIRST_SIZE(moert_limit_choices_args, 72)
MOERT_FIRST_SIZE(moert_quantize_args, 64)
MOERT_FIRST_SIZE(moert_dequantize_args, 64)
MOERT_FIRST_SIZE(moert_unorder_args, 88)
MOERT_FIRST_SIZE(moert_experts_args, 96)
MOERT_FIRST_SIZE(moert_experts_grad_args, 128)
MOERT_FIRST_SIZE(moert_scatter_args, 88)
MOERT_FIRST_SIZE(moert_unorder_wgrad_args, 88)
MOERT_FIRST_SIZE(moert_gate_grad_args, 120)
MOERT_FIRST_SIZE(moert_dense_args, 48)
MOERT_FIRST_SIZE(moert_dense_wgrad_args, 64)
MOERT_FIRST_SIZE(moert_expert_choice_args, 88)
MOERT_FIRST_SIZE(moert_soft_gate_args, 80)
MOERT_FIRST_SIZE(moert_soft_mix_args, 64)
MOERT_FIRST_SIZE(moert_expert_choice_grad_args, 96)
MOERT_FIRST_SIZE(moert_soft_gate_grad_args, 96)
MOERT_FIRST_SIZE(moert_soft_wgrad_args, 64)
MOERT_FIRST_SIZE(moert_kernel_args, 104)
MOERT_FIRST_SIZE(moert_program, 80)
MOERT_FIRST_SIZE(moert_counts, 48)
#undef MOERT_FIRST_SIZE

/// Checks the size of a caller's struct: at least the first size, and not so
/// large that it is probably uninitialized.
template <typename T> Status verifySize(size_t size, const char *name) {
  static_assert(kFirstSize<T> != 0, "not in the table above, nor beside");
  constexpr size_t kMost = 4096;
  if (size >= kFirstSize<T> && size <= kMost)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected a %s of %zu bytes, as interface %d.%d has it, or of "
               "%zu to %zu, as others have it, got size %zu",
               name, sizeof(T), MOERT_VERSION_MAJOR, MOERT_VERSION_MINOR,
               kFirstSize<T>, kMost, size);
}

/// Writes defaults of this interface to a caller's struct of `size` bytes.
template <typename T>
Status giveSized(const T &own, size_t size, const char *name, T &given) {
  if (Status status = verifySize<T>(size, name); !status.ok())
    return status;
  auto *bytes = reinterpret_cast<unsigned char *>(&given);
  std::memset(bytes, 0, size);
  std::memcpy(bytes, &own, std::min(size, sizeof(T)));
  return {};
}

/// Copies a caller's struct of `size` bytes to a struct of this interface, with
/// zeros for missing members. Bytes that this interface does not know must be
/// zero.
template <typename T>
Status takeSized(const T &given, size_t size, const char *name, T &own) {
  if (Status status = verifySize<T>(size, name); !status.ok())
    return status;
  const auto *bytes = reinterpret_cast<const unsigned char *>(&given);
  for (size_t i = sizeof(T); i < size; ++i)
    if (bytes[i] != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a %s whose bytes from %zu on, which interface "
                   "%d.%d does not know, are zero, got %d at byte %zu: the "
                   "caller asks for what a later interface has",
                   name, sizeof(T), MOERT_VERSION_MAJOR, MOERT_VERSION_MINOR,
                   bytes[i], i);
  own = {};
  std::memcpy(&own, bytes, std::min(size, sizeof(T)));
  return {};
}

} // namespace moert

#endif // MOERT_CORE_ABISTRUCTS_H
