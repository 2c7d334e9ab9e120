// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of Shardy's explicit collectives.

#include "StableHLO.h"

using namespace mlir;
using namespace moe;

using AxisLists = SmallVector<SmallVector<std::string>>;

namespace {

/// The resharding of a global value by one collective of local tensors; it does
/// not change global values.
struct Reshard {
  AxisLists in, out;
  enum { Exchange, Gather, Drop } kind = Exchange;
  int64_t split = 0, concat = 0;
  SmallVector<std::string> axes;
};

} // namespace

/// Removes `axes` from the end of a dim's axes.
static bool removeSuffix(SmallVector<std::string> &dim,
                         ArrayRef<std::string> axes) {
  if (dim.size() < axes.size() || ArrayRef(dim).take_back(axes.size()) != axes)
    return false;
  dim.truncate(dim.size() - axes.size());
  return true;
}

/// Returns the effect of one of Shardy's collectives along one dim, or from one
/// dim to another; nullopt for other ops.
static std::optional<Reshard> readReshard(Operation *op,
                                          const ShardySharding &sharding) {
  Reshard reshard;
  reshard.in.assign(sharding.dims.begin(), sharding.dims.end());
  reshard.out = reshard.in;
  StringRef name = op->getName().getStringRef();
  if (name == "sdy.all_to_all") {
    std::optional<ShardyMove> move = parseMove(op->getAttr("params"));
    int64_t rank = reshard.in.size();
    if (!move || move->from < 0 || move->to < 0 || move->from >= rank ||
        move->to >= rank || move->from == move->to ||
        !removeSuffix(reshard.in[move->to], move->axes))
      return std::nullopt;
    llvm::append_range(reshard.in[move->from], move->axes);
    reshard.split = move->to;
    reshard.concat = move->from;
    reshard.axes = move->axes;
    return reshard;
  }
  bool isGather = name == "sdy.all_gather";
  if (!isGather && name != "sdy.all_slice")
    return std::nullopt;
  auto lists =
      parseAxisLists(op->getAttr(isGather ? "gathering_axes" : "slicing_axes"));
  if (!lists || lists->size() != reshard.in.size())
    return std::nullopt;
  std::optional<unsigned> dim;
  for (auto [d, axes] : llvm::enumerate(*lists))
    if (!axes.empty()) {
      if (dim)
        return std::nullopt;
      dim = d;
    }
  if (!dim)
    return std::nullopt;
  reshard.axes = (*lists)[*dim];
  if (isGather)
    llvm::append_range(reshard.in[*dim], reshard.axes);
  else if (!removeSuffix(reshard.in[*dim], reshard.axes))
    return std::nullopt;
  reshard.kind = isGather ? Reshard::Gather : Reshard::Drop;
  reshard.split = reshard.concat = *dim;
  return reshard;
}

/// Returns the local type of a global value; null if it is not divisible.
static RankedTensorType getLocalType(RankedTensorType type,
                                     const AxisLists &dims, MeshOp mesh) {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.size() != dims.size())
    return nullptr;
  for (auto [size, axes] : llvm::zip_equal(shape, dims))
    for (const std::string &axis : axes) {
      std::optional<unsigned> index = mesh.getAxisIndex(axis);
      if (!index || ShapedType::isDynamic(size) ||
          size % mesh.getShape()[*index] != 0)
        return nullptr;
      size /= mesh.getShape()[*index];
    }
  return type.clone(shape);
}

static Attribute getSharding(StringRef mesh, const AxisLists &dims,
                             MLIRContext *context) {
  std::string text = "sharding_per_value<[<@" + mesh.str() + ", [";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(dims, os, [&](const auto &axes) {
    os << "{";
    llvm::interleaveComma(
        axes, os, [&](const std::string &axis) { os << '"' << axis << '"'; });
    os << "}";
  });
  os << "]>]>";
  return OpaqueAttr::get(StringAttr::get(context, "sdy"), text,
                         NoneType::get(context));
}

static void wrap(Operation *op, const ReadMesh &mesh) {
  std::optional<ShardySharding> sharding =
      parseSharding(op->getAttr("out_sharding"));
  if (!sharding || !mesh.names.contains(sharding->mesh) ||
      !sharding->unreduced.empty() || op->getNumOperands() != 1 ||
      op->getNumResults() != 1 ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return;
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  std::optional<Reshard> reshard = readReshard(op, *sharding);
  if (!type || !reshard || !type.getElementType().isIntOrIndexOrFloat())
    return;
  MeshOp meshOp = mesh.op;
  RankedTensorType in = getLocalType(type, reshard->in, meshOp);
  RankedTensorType out = getLocalType(type, reshard->out, meshOp);
  SmallVector<StringRef> axes(reshard->axes.begin(), reshard->axes.end());
  llvm::StringSet<> seen;
  if (!in || !out || !llvm::all_of(axes, [&](StringRef axis) {
        return meshOp.getAxisIndex(axis) && seen.insert(axis).second;
      }))
    return;
  auto group =
      GroupAttr::get(FlatSymbolRefAttr::get(meshOp.getSymNameAttr()), axes);
  FailureOr<int64_t> size = group.getGroupSize(op);
  if (failed(size))
    return;

  OpBuilder b(op);
  Location loc = op->getLoc();
  MLIRContext *context = b.getContext();
  std::string manual = "manual_axes{";
  llvm::raw_string_ostream os(manual);
  llvm::interleaveComma(meshOp.getAxes(), os);
  os << "}";
  OperationState state(loc, "sdy.manual_computation");
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.propertiesAttr = b.getDictionaryAttr(
      {b.getNamedAttr("in_shardings",
                      getSharding(sharding->mesh, reshard->in, context)),
       b.getNamedAttr("manual_axes",
                      OpaqueAttr::get(StringAttr::get(context, "sdy"), manual,
                                      NoneType::get(context))),
       b.getNamedAttr("out_shardings",
                      getSharding(sharding->mesh, reshard->out, context))});
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.addRegion();
  Operation *computation = b.create(state);
  Block *block = b.createBlock(&computation->getRegion(0), {}, {in}, {loc});
  Value x = block->getArgument(0), made;
  if (reshard->kind == Reshard::Exchange)
    made = AllToAllOp::create(b, loc, out, x, group, reshard->split,
                              reshard->concat);
  else if (reshard->kind == Reshard::Gather)
    made = AllGatherOp::create(b, loc, out, x, group, reshard->concat);
  else
    made = DropOp::create(b, loc, out, x, group, reshard->split);
  OperationState back(loc, "sdy.return");
  back.addOperands(made);
  b.create(back);
  op->replaceAllUsesWith(computation);
  op->erase();
}

void moe::readReshards(ModuleOp module, const ReadMesh &mesh) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "sdy")
      return;
    Operation *parent = op->getParentOp();
    // Skips collectives inside manual computations, because these refer to
    // other axes.
    while (parent &&
           parent->getName().getStringRef() != "sdy.manual_computation")
      parent = parent->getParentOp();
    if (!parent)
      found.push_back(op);
  });
  for (Operation *op : found)
    wrap(op, mesh);
}
