// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of StableHLO collectives to moe.

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

/// Converts collectives one at a time. Keeps ops that it does not understand.
class Reader {
public:
  Reader(const ReadMesh &mesh, ReadReasons &reasons)
      : mesh(mesh), reasons(reasons) {}

  void read(Operation *op) {
    this->op = op;
    why.clear();
    SmallVector<Value> made;
    if (!createAll(made)) {
      for (Value value : made)
        value.getDefiningOp()->erase();
      if (why.empty())
        return;
      remark::missed(op->getLoc(), remark::RemarkOpts::name("read").category(
                                       "convert-stablehlo-to-moe"))
          << remark::reason("{0}", why);
      reasons.try_emplace(op, why);
      return;
    }
    for (Value value : made)
      carry(value.getDefiningOp());
    op->replaceAllUsesWith(made);
    reasons.erase(op);
    op->erase();
  }

private:
  /// Creates one collective per operand. Returns false, with nothing created,
  /// for ops that are not collectives or cannot be converted.
  bool createAll(SmallVectorImpl<Value> &made) {
    StringRef name = op->getName().getStringRef();
    if (name == "stablehlo.custom_call" && isTarget("ragged_all_to_all")) {
      if (!isPlain(6, 1))
        return false;
      made.push_back(createRagged());
    } else if (llvm::is_contained(
                   {"stablehlo.all_to_all", "stablehlo.all_gather",
                    "stablehlo.reduce_scatter", "stablehlo.all_reduce",
                    "stablehlo.collective_permute"},
                   name)) {
      unsigned count = std::max(op->getNumResults(), 1u);
      if (!isPlain(count, count))
        return false;
      for (number = 0; number < count; ++number)
        if (Value value = create(name))
          made.push_back(value);
        else
          return false;
    }
    if (!made.empty() && made.back())
      return true;
    made.clear();
    return false;
  }

  /// Copies the attributes that the export needs to the new collective.
  void carry(Operation *to) {
    for (NamedAttribute attr : op->getDiscardableAttrs())
      to->setDiscardableAttr(attr.getName(), attr.getValue());
    if (Attribute groups = op->getAttr("replica_groups"))
      to->setDiscardableAttr(kGroupsAttr, groups);
    if (Attribute channel = op->getAttr("channel_handle"))
      to->setDiscardableAttr(kChannelAttr, channel);
    bool hasIds = op->hasAttr("use_global_device_ids") ||
                  isa<AllToAllOp, CollectivePermuteOp>(to);
    if (mesh.countsNothing && (!hasIds || !op->hasAttr("channel_handle")))
      to->setDiscardableAttr(kReplicaIdsAttr, UnitAttr::get(op->getContext()));
    if (isa<AllReduceOp, ReduceScatterOp>(to))
      if (DictionaryAttr attrs =
              op->getRegion(0).front().front().getDiscardableAttrDictionary();
          !attrs.empty())
        to->setDiscardableAttr(kReducerAttr, attrs);
  }

