// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of tensors in PyTorch programs.
//
// `split`, `chunk` and `unbind` make a list, and `cat` and `stack` read one. An
// op on lists has no dims that chunks could follow, so each element becomes a
// slice of its own, and a join becomes `moe.assemble`.

#include "Torch.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"

using namespace mlir;
using namespace moe;

std::optional<SmallVector<Value>> moe::getTorchList(Value list) {
  Operation *op = list.getDefiningOp();
  if (!op || op->getName().getStringRef() != "torch.prim.ListConstruct" ||
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return std::nullopt;
  return llvm::to_vector(op->getOperands());
}

std::optional<SmallVector<TorchElement>>
moe::findTorchElements(Operation *maker, size_t count) {
  SmallVector<TorchElement> elements;
  if (maker->getNumResults() != 1)
    return std::nullopt;
  for (Operation *user : maker->getUsers()) {
    StringRef name = getTorchName(user);
    if (name == "torch.prim.ListUnpack" && user->getNumResults() == count) {
      for (auto [i, result] : llvm::enumerate(user->getResults()))
        elements.push_back({result, i});
      continue;
    }
    std::optional<int64_t> at;
    if (name == "torch.aten.__getitem__.t" && user->getNumOperands() == 2 &&
        user->getNumResults() == 1)
      at = getTorchInt(getTorchConstant(user->getOperand(1)));
    if (at && *at < 0)
      *at += count;
    if (!at || *at < 0 || *at >= int64_t(count))
      return std::nullopt;
    elements.push_back({user->getResult(0), size_t(*at)});
  }
  return elements;
}

void moe::replaceTorchElements(Operation *maker,
                               ArrayRef<TorchElement> elements,
                               ValueRange values) {
  SmallVector<Operation *> users(maker->getUsers());
  for (const TorchElement &element : elements)
    Value(element.value).replaceAllUsesWith(values[element.index]);
  // An op that unpacks a list uses it once.
  for (Operation *user : users)
    user->erase();
  maker->erase();
}

namespace {

/// Reads one list op; leaves ops in unsupported forms unchanged.
class ListReader {
public:
  explicit ListReader(Operation *op) : op(op), b(op) {}

  void read() {
    StringRef name = getTorchName(op);
    if (!name.consume_front("torch.aten.") || op->getNumResults() != 1)
      return;
    if (op->getNumOperands() < 1)
      return;
    if (name == "cat" || name == "stack")
      return join(name == "stack");
    from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!from)
      return;
    if (name == "split_with_sizes")
      cut(getInts(1), getDim(2, from));
    else if (name == "split.Tensor")
      cut(getEven(getInt(1), getDim(2, from)), getDim(2, from));
    else if (name == "chunk")
      cut(getChunks(getInt(1), getDim(2, from)), getDim(2, from));
    else if (name == "unbind.int")
      unbind(getDim(1, from));
  }

private:
  std::optional<int64_t> getInt(unsigned operand) {
    return operand < op->getNumOperands()
               ? getTorchInt(getTorchConstant(op->getOperand(operand)))
               : std::nullopt;
  }
  std::optional<SmallVector<int64_t>> getInts(unsigned operand) {
    return operand < op->getNumOperands()
               ? getTorchInts(getTorchConstant(op->getOperand(operand)))
               : std::nullopt;
  }
  /// Returns a dim of known size. Other dims may be dynamic.
  std::optional<int64_t> getDim(unsigned operand, RankedTensorType type) {
    std::optional<int64_t> dim = getInt(operand);
    if (dim && *dim < 0)
      *dim += type.getRank();
    return dim && *dim >= 0 && *dim < type.getRank() && !type.isDynamicDim(*dim)
               ? dim
               : std::nullopt;
  }

  /// Returns pieces of equal size, of which the last may be smaller.
  std::optional<SmallVector<int64_t>> getEven(std::optional<int64_t> size,
                                              std::optional<int64_t> dim) {
    // No text unpacks more pieces.
    constexpr int64_t kMostPieces = 1 << 16;
    if (!size || *size < 1 || !dim ||
        from.getDimSize(*dim) / *size > kMostPieces)
      return std::nullopt;
    SmallVector<int64_t> sizes;
    for (int64_t left = from.getDimSize(*dim); left > 0; left -= *size)
      sizes.push_back(std::min(left, *size));
    return sizes;
  }
  std::optional<SmallVector<int64_t>> getChunks(std::optional<int64_t> count,
                                                std::optional<int64_t> dim) {
    if (!count || *count < 1 || !dim)
      return std::nullopt;
    return getEven(llvm::divideCeil(from.getDimSize(*dim), *count), dim);
  }

  Value create(StringRef name, Type type, ArrayRef<int64_t> constants) {
    OperationState state(op->getLoc(), name);
    state.addOperands(op->getOperand(0));
    state.addTypes(type);
    NamedAttrList numbers;
    for (auto [i, number] : llvm::enumerate(constants))
      numbers.append(std::to_string(i + 1), b.getI64IntegerAttr(number));
    state.addAttribute(kTorchConstantsAttr,
                       numbers.getDictionary(b.getContext()));
    Operation *made = b.create(state);
    carryOver(op, made);
    return made->getResult(0);
  }

  /// Makes the elements of the list, if the text gives them the same types.
  void replace(size_t count, llvm::function_ref<Type(size_t)> getType,
               llvm::function_ref<Value(size_t)> make) {
    auto elements = findTorchElements(op, count);
    if (!elements || !llvm::all_of(*elements, [&](const TorchElement &element) {
          return element.value.getType() == getType(element.index);
        }))
      return;
    SmallVector<Value> values;
    for (size_t i = 0; i < count; ++i)
      values.push_back(make(i));
    replaceTorchElements(op, *elements, values);
  }

  void cut(const std::optional<SmallVector<int64_t>> &sizes,
           std::optional<int64_t> dim) {
    int64_t sum = 0;
    if (!sizes || !dim || llvm::any_of(*sizes, [&](int64_t size) {
          return size < 0 || llvm::AddOverflow(sum, size, sum);
        }))
      return;
    if (sum != from.getDimSize(*dim))
      return;
    auto getType = [&](size_t i) -> Type {
      SmallVector<int64_t> shape(from.getShape());
      shape[*dim] = (*sizes)[i];
      return from.clone(shape);
    };
    int64_t start = 0;
    replace(sizes->size(), getType, [&](size_t i) {
      int64_t end = start + (*sizes)[i];
      Value part = create("torch.aten.slice.Tensor", getType(i),
                          {*dim, start, end, /*step=*/1});
      start = end;
      return part;
    });
  }

  void unbind(std::optional<int64_t> dim) {
    if (!dim)
      return;
    SmallVector<int64_t> shape(from.getShape());
    shape.erase(shape.begin() + *dim);
    Type type = from.clone(shape);
    replace(
        from.getDimSize(*dim), [&](size_t) { return type; },
        [&](size_t i) {
          return create("torch.aten.select.int", type, {*dim, int64_t(i)});
        });
  }

  /// Converts `cat`, or `stack`, whose parts have one more dim in the result.
  void join(bool stacks) {
    auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    auto parts = getTorchList(op->getOperand(0));
    std::optional<int64_t> dim = to ? getDim(1, to) : std::nullopt;
    if (!parts || parts->empty() || !dim)
      return;
    int64_t sum = 0;
    for (Value &part : *parts) {
      auto type = cast<RankedTensorType>(part.getType());
      if (type.getElementType() != to.getElementType() ||
          type.getRank() + stacks != to.getRank() ||
          (!stacks && type.isDynamicDim(*dim)))
        return;
      SmallVector<int64_t> shape(type.getShape());
      if (stacks)
        shape.insert(shape.begin() + *dim, 1);
      sum += shape[*dim];
      shape[*dim] = to.getDimSize(*dim);
      if (shape != to.getShape())
        return;
    }
    if (sum != to.getDimSize(*dim))
      return;
    if (stacks)
      for (Value &part : *parts)
        part = addDim(part, *dim);
    auto made = AssembleOp::create(b, op->getLoc(), to, *parts, *dim);
    carryOver(op, made);
    op->getResult(0).replaceAllUsesWith(made);
    Operation *list = op->getOperand(0).getDefiningOp();
    op->erase();
    if (list->use_empty())
      list->erase();
  }

  Value addDim(Value value, int64_t dim) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin() + dim, 1);
    OperationState state(op->getLoc(), "torch.aten.unsqueeze");
    state.addOperands(value);
    state.addTypes(type.clone(shape));
    return b.create(state)->getResult(0);
  }

  Operation *op;
  OpBuilder b;
  RankedTensorType from;
};

} // namespace

void moe::nameTorchOperators(ModuleOp module) {
  SmallVector<std::pair<Operation *, std::string>> found;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (op->getName().getDialectNamespace() != "torch" || isTorchCollective(op))
      return;
    std::string known = getTorchFactName(op);
    StringRef of = known;
    if (known != name &&
        (of.starts_with("torch.aten.") || of.starts_with("torch.prims.") ||
         of.starts_with(kTorchFunctionPrefix) ||
         of.starts_with(kTorchPointwisePrefix)))
      found.emplace_back(op, known);
  });
  for (auto &[op, name] : found)
    renameTorchOp(op, name);
}

void moe::renameTorchOp(Operation *op, StringRef name) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  op->replaceAllUsesWith(b.create(state));
  op->erase();
}

void moe::readTorchLists(ModuleOp module) {
  // Skip ops that construct and unpack lists, because `read` erases them.
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    StringRef name = getTorchName(op);
    if (name.consume_front("torch.aten.") && !name.starts_with("__getitem__"))
      found.push_back(op);
  });
  for (Operation *op : found)
    ListReader(op).read();
}
