// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the ranks and groups of a job from options.

#include "../ReadMesh.h"
#include "Torch.h"

using namespace mlir;
using namespace moe;

/// Splits a text at commas outside of brackets.
static SmallVector<StringRef> splitItems(StringRef text) {
  SmallVector<StringRef> items;
  size_t from = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ',') {
      depth += text[i] == '[';
      depth -= text[i] == ']';
    } else if (i == text.size() || depth == 0) {
      items.push_back(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  if (text.trim().empty())
    items.clear();
  return items;
}

namespace {

class JobReader {
public:
  explicit JobReader(ModuleOp module) : module(module) {}

  FailureOr<TorchJob> read(StringRef mesh, StringRef groups,
                           StringRef varying) {
    if (failed(readMesh(mesh)))
      return failure();
    for (StringRef item : splitItems(groups))
      if (failed(readGroup(item)))
        return failure();
    for (StringRef item : splitItems(varying))
      if (failed(readVarying(item)))
        return failure();
    return std::move(job);
  }

private:
  InFlightDiagnostic error() { return emitError(module.getLoc()); }

  LogicalResult readMesh(StringRef text) {
    SmallVector<std::string> names;
    SmallVector<int64_t> sizes;
    for (StringRef item : splitItems(text)) {
      auto [name, size] = item.split('=');
      names.push_back(name.trim().str());
      if (size.trim().getAsInteger(10, sizes.emplace_back()))
        return error() << "expected mesh to be axes and their sizes, such as "
                          "ep=4,tp=2, got '"
                       << item << "'";
    }
    if (names.empty())
      return error() << "mesh is required, for example mesh=ep=4,tp=2";
    if (std::string why = findMeshObstacle(names, sizes); !why.empty())
      return error() << "mesh: " << why;
    job.mesh = createMesh(module, module.getLoc(), names, sizes);
    return success();
  }

  /// Reads axes separated by `+`. Each must be an axis of the mesh and occur
  /// once.
  LogicalResult readAxes(StringRef text, StringRef item,
                         SmallVectorImpl<std::string> &axes) {
    SmallVector<StringRef> names;
    text.split(names, '+', -1, /*KeepEmpty=*/false);
    for (StringRef name : names) {
      name = name.trim();
      if (!job.mesh.getAxisIndex(name))
        return error() << "expected an axis of the mesh, " << job.mesh.getAxes()
                       << ", got '" << name << "' in '" << item << "'";
      if (llvm::is_contained(axes, name))
        return error() << "expected each axis once, got '" << item << "'";
      axes.push_back(name.str());
    }
    return success();
  }

  LogicalResult readGroup(StringRef item) {
    auto [name, what] = item.rsplit('=');
    name = name.trim();
    what = what.trim();
    if (name.empty() || what.empty())
      return error()
             << "expected groups to be names and what they are, such as "
                "0=ep or 1=[[0,1],[2,3]], got '"
             << item << "'";
    GroupAttrInterface group;
    if (what.starts_with("[")) {
      group = readLists(what);
      if (!group)
        return error() << "expected lists in brackets, as long as each other, "
                          "that hold each of the mesh's "
                       << job.mesh.getNumRanks() << " ranks once, got '" << item
                       << "'";
    } else {
      SmallVector<std::string> axes;
      if (failed(readAxes(what, item, axes)))
        return failure();
      SmallVector<StringRef> names(axes.begin(), axes.end());
      group = GroupAttr::get(FlatSymbolRefAttr::get(job.mesh.getSymNameAttr()),
                             names);
    }
    if (!job.groups.insert({name, group}).second)
      return error() << "expected each group once, got '" << name << "' again";
    return success();
  }

  /// Returns null unless the text has lists of equal length with all ranks.
  GroupAttrInterface readLists(StringRef text) {
    if (!text.consume_front("[") || !text.consume_back("]"))
      return nullptr;
    SmallVector<int64_t> ranks;
    SmallVector<StringRef> lists = splitItems(text);
    for (auto [i, list] : llvm::enumerate(lists)) {
      if (!list.consume_front("[") || !list.consume_back("]"))
        return nullptr;
      for (StringRef rank : splitItems(list))
        if (rank.getAsInteger(10, ranks.emplace_back()))
          return nullptr;
      // Each list must have an equal share of all ranks.
      if (ranks.size() * lists.size() !=
          (i + 1) * size_t(job.mesh.getNumRanks()))
        return nullptr;
    }
    if (lists.empty() || int64_t(ranks.size()) != job.mesh.getNumRanks())
      return nullptr;
    auto type = RankedTensorType::get(
        {int64_t(lists.size()), int64_t(ranks.size() / lists.size())},
        IntegerType::get(module.getContext(), 64));
    return readRankGroups(DenseIntElementsAttr::get(type, ArrayRef(ranks)),
                          job.mesh);
  }

  LogicalResult readVarying(StringRef item) {
    auto [text, axes] = item.split('=');
    unsigned argument;
    if (!item.contains('=') || text.trim().getAsInteger(10, argument))
      return error() << "expected varying to be arguments and their axes, such "
                        "as 0=ep or 1=ep+tp, got '"
                     << item << "'";
    auto [said, isNew] = job.varying.insert({argument, {}});
    if (!isNew)
      return error() << "expected each argument once, got " << argument
                     << " again";
    return readAxes(axes, item, said->second);
  }

  ModuleOp module;
  TorchJob job;
};

} // namespace

FailureOr<TorchJob> moe::readTorchJob(ModuleOp module, StringRef mesh,
                                      StringRef groups, StringRef varying) {
  return JobReader(module).read(mesh, groups, varying);
}
