// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a collective.

#ifndef MOERT_CORE_COLLECTIVE_H
#define MOERT_CORE_COLLECTIVE_H

#include "core/Status.h"
#include <cstdint>
#include <vector>

namespace moert {

enum class CollectiveKind : uint8_t {
  AllToAll,
  RaggedAllToAll,
  AllGather,
  ReduceScatter,
  AllReduce,
  Barrier
};

const char *getCollectiveName(CollectiveKind kind);

/// The part of a collective that must be equal on all members.
struct Signature {
  CollectiveKind kind = CollectiveKind::Barrier;
  moert_type type = MOERT_I8;
  moert_reduction reduction = MOERT_SUM;
  /// Number of elements: of a block (all_to_all, reduce_scatter), of one
  /// member's part (all_gather), of the whole (all_reduce), or of a row
  /// (ragged).
  int64_t count = 0;

  bool operator==(const Signature &other) const {
    return kind == other.kind && type == other.type &&
           reduction == other.reduction && count == other.count;
  }
  bool operator!=(const Signature &other) const { return !(*this == other); }
  std::string print() const;
};

/// A collective as called by one member.
struct Collective {
  Signature signature;
  const void *send = nullptr;
  void *receive = nullptr;
  /// Ragged only: rows to and from each member.
  std::vector<int64_t> sendOffsets, sendSizes, receiveOffsets, receiveSizes;

  size_t getUnitBytes() const {
    return static_cast<size_t>(signature.count) *
           moert_type_size(signature.type);
  }
};

/// Checks the arguments without other members. `size` is the group's size; the
/// row counts limit the buffers of a ragged collective.
Status verifyCollective(const Collective &collective, int64_t size,
                        int64_t sendRows, int64_t receiveRows);

/// Returns "expected ..., got ..." for two members that do not agree; `number`
/// counts the collectives of the communicator from 0.
Status describeMismatch(const std::string &group, uint64_t number, int32_t rank,
                        const Signature &signature, int32_t otherRank,
                        const Signature &other);

} // namespace moert

#endif // MOERT_CORE_COLLECTIVE_H
