// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a collective.

#include "core/Collective.h"
#include "core/Types.h"
#include <algorithm>
#include <cinttypes>
#include <numeric>

using namespace moert;

const char *moert::getCollectiveName(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllToAll:
    return "all_to_all";
  case CollectiveKind::RaggedAllToAll:
    return "ragged_all_to_all";
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::Barrier:
    return "barrier";
  }
  return "unknown collective";
}

std::string Signature::print() const {
  std::string text = getCollectiveName(kind);
  if (kind == CollectiveKind::Barrier)
    return text;
  if (kind == CollectiveKind::ReduceScatter ||
      kind == CollectiveKind::AllReduce)
    text += format(" (%s)", getReductionName(reduction));
  const char *unit = "elements";
  if (kind == CollectiveKind::RaggedAllToAll)
    unit = "elements a row";
  else if (kind != CollectiveKind::AllReduce)
    unit = "elements a block";
  return text + format(" of %" PRId64 " %s %s", count, getTypeName(type), unit);
}

/// Returns true if two memory ranges share a byte.
static bool overlap(const void *a, size_t aBytes, const void *b,
                    size_t bBytes) {
  auto *first = static_cast<const char *>(a),
       *second = static_cast<const char *>(b);
  return aBytes && bBytes && first < second + bBytes && second < first + aBytes;
}

static Status verifyRuns(const char *what, const std::vector<int64_t> &offsets,
                         const std::vector<int64_t> &sizes, int64_t rows,
                         bool disjoint) {
  for (size_t j = 0; j < sizes.size(); ++j) {
    if (sizes[j] < 0 || offsets[j] < 0 || sizes[j] > rows ||
        offsets[j] > rows - sizes[j])
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the rows %s position %zu to lie in [0, %" PRId64
                   "), got %" PRId64 " rows from row %" PRId64,
                   what, j, rows, sizes[j], offsets[j]);
  }
  if (!disjoint)
    return {};
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t j) { return sizes[j] == 0; });
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return offsets[a] < offsets[b]; });
  for (size_t j = 1; j < order.size(); ++j) {
    size_t before = order[j - 1], next = order[j];
    if (offsets[before] + sizes[before] > offsets[next])
      return error(MOERT_INVALID_ARGUMENT,
                   "expected received runs that do not overlap, got rows "
                   "[%" PRId64 ", %" PRId64 ") from position %zu and rows "
                   "[%" PRId64 ", %" PRId64 ") from position %zu",
                   offsets[before], offsets[before] + sizes[before], before,
                   offsets[next], offsets[next] + sizes[next], next);
  }
  return {};
}

Status moert::verifyCollective(const Collective &collective, int64_t size,
                               int64_t sendRows, int64_t receiveRows) {
  const Signature &own = collective.signature;
  if (own.kind == CollectiveKind::Barrier)
    return {};
  int64_t elementBytes = static_cast<int64_t>(moert_type_size(own.type));
  if (elementBytes == 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a known element type, got "
                 "%d",
                 static_cast<int>(own.type));
  if (own.reduction < MOERT_SUM || own.reduction > MOERT_MAX)
    return error(MOERT_INVALID_ARGUMENT, "expected a known reduction, got %d",
                 static_cast<int>(own.reduction));
  int64_t most = INT64_MAX / elementBytes / size;
  if (own.count < 0 || own.count > most)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a count in [0, %" PRId64 "], got %" PRId64, most,
                 own.count);
  bool ragged = own.kind == CollectiveKind::RaggedAllToAll;
  int64_t sendUnits = 0, receiveUnits = 0;
  switch (own.kind) {
  case CollectiveKind::AllToAll:
    sendUnits = receiveUnits = size;
    break;
  case CollectiveKind::AllGather:
    sendUnits = 1;
    receiveUnits = size;
    break;
  case CollectiveKind::ReduceScatter:
    sendUnits = size;
    receiveUnits = 1;
    break;
  case CollectiveKind::RaggedAllToAll:
    for (int64_t rows : {sendRows, receiveRows})
      if (rows < 0 ||
          (own.count > 0 && rows > INT64_MAX / elementBytes / own.count))
        return error(MOERT_INVALID_ARGUMENT,
                     "expected numbers of rows that fit memory, got %" PRId64,
                     rows);
    sendUnits = sendRows;
    receiveUnits = receiveRows;
    break;
  default:
    sendUnits = receiveUnits = 1;
  }
  size_t unit = collective.getUnitBytes();
  size_t sendBytes = unit * sendUnits, receiveBytes = unit * receiveUnits;
  if ((!collective.send && sendBytes) || (!collective.receive && receiveBytes))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected buffers to send from and to receive into, got NULL");
  // An all_reduce may be in place, and an all_gather may send from its place in
  // the result; the callers check the position in the group.
  if (own.kind != CollectiveKind::AllGather &&
      !(own.kind == CollectiveKind::AllReduce &&
        collective.send == collective.receive) &&
      overlap(collective.send, sendBytes, collective.receive, receiveBytes))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected buffers that do not overlap, got %zu bytes to send "
                 "and %zu bytes to receive that do",
                 sendBytes, receiveBytes);
  if (!ragged)
    return {};
  Status status = verifyRuns("sent to", collective.sendOffsets,
                             collective.sendSizes, sendRows, false);
  if (status.ok())
    status = verifyRuns("received from", collective.receiveOffsets,
                        collective.receiveSizes, receiveRows, true);
  return status;
}

Status moert::describeMismatch(const std::string &group, uint64_t number,
                               int32_t rank, const Signature &signature,
                               int32_t otherRank, const Signature &other) {
  return error(MOERT_MISMATCH,
               "collective #%" PRIu64
               " of %s: expected all ranks to call the same, got %s on rank "
               "%d and %s on rank %d",
               number, group.c_str(), signature.print().c_str(), rank,
               other.print().c_str(), otherRank);
}