  Value create(StringRef name) {
    bool isExchange = name == "stablehlo.all_to_all";
    bool isGather = name == "stablehlo.all_gather";
    bool isReduce = name == "stablehlo.all_reduce";
    bool isPermute = name == "stablehlo.collective_permute";
    // Without a channel or global ids, groups consist of replicas.
    std::optional<int64_t> channel =
        parseChannel(op->getAttr("channel_handle"));
    if (!mesh.isOfReplicas && !mesh.countsNothing) {
      if (!channel || *channel < 1)
        return miss("expected a channel_handle of at least 1");
      if (!isExchange && !isPermute && !op->hasAttr("use_global_device_ids"))
        return miss("expected use_global_device_ids");
    }
    if (isPermute)
      return createPermute();
    GroupAttrInterface group = readGroups(op->getAttr("replica_groups"), mesh);
    if (!group)
      return miss("expected replica_groups of the mesh that is read");
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value x = op->getOperand(number);
    Type type = op->getResult(number).getType();
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

  /// Returns true if there are exactly this many operands and results, and all
  /// are tensors with supported element types.
  bool isPlain(unsigned operands, unsigned results) {
    if (op->getNumResults() != results || op->getNumOperands() != operands ||
        op->getNumSuccessors() != 0) {
      miss("expected " + std::to_string(operands) + " operands and " +
           std::to_string(results) + " results, got " +
           std::to_string(op->getNumOperands()) + " and " +
           std::to_string(op->getNumResults()));
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

  /// Returns the reduction of a region with one op on its two arguments.
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
    // For booleans, add means or.
    if (getElementTypeOrSelf(op->getOperand(number)).isInteger(1))
      return std::nullopt;
    return llvm::StringSwitch<std::optional<Reduction>>(
               does.getName().getStringRef())
        .Case("stablehlo.add", Reduction::Sum)
        .Case("stablehlo.multiply", Reduction::Prod)
        .Case("stablehlo.minimum", Reduction::Min)
        .Case("stablehlo.maximum", Reduction::Max)
        .Default(std::nullopt);
  }

  Value createPermute() {
    Value x = op->getOperand(0);
    std::optional<PermuteGroup> permute =
        readPermute(op->getAttr("source_target_pairs"), mesh.op);
    if (!permute || op->getNumOperands() != 1 ||
        x.getType() != op->getResult(0).getType())
      return miss("expected one operand, a result of its type, and "
                  "source_target_pairs of devices of the mesh, each of them a "
                  "source once and a target once");
    OpBuilder b(op);
    return CollectivePermuteOp::create(b, op->getLoc(), x.getType(), x,
                                       permute->group,
                                       b.getDenseI64ArrayAttr(permute->from),
                                       b.getDenseI64ArrayAttr(permute->to));
  }

  /// JAX's operands are the sent tensor, the tensor to write into, and per
  /// peer: the offset and size of the sent rows, their offset at the peer, and
  /// the size of the received rows. The receiver must ask its peers for its own
  /// offsets.
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
  ReadReasons &reasons;
  Operation *op = nullptr;
  /// Number of the current operand.
  unsigned number = 0;
  std::string why;
};

} // namespace

/// Replaces a `stablehlo.async_start` by the op that it starts, and the results
/// of `async_done` by the results of that op. Leaves ops of any other form.
static void readAsync(Operation *start) {
  if (start->getNumRegions() != 1 || !start->getRegion(0).hasOneBlock() ||
      start->getNumResults() != 1 || !start->hasOneUse())
    return;
  Operation *done = *start->user_begin();
  Block &block = start->getRegion(0).front();
  if (done->getName().getStringRef() != "stablehlo.async_done" ||
      done->getNumOperands() != 1 || block.empty() ||
      block.getNumArguments() != start->getNumOperands() ||
      block.getArgumentTypes() != start->getOperandTypes() ||
      block.back().getName().getStringRef() != "stablehlo.return" ||
      block.back().getOperandTypes() != done->getResultTypes())
    return;
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), start->getOperands()))
    argument.replaceAllUsesWith(operand);
  done->replaceAllUsesWith(block.back().getOperands());
  block.back().erase();
  start->getBlock()->getOperations().splice(start->getIterator(),
                                            block.getOperations());
  done->erase();
  start->erase();
}

void moe::readCollectives(ModuleOp module, const ReadMesh &mesh,
                          ReadReasons &reasons) {
  SmallVector<Operation *> starts;
  module.walk([&](Operation *op) {
    if (op->getName().getStringRef() == "stablehlo.async_start")
      starts.push_back(op);
  });
  llvm::for_each(starts, readAsync);
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "stablehlo")
      found.push_back(op);
  });
  Reader reader(mesh, reasons);
  for (Operation *op : found)
    reader.read(op);
}
