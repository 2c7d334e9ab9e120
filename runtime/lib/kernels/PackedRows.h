// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that experts keep between their products.

#ifndef MOERT_KERNELS_PACKEDROWS_H
#define MOERT_KERNELS_PACKEDROWS_H

#include "core/Types.h"
#include "kernels/Runs.h"

namespace moert {

/// Parts [part, rows, H] with rows packed in the order of computation, expert
/// by expert.
class PackedRows {
public:
  /// If `data` is null, nothing is stored.
  template <typename Args>
  PackedRows(const Args &args, const void *data)
      : data(static_cast<char *>(const_cast<void *>(data))), type(args.type),
        ffn(args.ffn), rows(RunArrays(args).getBufferExperts() * args.rows) {}

  bool exists() const { return data != nullptr; }
  void store(int64_t part, const double *values, int64_t count) {
    if (data)
      storeRow(type, values, count * ffn, at(part));
  }
  void load(int64_t part, double *values, int64_t count) const {
    loadRow(type, at(part), count * ffn, values);
  }
  /// Skips `count` rows.
  void advance(int64_t count) { row += count; }

private:
  char *at(int64_t part) const {
    return data + (part * rows + row) * ffn *
                      static_cast<int64_t>(moert_type_size(type));
  }

  char *data;
  moert_type type;
  int64_t ffn, rows, row = 0;
};

} // namespace moert

#endif // MOERT_KERNELS_PACKEDROWS_H
