// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped products on devices of capability 9.0.

#include "nccl/NcclStream.h"
#include <string>

using namespace moert;
using namespace moert::nccl;
using cuda::GroupedKind;
using cuda::GroupRows;

/// A TMA load needs addresses and lines of whole 16-byte words.
static bool isWhole(const void *data, int64_t lineBytes) {
  return reinterpret_cast<uintptr_t>(data) % 16 == 0 && lineBytes % 16 == 0;
}

/// Returns an upper bound of the tiles of all groups with `rows` rows in total.
static int64_t getMostTiles(const GroupedProduct &product, int64_t groups,
                            int64_t rows) {
  int64_t down = product.kind == GroupedKind::Columns
                     ? groups * cuda::countTiles(product.width, cuda::kTileRows)
                     : rows / cuda::kTileRows + groups;
  return down * cuda::countTiles(product.columns, cuda::kTileColumns);
}

bool NcclStream::canGroup(const GroupedProduct &product,
                          int64_t numGroups) const {
  if (!nccl.hasGroupedKernels() || numGroups > cuda::kMostGroups ||
      (product.type != MOERT_BF16 && product.type != MOERT_F16))
    return false;
  auto bytes = static_cast<int64_t>(moert_type_size(product.type));
  if (!isWhole(product.a, product.width * bytes) ||
      !isWhole(product.b, product.columns * bytes) ||
      !isWhole(product.result, product.columns * bytes))
    return false;
  // The kernel and TMA have 32-bit numbers of rows, columns and tiles.
  constexpr int64_t kMost = INT32_MAX / 2;
  return std::max({product.rowsOfA, product.rowsOfB, product.width,
                   product.columns, product.step}) <= kMost &&
         getMostTiles(product, numGroups, product.rowsOfA) <= kMost;
}

/// Describes `count` matrices of `lines` lines of `width` elements each; the
/// matrices are `step` lines apart. Boxes have the width of a swizzled line.
static Status describe(const cuda::Driver &driver, moert_type type,
                       const void *data, int64_t width, int64_t lines,
                       int64_t step, int64_t count, int boxLines,
                       cuda::TensorMap &map) {
  constexpr int kF16 = 6, kBF16 = 9, kSwizzle128B = 3, kPromote256B = 3;
  auto bytes = static_cast<uint64_t>(width * moert_type_size(type));
  const uint64_t sizes[] = {static_cast<uint64_t>(width),
                            static_cast<uint64_t>(lines),
                            static_cast<uint64_t>(count)};
  const uint64_t strides[] = {bytes, bytes * static_cast<uint64_t>(step)};
  const unsigned box[] = {cuda::kTileLine, static_cast<unsigned>(boxLines), 1};
  const unsigned steps[] = {1, 1, 1};
  return driver.check(
      driver.TensorMapEncodeTiled(&map, type == MOERT_BF16 ? kBF16 : kF16, 3,
                                  const_cast<void *>(data), sizes, strides, box,
                                  steps, /*interleave=*/0, kSwizzle128B,
                                  kPromote256B, /*fill=*/0),
      "cuTensorMapEncodeTiled");
}

/// The lines of a box for each operand.
template <GroupedKind kind> static void getBoxLines(int &ofA, int &ofB) {
  ofA = cuda::TileWork<kind>::BoxesA::kLines;
  ofB = cuda::TileWork<kind>::BoxesB::kLines;
}

Status NcclStream::launchGrouped(const GroupedProduct &product,
                                 const GroupRows *groups, int64_t numGroups,
                                 int64_t evenRows, int64_t tiles) {
  auto narrow = [](int64_t size) { return static_cast<int>(size); };
  cuda::GroupedArgs args{};
  args.result = product.result;
  args.groups = groups;
  args.evenRows = narrow(evenRows);
  args.numGroups = narrow(numGroups);
  args.adds = product.adds;
  args.columns = narrow(product.columns);
  bool isColumns = product.kind == GroupedKind::Columns;
  bool isTurned = product.kind == GroupedKind::TurnedRows;
  args.inner = isColumns ? 0 : narrow(product.width);
  args.height = isColumns ? narrow(product.width) : 0;
  args.resultStep = isColumns ? narrow(product.step) : 0;
  int linesOfA = 0, linesOfB = 0;
  std::string name = "moert_grouped_";
  if (isColumns) {
    getBoxLines<GroupedKind::Columns>(linesOfA, linesOfB);
    name += "columns";
  } else if (isTurned) {
    getBoxLines<GroupedKind::TurnedRows>(linesOfA, linesOfB);
    name += "turned";
  } else {
    getBoxLines<GroupedKind::Rows>(linesOfA, linesOfB);
    name += "rows";
  }
  name += product.type == MOERT_BF16 ? "_bf16" : "_f16";
  Status status =
      describe(nccl.driver(), product.type, product.a, product.width,
               product.rowsOfA, product.rowsOfA, 1, linesOfA, args.a);
  if (status.ok() && isColumns)
    status = describe(nccl.driver(), product.type, product.b, product.columns,
                      product.rowsOfB, product.rowsOfB, 1, linesOfB, args.b);
  else if (status.ok())
    status = describe(nccl.driver(), product.type, product.b,
                      isTurned ? product.width : product.columns,
                      isTurned ? product.columns : product.width, product.step,
                      numGroups, linesOfB, args.b);
  int sms = smTarget;
  if (status.ok() && sms == 0)
    status = nccl.countSms(sms);
  if (!status.ok())
    return status;
  void *parameters[] = {&args};
  return nccl.launchGrouped(
      name, static_cast<unsigned>(std::clamp<int64_t>(tiles, 1, sms)), stream,
      parameters);
}

