// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of PyTorch's collectives to moe.

#include "Torch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moe;

/// Returns the name of a functional collective; empty for other ops. Programs
/// that are differentiated later have collectives in a separate namespace.
static StringRef getCollective(Operation *op) {
  StringRef name = getTorchName(op);
  if (name.consume_front("torch._c10d_functional.") ||
      name.consume_front("torch._c10d_functional_autograd.") ||
      (name == "torch._dtensor.shard_dim_alltoall" &&
       name.consume_front("torch._dtensor.")))
    return name;
  return "";
}

bool moe::isTorchCollective(Operation *op) {
  return !getCollective(op).empty();
}

namespace {

/// Reads collectives one at a time. PyTorch's schemas define their operands
/// (torch/csrc/distributed/c10d/Functional.cpp).
class TorchReader {
public:
  TorchReader(const TorchJob &job,
              llvm::DenseMap<Operation *, std::string> &reasons)
      : job(job), reasons(reasons) {}

  LogicalResult read(Operation *from) {
    op = from;
    isAverage = false;
    name = getCollective(op);
    if (name == "wait_tensor")
      return readWait();
    if (name == "all_to_all_single")
      return readAllToAll();
    if (name == "all_gather_into_tensor")
      return readAllGather();
    if (name == "reduce_scatter_tensor")
      return readReduceScatter();
    if (name == "all_reduce")
      return readAllReduce();
    if (name == "shard_dim_alltoall")
      return readShardDim();
    if (name == "all_reduce_coalesced" ||
        name == "all_gather_into_tensor_coalesced" ||
        name == "reduce_scatter_tensor_coalesced")
      return readCoalesced();
    return leave("expected all_to_all_single, all_gather_into_tensor, "
                 "reduce_scatter_tensor, all_reduce or wait_tensor, got " +
                 name.str());
  }

private:
  LogicalResult leave(const std::string &why) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("read").category(
                                     "convert-torch-to-moe"))
        << remark::reason("{0}", why);
    reasons[op] = why;
    return success();
  }
  InFlightDiagnostic error() { return op->emitOpError() << name << ": "; }

  //===--------------------------------------------------------------------===//
  // Arguments
  //===--------------------------------------------------------------------===//

  /// Returns true if a size is known only at run time. Such collectives are not
  /// converted.
  bool hasOpenSizes() {
    return llvm::any_of(
        llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                           llvm::to_vector(op->getResultTypes())),
        [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && !tensor.hasStaticShape();
        });
  }
  LogicalResult leaveOpen() {
    return leave("expected tensors of known shapes, got sizes that are "
                 "computed");
  }

  /// Requires `count` operands, of which the first is a tensor, and one tensor
  /// as the result.
  LogicalResult readTensors(unsigned count) {
    if (op->getNumOperands() != count || op->getNumResults() != 1)
      return error() << "expected " << count << " operands and one result, got "
                     << op->getNumOperands() << " and " << op->getNumResults();
    for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()})
      if (!isa<RankedTensorType>(type))
        return error() << "expected tensors of a known rank, of floats, "
                          "integers of at most 64 bits or booleans, got "
                       << type;
    x = op->getOperand(0);
    from = cast<RankedTensorType>(x.getType());
    to = cast<RankedTensorType>(op->getResult(0).getType());
    if (from.getElementType() != to.getElementType())
      return error() << "expected a result of " << from.getElementType()
                     << ", got " << to.getElementType();
    return success();
  }

  /// Reads the group that the last operand names.
  LogicalResult readGroup() {
    auto said = dyn_cast_or_null<StringAttr>(
        getTorchConstant(op->getOperands().back()));
    if (!said)
      return error() << "expected the group's name as a constant string";
    group = job.groups.lookup(said.getValue());
    if (!group) {
      SmallVector<StringRef> known(job.groups.keys());
      llvm::sort(known);
      return error() << "expected groups to say what group '" << said.getValue()
                     << "' is, got [" << llvm::join(known, ", ") << "]";
    }
    FailureOr<int64_t> ranks = group.getGroupSize(op);
    if (failed(ranks))
      return failure();
    size = *ranks;
    groupName = said.getValue();
    return success();
  }

  LogicalResult checkSize(unsigned operand) {
    std::optional<int64_t> said =
        getTorchInt(getTorchConstant(op->getOperand(operand)));
    if (!said)
      return error() << "expected group_size as a constant integer";
    if (*said != size)
      return error() << "expected group_size " << size
                     << ", the ranks of group '" << groupName << "', got "
                     << *said;
    return success();
  }

  /// Returns the operand's type with this dim 0.
  RankedTensorType withRows(int64_t rows) {
    SmallVector<int64_t> shape(from.getShape());
    if (!shape.empty())
      shape.front() = rows;
    return RankedTensorType::get(shape, from.getElementType());
  }
  /// The result must have this dim 0 and the operand's other dims, as far as
  /// these are known.
  LogicalResult checkResult(int64_t rows) {
    RankedTensorType expected = withRows(rows);
    if (!areCompatible(to.getShape(), expected.getShape()))
      return error() << "expected a result of " << expected << ", got " << to;
    return success();
  }
  static int64_t multiply(int64_t rows, int64_t by) {
    return ShapedType::isDynamic(rows) ? rows : rows * by;
  }
  LogicalResult checkRows() {
    if (from.getRank() < 1)
      return error() << "expected a tensor with a dim, got " << from;
    return success();
  }
  LogicalResult checkDivides() {
    if (!from.isDynamicDim(0) && from.getDimSize(0) % size != 0)
      return error() << "expected dim 0 to divide by the " << size
                     << " ranks of group '" << groupName << "', got " << from;
    return success();
  }

  /// Checks the lists of sizes sent to and received from each rank. Because
  /// every rank runs this text, the size in[j] that rank i sends to rank j must
  /// equal the size out[i] that j receives from i, for all i and j. Therefore
  /// all sizes are equal.
  LogicalResult checkSplits(unsigned operand, StringRef what, int64_t rows) {
    auto splits = getTorchInts(getTorchConstant(op->getOperand(operand)));
    if (!splits)
      return error() << "expected " << what << " of constants";
    if (int64_t(splits->size()) != size)
      return error() << "expected " << what << " of an entry for each of the "
                     << size << " ranks of group '" << groupName << "', got "
                     << splits->size();
    int64_t sum = 0;
    for (int64_t split : *splits)
      if (split < 0 || llvm::AddOverflow(sum, split, sum))
        return error() << "expected " << what << " of at least 0, got "
                       << split;
    if (!areCompatible(sum, rows))
      return error() << "expected " << what << " that add up to dim 0, " << rows
                     << ", got " << sum;
    if (!llvm::all_equal(*splits))
      return error() << "expected " << what
                     << " that are equal, as the same text "
                     << "on all ranks needs them: what a rank sends to another "
                        "is what that one receives; got "
                     << splits->front()
                     << " and others; splits that are computed are read";
    return success();
  }

  std::optional<Reduction> getReduction(StringRef text) {
    return llvm::StringSwitch<std::optional<Reduction>>(text)
        .Cases({"sum", "avg"}, Reduction::Sum)
        .Case("product", Reduction::Prod)
        .Case("min", Reduction::Min)
        .Case("max", Reduction::Max)
        .Default(std::nullopt);
  }

  /// Reads the reduction in operand 1. Leaves `reduction` empty if the
  /// collective must stay unconverted.
  LogicalResult readReduction() {
    auto said =
        dyn_cast_or_null<StringAttr>(getTorchConstant(op->getOperand(1)));
    if (!said)
      return error() << "expected reduce_op as a constant string";
    // PyTorch compares without regard to case.
    std::string text = said.getValue().lower();
    reduction = getReduction(text);
    isAverage = text == "avg";
    bool isFloat = isa<FloatType>(from.getElementType());
    if (isAverage && !(from.hasStaticShape() && to.hasStaticShape())) {
      reduction.reset();
      return leave("expected an average of tensors of known shapes, got sizes "
                   "that are computed");
    }
    if (!reduction || (isAverage && !isFloat)) {
      reduction.reset();
      return leave(
          "expected a reduce_op that is sum, product, min, max, or avg "
          "of floats, got " +
          said.str());
    }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  /// Returns the result of a collective that replaces the read one for a
  /// tensor, divided by the number of ranks for an average.
  Value finish(Operation *made) {
    carryOver(op, made);
    Value value = made->getResult(0);
    if (!isAverage)
      return value;
    OpBuilder b(op);
    auto type = cast<RankedTensorType>(value.getType());
    Value ranks = arith::ConstantOp::create(
        b, op->getLoc(),
        DenseElementsAttr::get(
            type, b.getFloatAttr(type.getElementType(), double(size))));
    return arith::DivFOp::create(b, op->getLoc(), value, ranks);
  }

  static bool isWait(Operation *of) {
    return getCollective(of) == "wait_tensor";
  }
  /// Returns true if an op takes an element from the list of a collective that
  /// is not converted.
  static bool staysInList(Operation *of) {
    StringRef taken = getTorchName(of);
    Operation *maker = (taken == "torch.aten.__getitem__.t" ||
                        taken == "torch.prim.ListUnpack") &&
                               of->getNumOperands() > 0
                           ? of->getOperand(0).getDefiningOp()
                           : nullptr;
    return maker && isTorchCollective(maker);
  }

  LogicalResult replace(Operation *made) {
    op->getResult(0).replaceAllUsesWith(castTo(finish(made), to));
    op->erase();
    return success();
  }
  /// Casts to a type with other static sizes, because the types of the text may
  /// differ in the sizes that they state.
  Value castTo(Value value, RankedTensorType type) {
    if (value.getType() == type)
      return value;
    OpBuilder b(op);
    return tensor::CastOp::create(b, op->getLoc(), type, value);
  }

  /// Removes a wait, because moe values are implicitly complete at their uses.
  /// A collective that is not converted keeps its wait.
  LogicalResult readWait() {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return error() << "expected one operand, and one result of its type";
    Operation *launch = op->getOperand(0).getDefiningOp();
    if (launch &&
        (staysInList(launch) || (isTorchCollective(launch) && !isWait(launch))))
      return success();
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
    return success();
  }

  /// (input, output_split_sizes, input_split_sizes, group_name)
  LogicalResult readAllToAll() {
    if (failed(readTensors(4)) || failed(readGroup()) || failed(checkRows()))
      return failure();
    auto received = getTorchInts(getTorchConstant(op->getOperand(1)));
    auto sent = getTorchInts(getTorchConstant(op->getOperand(2)));
    if (!sent || !received)
      return readRagged();
    if (failed(checkSplits(2, "input_split_sizes", from.getDimSize(0))))
      return failure();
    int64_t rows = llvm::sum_of(*sent);
    int64_t rowsReceived = to.getRank() == 0    ? 0
                           : to.isDynamicDim(0) ? rows
                                                : to.getDimSize(0);
    if (failed(checkSplits(1, "output_split_sizes", rowsReceived)) ||
        failed(checkResult(rows)))
      return failure();
    OpBuilder b(op);
    RankedTensorType known = withRows(rows);
    x = castTo(x, known);
    return replace(AllToAllOp::create(b, op->getLoc(), known, x, group, 0, 0));
  }

  /// Reads an exchange whose splits the text computes. This rank's rows for
  /// each rank are consecutive, and so are the rows from each rank in the
  /// result. PyTorch checks at run time that the splits add up to the rows.
  LogicalResult readRagged() {
    for (unsigned i : {1, 2}) {
      Operation *list = op->getOperand(i).getDefiningOp();
      if (!list || getTorchName(list) != "torch.prim.ListConstruct")
        return leave("expected split sizes as a list that the text "
                     "constructs");
    }
    if (failed(checkResult(ShapedType::kDynamic)) ||
        failed(
            checkComputedSplits(1, "output_split_sizes", to.getDimSize(0))) ||
        failed(checkComputedSplits(2, "input_split_sizes", from.getDimSize(0))))
      return failure();
    for (unsigned i : {1, 2})
      for (Value split : op->getOperand(i).getDefiningOp()->getOperands())
        if (split.getType() != getTorchIntType())
          return leave("expected split sizes that are integers");
    OpBuilder b(op);
    auto [sendOffsets, sendSizes] = createSplits(2);
    auto [recvOffsets, recvSizes] = createSplits(1);
    SmallVector<Value> sizes{create(kTorchRows, {recvSizes}, b.getIndexType())};
    RankedTensorType type = withRows(ShapedType::kDynamic);
    for (int64_t d = 1; d < type.getRank(); ++d)
      if (type.isDynamicDim(d))
        sizes.push_back(tensor::DimOp::create(b, op->getLoc(), x, d));
    // PyTorch writes all rows of the result.
    Value init = tensor::EmptyOp::create(b, op->getLoc(), type, sizes);
    return replace(RaggedAllToAllOp::create(b, op->getLoc(), type, x, init,
                                            sendOffsets, sendSizes, recvOffsets,
                                            recvSizes, group));
  }

  Type getTorchIntType() {
    return OpaqueType::get(StringAttr::get(op->getContext(), "torch"), "int");
  }

  /// Checks splits of which some are computed, as far as they are known.
  LogicalResult checkComputedSplits(unsigned operand, StringRef what,
                                    int64_t rows) {
    auto splits = op->getOperand(operand).getDefiningOp()->getOperands();
    if (int64_t(splits.size()) != size)
      return error() << "expected " << what << " of an entry for each of the "
                     << size << " ranks of group '" << groupName << "', got "
                     << splits.size();
    int64_t sum = 0;
    bool isComputed = false;
    for (Value value : splits) {
      std::optional<int64_t> split = getTorchInt(getTorchConstant(value));
      isComputed |= !split;
      if (split && (*split < 0 || llvm::AddOverflow(sum, *split, sum)))
        return error() << "expected " << what << " of at least 0, got "
                       << *split;
    }
    if (!ShapedType::isDynamic(rows) && (isComputed ? sum > rows : sum != rows))
      return error() << "expected " << what << " that add up to dim 0, " << rows
                     << ", got " << (isComputed ? "at least " : "") << sum;
    return success();
  }

  Value create(StringRef opName, ValueRange operands, Type type) {
    OperationState state(op->getLoc(), opName);
    state.addOperands(operands);
    state.addTypes(type);
    return OpBuilder(op).create(state)->getResult(0);
  }
  /// Creates the offsets and sizes of the runs of rows that splits state.
  std::pair<Value, Value> createSplits(unsigned operand) {
    auto type =
        RankedTensorType::get({size}, IntegerType::get(op->getContext(), 64));
    Value sizes =
        create(kTorchSizes,
               op->getOperand(operand).getDefiningOp()->getOperands(), type);
    return {create(kTorchOffsets, {sizes}, type), sizes};
  }

  /// (input, gather_dim, shard_dim, group_name), of DTensor
  LogicalResult readShardDim() {
    if (hasOpenSizes())
      return leaveOpen();
    if (failed(readTensors(4)) || failed(readGroup()))
      return failure();
    std::optional<int64_t> concat = getDim(1), split = getDim(2);
    if (!concat || !split)
      return error() << "expected gather_dim and shard_dim as constant dims of "
                     << from;
    FailureOr<RankedTensorType> expected =
        inferAllToAllType(from, *split, *concat, size);
    if (failed(expected) || *expected != to)
      return error() << "expected a result of what " << size
                     << " ranks make of " << from << ", got " << to;
    OpBuilder b(op);
    return replace(
        AllToAllOp::create(b, op->getLoc(), to, x, group, *split, *concat));
  }

  std::optional<int64_t> getDim(unsigned operand) {
    std::optional<int64_t> dim =
        getTorchInt(getTorchConstant(op->getOperand(operand)));
    if (dim && *dim < 0)
      *dim += from.getRank();
    return dim && *dim >= 0 && *dim < from.getRank() ? dim : std::nullopt;
  }

  /// (input, group_size, group_name)
  LogicalResult readAllGather() {
    if (failed(readTensors(3)) || failed(readGroup()) || failed(checkSize(1)) ||
        failed(checkAllGather()))
      return failure();
    return replace(createAllGather());
  }
  LogicalResult checkAllGather() {
    return success(succeeded(checkRows()) &&
                   succeeded(checkResult(multiply(from.getDimSize(0), size))));
  }
  Operation *createAllGather() {
    OpBuilder b(op);
    return AllGatherOp::create(b, op->getLoc(), to, x, group, 0);
  }

  /// (input, reduce_op, group_size, group_name)
  LogicalResult readReduceScatter() {
    if (failed(readTensors(4)) || failed(readGroup()) || failed(checkSize(2)) ||
        failed(checkReduceScatter()) || failed(readReduction()))
      return failure();
    return reduction ? replace(createReduceScatter()) : success();
  }
  LogicalResult checkReduceScatter() {
    return success(succeeded(checkRows()) && succeeded(checkDivides()) &&
                   succeeded(checkResult(from.isDynamicDim(0)
                                             ? from.getDimSize(0)
                                             : from.getDimSize(0) / size)));
  }
  Operation *createReduceScatter() {
    OpBuilder b(op);
    return ReduceScatterOp::create(b, op->getLoc(), to, x, group, 0,
                                   *reduction);
  }

  /// (input, reduce_op, group_name)
  LogicalResult readAllReduce() {
    if (failed(readTensors(3)) || failed(readGroup()) ||
        failed(checkAllReduce()) || failed(readReduction()))
      return failure();
    return reduction ? replace(createAllReduce()) : success();
  }
  LogicalResult checkAllReduce() {
    return checkResult(from.getRank() > 0 ? from.getDimSize(0) : 0);
  }
  Operation *createAllReduce() {
    OpBuilder b(op);
    return AllReduceOp::create(b, op->getLoc(), from, x, group, *reduction);
  }

  /// Reads a collective on a list of tensors element by element.
  LogicalResult readCoalesced() {
    bool reduces = name == "all_reduce_coalesced";
    bool gathers = name == "all_gather_into_tensor_coalesced";
    unsigned count = reduces || gathers ? 3 : 4;
    if (op->getNumOperands() != count || op->getNumResults() != 1)
      return error() << "expected " << count << " operands and one result, got "
                     << op->getNumOperands() << " and " << op->getNumResults();
    auto tensors = getTorchList(op->getOperand(0));
    auto elements =
        tensors ? findTorchElements(op, tensors->size()) : std::nullopt;
    if (!elements)
      return leave("expected a list of tensors of known shapes that the text "
                   "constructs, and a result that it unpacks");
    if (failed(readGroup()) || (!reduces && failed(checkSize(gathers ? 1 : 2))))
      return failure();
    auto isOpen = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type && !type.hasStaticShape();
    };
    if (llvm::any_of(*tensors, isOpen) ||
        llvm::any_of(*elements, [&](const TorchElement &element) {
          return isOpen(element.value);
        }))
      return leaveOpen();
    SmallVector<Value> made;
    for (auto [i, tensor] : llvm::enumerate(*tensors)) {
      x = tensor;
      from = to = cast<RankedTensorType>(x.getType());
      for (const TorchElement &element : *elements)
        if (element.index == i)
          to = dyn_cast<RankedTensorType>(element.value.getType());
      if (!to || to.getElementType() != from.getElementType())
        return error() << "expected a result of " << from.getElementType();
      if (failed(reduces   ? checkAllReduce()
                 : gathers ? checkAllGather()
                           : checkReduceScatter()) ||
          (!gathers && failed(readReduction())))
        return failure();
      if (!gathers && !reduction)
        return success();
      made.push_back(finish(reduces   ? createAllReduce()
                            : gathers ? createAllGather()
                                      : createReduceScatter()));
    }
    replaceTorchElements(op, *elements, made);
    return success();
  }

  const TorchJob &job;
  llvm::DenseMap<Operation *, std::string> &reasons;
  Operation *op = nullptr;
  StringRef name, groupName;
  Value x;
  RankedTensorType from, to;
  GroupAttrInterface group;
  int64_t size = 0;
  std::optional<Reduction> reduction;
  bool isAverage = false;
};

} // namespace

LogicalResult
moe::readTorchCollectives(ModuleOp module, const TorchJob &job,
                          llvm::DenseMap<Operation *, std::string> &reasons) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isTorchCollective(op))
      found.push_back(op);
  });
  TorchReader reader(job, reasons);
  for (Operation *op : found)
    if (failed(reader.read(op)))
      return failure();
  return success();
}
