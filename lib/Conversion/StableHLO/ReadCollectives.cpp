// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of StableHLO to moe.

#include "StableHLO.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

GroupAttrInterface moe::readGroups(Attribute attr, const ReadMesh &mesh) {
  MeshOp op = mesh.op;
  if (std::optional<MeshAxesGroups> groups = parseMeshAxesGroups(attr)) {
    SmallVector<StringRef> names(groups->axes.begin(), groups->axes.end());
    llvm::StringSet<> seen;
    if (!mesh.names.contains(groups->mesh) ||
        !llvm::all_of(names, [&](StringRef name) {
          return op.getAxisIndex(name) && seen.insert(name).second;
        }))
      return nullptr;
    return GroupAttr::get(FlatSymbolRefAttr::get(op.getSymNameAttr()), names);
  }
  return readRankGroups(attr, op);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {

/// Reads collectives one at a time. What is not understood stays.
class Reader {
public:
  Reader(const ReadMesh &mesh) : mesh(mesh) {}

  void read(Operation *op) {
    this->op = op;
    why.clear();
    Value made = create(op->getName().getStringRef());
    if (!made) {
      if (!why.empty())
        remark::missed(op->getLoc(), remark::RemarkOpts::name("read").category(
                                         "convert-stablehlo-to-moe"))
            << remark::reason("{0}", why);
      return;
    }
    Operation *to = made.getDefiningOp();
    for (NamedAttribute attr : op->getDiscardableAttrs())
      to->setDiscardableAttr(attr.getName(), attr.getValue());
    if (Attribute groups = op->getAttr("replica_groups"))
      to->setDiscardableAttr(kGroupsAttr, groups);
    if (Attribute channel = op->getAttr("channel_handle"))
      to->setDiscardableAttr(kChannelAttr, channel);
    if (isa<AllReduceOp, ReduceScatterOp>(to))
      if (DictionaryAttr attrs =
              op->getRegion(0).front().front().getDiscardableAttrDictionary();
          !attrs.empty())
        to->setDiscardableAttr(kReducerAttr, attrs);
    op->getResult(0).replaceAllUsesWith(made);
    op->erase();
  }

private:
  Value create(StringRef name) {
    bool isRagged =
        name == "stablehlo.custom_call" && isTarget("ragged_all_to_all");
    bool isExchange = name == "stablehlo.all_to_all";
    bool isGather = name == "stablehlo.all_gather";
    bool isScatter = name == "stablehlo.reduce_scatter";
    bool isReduce = name == "stablehlo.all_reduce";
    if (!isRagged && !isExchange && !isGather && !isScatter && !isReduce)
      return nullptr;
    if (!isPlain(isRagged ? 6 : 1))
      return nullptr;
    if (isRagged)
      return createRagged();
    // Without a channel, or without global numbers, groups are of replicas.
    std::optional<int64_t> channel =
        parseChannel(op->getAttr("channel_handle"));
    if (!channel || *channel < 1)
      return miss("expected a channel_handle of at least 1");
    if (!isExchange && !op->hasAttr("use_global_device_ids"))
      return miss("expected use_global_device_ids");
    GroupAttrInterface group = readGroups(op->getAttr("replica_groups"), mesh);
    if (!group)
      return miss("expected replica_groups of the mesh that is read");
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    Type type = op->getResult(0).getType();
    if (isExchange) {
      auto split = getDim("split_dimension"),
           concat = getDim("concat_dimension");
      auto count = getDim("split_count");
      FailureOr<int64_t> size = group.getGroupSize(op);
      if (!split || !concat || !count || failed(size) || *count != *size)
        return miss("expected split_dimension, concat_dimension, and a "
                    "split_count of the group's size");
      return AllToAllOp::create(b, loc, type, x, group, *split, *concat);
    }
    if (isGather) {
      auto dim = getDim("all_gather_dim");
      if (!dim)
        return miss("expected all_gather_dim");
      return AllGatherOp::create(b, loc, type, x, group, *dim);
    }
    std::optional<Reduction> reduction = getReduction();
    if (!reduction)
      return miss("expected a region that adds, multiplies, or takes the least "
                  "or greatest of its arguments");
    if (isReduce)
      return type == x.getType()
                 ? AllReduceOp::create(b, loc, type, x, group, *reduction)
                 : miss("expected a result of the operand's type");
    auto dim = getDim("scatter_dimension");
    if (!dim)
      return miss("expected scatter_dimension");
    return ReduceScatterOp::create(b, loc, type, x, group, *dim, *reduction);
  }

  Value miss(StringRef reason) {
    why = reason.str();
    return nullptr;
  }

  bool isTarget(StringRef target) {
    auto name = dyn_cast_or_null<StringAttr>(op->getAttr("call_target_name"));
    return name && name.getValue() == target;
  }

  /// One result, as many operands, all tensors such as this dialect has.
  bool isPlain(unsigned operands) {
    if (op->getNumResults() != 1 || op->getNumOperands() != operands ||
        op->getNumSuccessors() != 0) {
      miss("expected " + std::to_string(operands) + " operands and one result");
      return false;
    }
    auto isKnown = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.getElementType().isIntOrIndexOrFloat();
    };
    if (llvm::all_of(op->getOperandTypes(), isKnown) &&
        llvm::all_of(op->getResultTypes(), isKnown))
      return true;
    miss("expected ranked tensors of integers or floats");
    return false;
  }

  std::optional<int64_t> getDim(StringRef name) {
    auto attr = dyn_cast_or_null<IntegerAttr>(op->getAttr(name));
    if (!attr || !attr.getType().isInteger(64))
      return std::nullopt;
    return attr.getInt();
  }

  /// What a region of one op on its two arguments reduces by.
  std::optional<Reduction> getReduction() {
    if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
      return std::nullopt;
    Block &block = op->getRegion(0).front();
    if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
      return std::nullopt;
    Operation &does = block.front(), &back = block.back();
    if (back.getName().getStringRef() != "stablehlo.return" ||
        does.getNumResults() != 1 || does.getNumOperands() != 2 ||
        does.getOperand(0) != block.getArgument(0) ||
        does.getOperand(1) != block.getArgument(1) ||
        back.getNumOperands() != 1 || back.getOperand(0) != does.getResult(0))
      return std::nullopt;
    // Of booleans, add is or.
    if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
      return std::nullopt;
    return llvm::StringSwitch<std::optional<Reduction>>(
               does.getName().getStringRef())
        .Case("stablehlo.add", Reduction::Sum)
        .Case("stablehlo.multiply", Reduction::Prod)
        .Case("stablehlo.minimum", Reduction::Min)
        .Case("stablehlo.maximum", Reduction::Max)
        .Default(std::nullopt);
  }

  /// JAX's operands are what is sent, what is written into, and of each peer
  /// the offset and size of what is sent, the offset it goes to there, and the
  /// size of what is received. The receiver knows its own offsets only from
  /// its peers.
  Value createRagged() {
    auto config =
        dyn_cast_or_null<DictionaryAttr>(op->getAttr("backend_config"));
    GroupAttrInterface group =
        config ? readGroups(config.get("replica_groups"), mesh) : nullptr;
    if (!group)
      return miss("expected a backend_config with replica_groups of the mesh "
                  "that is read");
    FailureOr<int64_t> size = group.getGroupSize(op);
    Type offsets = op->getOperand(2).getType();
    for (unsigned i = 2; i < 6; ++i) {
      auto type = cast<RankedTensorType>(op->getOperand(i).getType());
      if (failed(size) || type != offsets || type.getRank() != 1 ||
          type.getDimSize(0) != *size ||
          !type.getElementType().isSignlessInteger())
        return miss("expected offsets and sizes of one entry for each rank of "
                    "the group");
    }
    if (op->getOperand(1).getType() != op->getResult(0).getType())
      return miss("expected a result of the type of what is written into");
    OpBuilder b(op);
    Value received = AllToAllOp::create(b, op->getLoc(), offsets,
                                        op->getOperand(4), group, 0, 0);
    auto made = RaggedAllToAllOp::create(
        b, op->getLoc(), op->getResult(0).getType(), op->getOperand(0),
        op->getOperand(1), op->getOperand(2), op->getOperand(3), received,
        op->getOperand(5), group);
    made->setDiscardableAttr(kConfigAttr, config);
    return made;
  }

  const ReadMesh &mesh;
  Operation *op = nullptr;
  std::string why;
};

} // namespace

void moe::readCollectives(ModuleOp module, const ReadMesh &mesh) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "stablehlo")
      found.push_back(op);
  });
  Reader reader(mesh);
  for (Operation *op : found)
    reader.read(op);
}
