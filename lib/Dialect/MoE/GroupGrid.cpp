// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids of groups.

#include "GroupGrid.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace moe;

using Lists = SmallVector<SmallVector<int64_t>>;

namespace {

/// The group of each rank, and the rank's position in it.
class Members {
public:
  explicit Members(const Lists &lists) : lists(lists) {
    places.resize(lists.size() * lists.front().size());
    for (auto [i, list] : llvm::enumerate(lists))
      for (auto [place, rank] : llvm::enumerate(list))
        places[rank] = {i, place};
  }

  const Lists &getLists() const { return lists; }
  size_t getSize() const { return lists.front().size(); }
  int64_t get(int64_t rank, size_t place) const {
    return lists[places[rank].first][place];
  }

private:
  const Lists &lists;
  SmallVector<std::pair<size_t, size_t>> places;
};

} // namespace

/// Returns true if the two groupings commute, that is, form a grid. Checking
/// from the first rank of each group of `a` is sufficient, because the result
/// then holds for the whole group.
static bool isGrid(const Members &a, const Members &b) {
  for (const auto &group : a.getLists())
    for (size_t p = 0; p < a.getSize(); ++p)
      for (size_t q = 0; q < b.getSize(); ++q)
        if (b.get(group[p], q) != a.get(b.get(group[0], q), p))
          return false;
  return true;
}

/// Verifies groups along axes of one mesh; returns nullopt for other groups.
static std::optional<LogicalResult>
verifyAxes(Operation *op, ArrayRef<GroupAttrInterface> groups) {
  SmallVector<StringRef> seen;
  FlatSymbolRefAttr mesh;
  for (GroupAttrInterface group : groups) {
    auto axes = dyn_cast<GroupAttr>(group);
    if (!axes || (mesh && axes.getMesh() != mesh))
      return std::nullopt;
    mesh = axes.getMesh();
    SmallVector<StringRef> names = *group.getAxisNames();
    for (StringRef axis : names)
      if (llvm::is_contained(seen, axis))
        return LogicalResult(op->emitOpError()
                             << "expected groups without a common axis, got \""
                             << axis << "\" in both");
    llvm::append_range(seen, names);
  }
  return success();
}

LogicalResult moe::verifyGrid(Operation *op,
                              ArrayRef<GroupAttrInterface> groups) {
  SmallVector<GroupAttrInterface> given(
      llvm::make_filter_range(groups, [](auto group) { return bool(group); }));
  if (auto done = verifyAxes(op, given))
    return *done;
  SmallVector<Lists> lists;
  for (GroupAttrInterface group : given) {
    auto listed = group.getRankLists(op);
    if (failed(listed))
      return op->emitOpError()
             << "expected groups along axes of one mesh, or of ranks that can "
                "be listed, got "
             << group;
    lists.push_back(std::move(*listed));
  }
  SmallVector<Members> members(llvm::make_range(lists.begin(), lists.end()));
  for (size_t i = 0; i < given.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      bool iIsLarger = members[i].getSize() > members[j].getSize();
      if (!isGrid(members[iIsLarger ? i : j], members[iIsLarger ? j : i]))
        return op->emitOpError()
               << "expected groups that cross as axes of a mesh do, got "
               << given[j] << " and " << given[i];
    }
  return success();
}