Status NcclStream::multiplyGroups(const GroupedProduct &product,
                                  const std::vector<GroupRows> &groups,
                                  int64_t numGroups, int64_t evenRows,
                                  const GroupRows *list) {
  int64_t most = getMostTiles(product, numGroups, product.rowsOfA);
  if (groups.empty())
    return launchGrouped(product, list, numGroups, evenRows, most);
  auto count = static_cast<int64_t>(groups.size());
  static_assert(sizeof(GroupRows) == 3 * sizeof(int64_t));
  return withScratch(scratch::getAddressBytes(count), [&](char *space) {
    auto *list = reinterpret_cast<GroupRows *>(space);
    Status status;
    cuda::WriteGroupsArgs args;
    for (int64_t i = 0; i < count && status.ok(); i += args.count) {
      args.count = static_cast<int>(std::min<int64_t>(args.kMost, count - i));
      std::copy_n(&groups[i], args.count, args.groups);
      args.list = list + i;
      void *parameters[] = {&args};
      status = nccl.launch("moert_write_groups", 1, args.kMost, 0, stream,
                           parameters);
    }
    return status.ok() ? launchGrouped(product, list, count, 0, most) : status;
  });
}

template <typename Args>
bool NcclStream::canCount(const Args &args,
                          std::initializer_list<const void *> operands) const {
  if (args.biased || args.hidden == 0 || args.ffn == 0)
    return false;
  // A missing operand is aligned, too.
  for (const void *operand : operands)
    if (!isWhole(operand, 0))
      return false;
  for (GroupedKind kind : {GroupedKind::Rows, GroupedKind::Columns})
    for (auto [width, columns] :
         {std::pair(args.hidden, args.ffn), std::pair(args.ffn, args.hidden)})
      if (!canGroup({kind, args.type, nullptr, nullptr, nullptr, args.rows,
                     args.rows, width, columns, std::max(width, columns),
                     /*adds=*/false},
                    args.experts))
        return false;
  return true;
}

template <typename Args>
Status NcclStream::withExpertRuns(
    const Args &args, bool countsOnDevice,
    const std::function<Status(const Args &own, const ExpertRuns &rows)>
        &work) {
  if (!args.row_counts)
    return work(args, ExpertRuns(args));
  if (countsOnDevice)
    return withScratch(
        scratch::getAddressBytes(args.experts), [&](char *space) {
          auto *list = reinterpret_cast<GroupRows *>(space);
          cuda::CountGroupsArgs counts = {args.row_counts, args.row_counts_type,
                                          static_cast<int>(args.experts),
                                          args.rows, list};
          cuda::Error *error = nccl.getError();
          void *parameters[] = {&counts, &error};
          Status status =
              nccl.launch("moert_count_groups", 1, 32, 0, stream, parameters);
          return status.ok()
                     ? work(args, ExpertRuns(args.experts, args.rows, list))
                     : status;
        });
  int64_t *known = args.known_counts;
  CountedRuns runs;
  auto workOnRuns = [&](const RunArrays &arrays, const void *counts) {
    if (Status status = runs.read(arrays, counts); !status.ok())
      return status;
    if (known)
      std::copy_n(runs.getSizes(), args.experts, known);
    Args own = runs.get(args);
    return work(own, ExpertRuns(own));
  };
  RunArrays arrays(args);
  if (known && args.experts && known[0] >= 0) {
    arrays.countsType = MOERT_I64;
    return workOnRuns(arrays, known);
  }
  bool isCaptured = false;
  Status status = queryCapture(isCaptured);
  if (status.ok() && isCaptured)
    return error(MOERT_UNAVAILABLE,
                 "expected stream '%s' not to be captured, because row_counts "
                 "must be read here: counts stay on devices of capability 9.0 "
                 "for f16 and bf16, sizes that are multiples of 8 and no "
                 "biases, in a build with CUTLASS",
                 name.c_str());
  std::vector<char> counts(args.experts *
                           moert_type_size(args.row_counts_type));
  if (status.ok())
    status = copy(counts.data(), args.row_counts, counts.size());
  if (status.ok()) {
    ++nccl.counts.waits;
    status = synchronize(Deadline::inMicroseconds(nccl.deadlineUs));
  }
  return status.ok() ? workOnRuns(arrays, counts.data()) : status;
}

#define MOERT_COUNTED(Args)                                                    \
  template bool NcclStream::canCount(                                          \
      const Args &, std::initializer_list<const void *>) const;                \
  template Status NcclStream::withExpertRuns(                                  \
      const Args &, bool,                                                      \
      const std::function<Status(const Args &, const ExpertRuns &)> &);
MOERT_COUNTED(moert_experts_args)
MOERT_COUNTED(moert_experts_grad_args)
#undef MOERT_COUNTED
