// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of the rows of experts.

#include "nccl/ExpertRuns.h"
#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

ExpertRuns::ExpertRuns(const RunArrays &arrays) {
  for (int64_t e = 0; e < arrays.experts; ++e) {
    runs.push_back(arrays.get(e));
    int64_t count = 0;
    for (const Run &run : runs.back())
      count += run.count;
    if (runs.back().size() > 1)
      place = RowPlace::Packed;
    // Even rows require that buffer and packed rows are identical.
    isEven &= count == 0 || runs.back()[0].begin == packed.back();
    packed.push_back(packed.back() + count);
    isEven &= count == getRows(0);
  }
}

int64_t ExpertRuns::getEnd(RowPlace at) const {
  int64_t end = list ? getRows() : 0;
  for (int64_t e = 0; e < getExperts() && !list; ++e)
    if (getRows(e))
      end = std::max(end, getFirst(at, e) + getRows(e));
  return end;
}

std::vector<Run> ExpertRuns::getRuns() const {
  std::vector<Run> all;
  for (const std::vector<Run> &own : runs)
    all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<Run> ExpertRuns::getExpertRuns(RowPlace at) const {
  std::vector<Run> all;
  for (int64_t e = 0; e < getExperts(); ++e)
    all.push_back({getRows(e) ? getFirst(at, e) : 0, getRows(e)});
  return all;
}

static const char *rowAt(const void *data, int64_t element, moert_type type) {
  return static_cast<const char *>(data) +
         element * static_cast<int64_t>(moert_type_size(type));
}
static char *rowAt(void *data, int64_t element, moert_type type) {
  return const_cast<char *>(
      rowAt(static_cast<const void *>(data), element, type));
}

/// Grouped products reach less than the speed of a large product, but a
/// separate call takes about as long as this many operations, measured on an
/// H100 (bench/results/gpu-h100.md).
static constexpr double kWorthACall = 4e9;

/// Returns true if `count` products have few operations each.
static bool areSmall(double operations, int64_t count) {
  return count > 1 && operations < kWorthACall * static_cast<double>(count);
}

static double countOperations(int64_t rows, int64_t inner, int64_t columns) {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(inner) *
         static_cast<double>(columns);
}

/// Returns true if products of the experts' rows with [width, columns] elements
/// are small.
static bool areSmall(const ExpertRuns &rows, int64_t width, int64_t columns) {
  if (rows.getList())
    return true;
  int64_t count = 0;
  for (int64_t e = 0; e < rows.getExperts(); ++e)
    count += rows.getRows(e) ? 1 : 0;
  return areSmall(countOperations(rows.getRows(), width, columns), count);
}

/// Returns the rows of each expert, or nothing if they are even.
static std::vector<cuda::GroupRows> getGroups(const ExpertRuns &rows,
                                              RowPlace place, RowPlace other) {
  std::vector<cuda::GroupRows> groups;
  for (int64_t e = 0;
       e < rows.getExperts() && !rows.areEven() && !rows.getList(); ++e)
    groups.push_back({rows.getRows(e) ? rows.getFirst(place, e) : 0,
                      rows.getRows(e) ? rows.getFirst(other, e) : 0,
                      rows.getRows(e)});
  return groups;
}

/// Rows that only the device knows need a grouped product (`canCount`).
static Status getUngrouped() {
  return error(MOERT_BACKEND_ERROR, "expected operands of a grouped product");
}

Status NcclStream::multiplyRuns(const std::vector<RunProduct> &products,
                                moert_type type, moert_type resultType,
                                bool turnsA, bool turnsB, bool adds) {
  if (products.empty())
    return {};
  const Blas *blas = nullptr;
  Status status = setUpBlas(blas);
  bool isCaptured = false;
  if (status.ok())
    status = queryCapture(isCaptured);
  double operations = 0;
  for (const RunProduct &p : products)
    operations += countOperations(p.rows, p.inner, p.columns);
  // The documentation does not allow such calls in graphs explicitly.
  if (status.ok() && type != MOERT_F64 && !isCaptured &&
      blas->GemmGroupedBatchedEx &&
      areSmall(operations, static_cast<int64_t>(products.size())))
    return callGroupedBlas(products, type, resultType, turnsA, turnsB, adds);
  for (const RunProduct &p : products)
    if (status.ok())
      status =
          callBlas({p.a, type, turnsA}, {p.b, type, turnsB}, p.result,
                   resultType, p.rows, p.inner, p.columns, /*batches=*/1, adds);
  return status;
}

Status NcclStream::multiplyRows(const ExpertRuns &rows, RowPlace placeOfA,
                                const Matrix &a, const Matrix &b,
                                RowPlace placeOfResult, void *result,
                                int64_t inner, int64_t columns, bool adds) {
  Status status;
  if (b.isBiased && !b.isTurned) {
    status = fillRuns(rows.getExpertRuns(placeOfResult), result, a.type,
                      columns, b.getBias(inner, columns), inner + 1);
    adds = true;
  }
  if (!status.ok() || columns == 0 || (inner == 0 && adds))
    return status;
  if (inner == 0)
    return clearRuns(rows.getExpertRuns(placeOfResult), result,
                     columns * moert_type_size(a.type));
  GroupedProduct grouped = {
      b.isTurned ? cuda::GroupedKind::TurnedRows : cuda::GroupedKind::Rows,
      a.type,
      a.data,
      b.data,
      result,
      rows.getEnd(placeOfA),
      /*rowsOfB=*/0,
      inner,
      columns,
      (b.isTurned ? columns : inner) + (b.isBiased ? 1 : 0),
      adds};
  if (!a.isTurned && areSmall(rows, inner, columns) &&
      canGroup(grouped, rows.getExperts()))
    return multiplyGroups(grouped, getGroups(rows, placeOfA, placeOfResult),
                          rows.getExperts(), rows.getEvenRows(),
                          rows.getList());
  if (rows.getList())
    return getUngrouped();
  if (rows.areEven() && rows.getRows())
    return callBlas(a, b, result, a.type, rows.getRows(0), inner, columns,
                    rows.getExperts(), adds);
  std::vector<RunProduct> products;
  for (int64_t e = 0; e < rows.getExperts(); ++e)
    if (rows.getRows(e))
      products.push_back(
          {rowAt(a.data, rows.getFirst(placeOfA, e) * inner, a.type),
           rowAt(b.data, e * b.countElements(inner, columns), b.type),
           rowAt(result, rows.getFirst(placeOfResult, e) * columns, a.type),
           rows.getRows(e), inner, columns});
  return multiplyRuns(products, a.type, a.type, a.isTurned, b.isTurned, adds);
}

Status NcclStream::multiplyTurnedRows(const ExpertRuns &rows, RowPlace placeOfA,
                                      const void *a, RowPlace placeOfB,
                                      const void *b, moert_type type,
                                      void *result, moert_type resultType,
                                      int64_t width, int64_t columns,
                                      bool biased) {
  int64_t height = width + (biased ? 1 : 0);
  Status status;
  if (biased)
    status =
        sumRuns(rows.getExpertRuns(placeOfB), b, type, columns,
                rowAt(result, width * columns, resultType), resultType, height);
  if (!status.ok() || width == 0 || columns == 0)
    return status;
  if (rows.getList() && rows.getRows() == 0)
    return setBytes(result, 0,
                    rows.getExperts() * height * columns *
                        moert_type_size(resultType));
  GroupedProduct grouped = {cuda::GroupedKind::Columns,
                            type,
                            a,
                            b,
                            result,
                            rows.getEnd(placeOfA),
                            rows.getEnd(placeOfB),
                            width,
                            columns,
                            height,
                            /*adds=*/false};
  // The grouped kernels store results of the type of their operands.
  if (resultType == type && areSmall(rows, width, columns) &&
      canGroup(grouped, rows.getExperts()))
    return multiplyGroups(grouped, getGroups(rows, placeOfA, placeOfB),
                          rows.getExperts(), rows.getEvenRows(),
                          rows.getList());
  if (rows.getList())
    return getUngrouped();
  if (rows.areEven() && rows.getRows())
    return callBlas({a, type, /*isTurned=*/true}, {b, type}, result, resultType,
                    width, rows.getRows(0), columns, rows.getExperts(),
                    /*adds=*/false, /*lineA=*/0, /*resultRows=*/height);
  std::vector<RunProduct> products;
  for (int64_t e = 0; e < rows.getExperts() && status.ok(); ++e) {
    char *own = rowAt(result, e * height * columns, resultType);
    if (rows.getRows(e) == 0)
      status = setBytes(own, 0, width * columns * moert_type_size(resultType));
    else
      products.push_back({rowAt(a, rows.getFirst(placeOfA, e) * width, type),
                          rowAt(b, rows.getFirst(placeOfB, e) * columns, type),
                          own, width, rows.getRows(e), columns});
  }
  return status.ok() ? multiplyRuns(products, type, resultType, /*turnsA=*/true,
                                    /*turnsB=*/false, /*adds=*/false)
                     : status;
}
