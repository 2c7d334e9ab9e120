// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The semantics and costs of PyTorch ops.

#include "moe/Dialect/Text/Torch/Ops.h"
#include "mlir/IR/BuiltinTypes.h"
#include "moe/Dialect/Text/Costs.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moe;

namespace {

/// The effect of an ATen op on dims.
enum class Kind {
  /// Computes each element alone; operands are broadcast to the result's shape.
  Elementwise,
  /// Reshapes to the result's shape, row by row.
  Reshape,
  /// Broadcasts to the result's shape.
  Broadcast,
  /// Reorders dims.
  Swap,
  Permute,
  Turn,
  /// Reads one dim, or a list of dims, as a whole; keeps or drops it.
  Along,
  /// Takes a part of one dim, or one element of it.
  Slice,
  /// Multiplies matrices, batches of matrices, or rows and a transposed matrix,
  /// and may add a value.
  Product,
  Linear,
  AddProduct,
  /// Multiplies each group of rows by a matrix of its own.
  GroupedProduct,
  /// A function with unknown effect on dims.
  Other,
  /// An op that is not known to be a function.
  Unknown
};

} // namespace

/// Overloads (`add.Tensor`) apart, unless an overload is another op.
static Kind getBaseKind(StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases({"abs", "neg", "exp", "expm1", "log", "log2", "log1p", "sqrt",
              "rsqrt", "sin", "cos", "tanh", "sigmoid", "relu", "relu6"},
             Kind::Elementwise)
      .Cases({"gelu", "silu", "hardswish", "hardsigmoid", "leaky_relu", "elu",
              "mish", "softplus", "erf", "square", "reciprocal", "floor",
              "ceil", "round", "trunc", "sign"},
             Kind::Elementwise)
      .Cases({"logical_not", "logical_and", "logical_or", "logical_xor",
              "bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor",
              "isnan", "isinf", "clone", "contiguous", "detach", "alias"},
             Kind::Elementwise)
      .Cases({"to", "_to_copy", "lift_fresh_copy", "type_as",
              "convert_element_type", "clamp", "clamp_min", "clamp_max", "pow",
              "add", "sub", "rsub", "mul", "div"},
             Kind::Elementwise)
      .Cases({"remainder", "fmod", "floor_divide", "maximum", "minimum", "eq",
              "ne", "lt", "le", "gt", "ge", "where", "addcmul", "addcdiv"},
             Kind::Elementwise)
      .Cases({"masked_fill", "gelu_backward", "silu_backward",
              "sigmoid_backward", "tanh_backward", "threshold_backward"},
             Kind::Elementwise)
      .Cases({"view", "reshape", "_unsafe_view", "unsqueeze", "squeeze"},
             Kind::Reshape)
      .Cases({"expand", "broadcast_to"}, Kind::Broadcast)
      .Case("transpose", Kind::Swap)
      .Case("permute", Kind::Permute)
      .Case("t", Kind::Turn)
      .Cases({"softmax", "_softmax", "log_softmax", "_log_softmax", "cumsum",
              "sum", "mean", "prod", "amax", "amin", "logsumexp", "argmax"},
             Kind::Along)
      .Cases({"mm", "bmm", "matmul"}, Kind::Product)
      .Case("linear", Kind::Linear)
      .Cases({"addmm", "baddbmm"}, Kind::AddProduct)
      .Cases({"_grouped_mm", "grouped_mm"}, Kind::GroupedProduct)
      .Cases({"slice", "select", "narrow"}, Kind::Slice)
      .Cases({"topk", "sort", "argsort", "embedding", "index", "index_select",
              "gather", "scatter", "scatter_add", "scatter_reduce", "index_add",
              "index_put", "einsum", "cat", "stack"},
             Kind::Other)
      .Cases({"split", "split_with_sizes", "chunk", "unbind", "__getitem__",
              "one_hot", "arange", "zeros", "ones", "full", "zeros_like",
              "ones_like"},
             Kind::Other)
      .Cases({"full_like", "new_zeros", "new_ones", "new_full", "bincount",
              "layer_norm", "native_layer_norm", "rms_norm", "repeat", "flip",
              "tril", "triu", "constant_pad_nd", "max", "min", "any", "all"},
             Kind::Other)
      .Default(Kind::Unknown);
}

static Kind getKind(StringRef name) {
  if (name.starts_with("torch.constant.") ||
      name == "torch.prim.ListConstruct" || name == "torch.prim.ListUnpack")
    return Kind::Other;
  if (name.starts_with(kTorchPointwisePrefix))
    return Kind::Elementwise;
  if (name.starts_with(kTorchFunctionPrefix) ||
      name.starts_with(kTorchOwnPrefix))
    return Kind::Other;
  if (!name.consume_front("torch.aten.") && !name.consume_front("torch.prims."))
    return Kind::Unknown;
  // An overload that writes into an argument.
  if (name.ends_with(".out"))
    return Kind::Unknown;
  return getBaseKind(name.split('.').first);
}

bool moe::isTorchFunction(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return false;
  StringRef name = getTorchName(op);
  if (name == "torch.vtensor.literal")
    return isa_and_nonnull<DenseElementsAttr>(op->getAttr("value"));
  return getKind(name) != Kind::Unknown;
}

bool moe::isTorchReshape(Operation *op) {
  Kind kind = getKind(getTorchName(op));
  return kind == Kind::Reshape || kind == Kind::Broadcast;
}

bool moe::isTorchView(Operation *op) {
  return getKind(getTorchName(op)) == Kind::Reshape &&
         !op->hasAttr(kTorchConstantsAttr);
}

bool moe::isTorchAlias(Operation *op) {
  switch (getKind(getTorchName(op))) {
  case Kind::Reshape:
  case Kind::Broadcast:
  case Kind::Swap:
  case Kind::Permute:
  case Kind::Turn:
  case Kind::Slice:
    return true;
  default:
    return false;
  }
}

std::string moe::getTorchFactName(Operation *op) {
  StringRef name = getTorchName(op);
  StringRef own = name;
  if (getKind(name) != Kind::Unknown || !own.consume_front("torch."))
    return name.str();
  if (op->hasAttr(kTorchPointwiseAttr))
    return (kTorchPointwisePrefix + own).str();
  if (op->hasAttr(kTorchFunctionAttr))
    return (kTorchFunctionPrefix + own).str();
  return name.str();
}

std::string moe::getTorchNameWithoutFacts(Operation *op) {
  StringRef name = getTorchName(op);
  if (name.consume_front(kTorchPointwisePrefix) ||
      name.consume_front(kTorchFunctionPrefix))
    return ("torch." + name).str();
  return name.str();
}

static bool isProduct(Kind kind) {
  return kind == Kind::Product || kind == Kind::Linear ||
         kind == Kind::AddProduct || kind == Kind::GroupedProduct;
}

bool moe::isTorchProduct(OperationName name) {
  return isProduct(getKind(name.getStringRef()));
}

bool moe::hasTorchDims(OperationName name) {
  Kind kind = getKind(name.getStringRef());
  return kind != Kind::Unknown && kind != Kind::Other;
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

namespace {

/// Builds the map of one op, whose arguments PyTorch numbers.
class Mapper {
public:
  explicit Mapper(Operation *op) : op(op), arguments(op) {
    map.isPartwise = true;
    if (op->getNumResults() == 1)
      to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  }

  /// Returns nullopt if the op has unknown arguments.
  std::optional<DimMap> run(Kind kind) {
    if (!to || !create(kind))
      return std::nullopt;
    return std::move(map);
  }

private:
  bool create(Kind kind) {
    RankedTensorType from = getType(0);
    switch (kind) {
    case Kind::Elementwise:
      for (unsigned i = 0; i < arguments.size(); ++i)
        if (arguments.getOperand(i) && !repeat(i))
          return false;
      return true;
    case Kind::Broadcast:
      return from && !statesSizes() && repeat(0);
    case Kind::Reshape:
      if (from && !statesSizes()) {
        map.links = mapReshape(from, to).links;
        return true;
      }
      return false;
    case Kind::Swap:
      return from && swap(getDim(1, from), getDim(2, from));
    case Kind::Turn:
      return from && (from.getRank() < 2 ? swap(0, 0) : swap(0, 1));
    case Kind::Permute:
      return from && permute(from);
    case Kind::Along:
      return from && along(from);
    case Kind::Product:
      return multiply(0, 1, /*isTurned=*/false);
    case Kind::Linear:
      return multiply(0, 1, /*isTurned=*/true) &&
             (!arguments.getOperand(2) || repeat(2));
    case Kind::AddProduct:
      return multiply(1, 2, /*isTurned=*/false) && repeat(0);
    case Kind::GroupedProduct:
      return multiplyGroups();
    case Kind::Slice:
      return from && slice(from);
    case Kind::Other:
    case Kind::Unknown:
      break;
    }
    return false;
  }

  RankedTensorType getType(unsigned argument) {
    std::optional<unsigned> operand = arguments.getOperand(argument);
    return operand
               ? dyn_cast<RankedTensorType>(op->getOperand(*operand).getType())
               : RankedTensorType();
  }

  void link(unsigned argument, int64_t dim, int64_t resultDim) {
    map.links.push_back({*arguments.getOperand(argument), unsigned(dim), 0,
                         unsigned(resultDim)});
  }
  void setOpaque(unsigned argument, int64_t dim) {
    map.opaqueOperandDims.emplace_back(*arguments.getOperand(argument), dim);
  }

  /// Returns the dim in an argument, counted from the last one if negative; -1
  /// if the argument is not a valid dim.
  int64_t getDim(unsigned argument, RankedTensorType of) {
    return normalize(getTorchInt(arguments.getConstant(argument)), of);
  }
  static int64_t normalize(std::optional<int64_t> dim, RankedTensorType of) {
    if (dim && *dim < 0)
      *dim += of.getRank();
    return dim && *dim >= 0 && *dim < of.getRank() ? *dim : -1;
  }

  /// Returns true if a reshape states the sizes of its result because its type
  /// is dynamic. A part of the result would need other sizes.
  bool statesSizes() { return !to.hasStaticShape() && arguments.size() > 1; }

  /// Links dims from the last one on; dims of size 1 may be broadcast.
  bool repeat(unsigned argument) {
    RankedTensorType from = getType(argument);
    // Lists of tensors and computed numbers are not supported.
    if (!from || from.getRank() > to.getRank())
      return false;
    int64_t shift = to.getRank() - from.getRank();
    for (int64_t d = 0; d < from.getRank(); ++d) {
      int64_t size = from.getDimSize(d), toSize = to.getDimSize(d + shift);
      if (size == toSize)
        link(argument, d, d + shift);
      else if (ShapedType::isDynamic(size) ||
               (ShapedType::isDynamic(toSize) && size != 1))
        // The sizes may differ at run time.
        return false;
    }
    return true;
  }

  bool swap(int64_t first, int64_t second) {
    if (first < 0 || second < 0 || getType(0).getRank() != to.getRank())
      return false;
    for (int64_t d = 0; d < to.getRank(); ++d)
      link(0, d, d == first ? second : d == second ? first : d);
    return true;
  }

  bool permute(RankedTensorType from) {
    auto order = getTorchInts(arguments.getConstant(1));
    if (!order || int64_t(order->size()) != from.getRank() ||
        from.getRank() != to.getRank())
      return false;
    for (auto [to, dim] : llvm::enumerate(*order)) {
      int64_t d = normalize(dim, from);
      if (d < 0)
        return false;
      link(0, d, to);
    }
    return true;
  }

  bool along(RankedTensorType from) {
    Attribute said = arguments.getConstant(1);
    SmallVector<int64_t> dims;
    if (auto list = getTorchInts(said))
      dims = *list;
    else if (auto dim = getTorchInt(said))
      dims.push_back(*dim);
    llvm::SmallBitVector read(from.getRank(), dims.empty());
    for (int64_t dim : dims) {
      dim = normalize(dim, from);
      if (dim < 0)
        return false;
      read.set(dim);
    }
    bool stays = to.getRank() == from.getRank();
    if (!stays && to.getRank() + int64_t(read.count()) != from.getRank())
      return false;
    for (int64_t d = 0, next = 0; d < from.getRank(); ++d) {
      if (read.test(d)) {
        setOpaque(0, d);
        if (stays)
          map.opaqueResultDims.emplace_back(0, next);
      } else {
        link(0, d, next);
      }
      next += stays || !read.test(d);
    }
    return true;
  }

  /// Links the dims of a product of `[batch..., n, k]` and `[batch..., k, m]`,
  /// which may have fewer batch dims, or of a transposed `[m, k]`.
  bool multiply(unsigned left, unsigned right, bool isTurned) {
    RankedTensorType a = getType(left), b = getType(right);
    if (!a || !b || b.getRank() < 2 || a.getRank() < b.getRank() ||
        a.getRank() != to.getRank() || (isTurned && b.getRank() != 2))
      return false;
    int64_t last = a.getRank() - 1, shift = a.getRank() - b.getRank();
    for (int64_t d = 0; d < last; ++d) {
      link(left, d, d);
      if (d + 1 == last || d < shift)
        continue;
      if (a.getDimSize(d) != b.getDimSize(d - shift))
        return false;
      link(right, d - shift, d);
    }
    setOpaque(left, last);
    int64_t turned = b.getRank() - 1;
    setOpaque(right, isTurned ? turned : turned - 1);
    link(right, isTurned ? turned - 1 : turned, last);
    return true;
  }

  /// Links the dims other than the sliced one. A slice keeps this dim, a
  /// selection drops it. The op states no sizes of the other dims.
  bool slice(RankedTensorType from) {
    int64_t cut = getDim(1, from);
    bool stays = to.getRank() == from.getRank();
    if (cut < 0 || (!stays && to.getRank() + 1 != from.getRank()))
      return false;
    for (int64_t d = 0; d < from.getRank(); ++d)
      if (d != cut)
        link(0, d, stays || d < cut ? d : d - 1);
    return true;
  }

  /// Links the dims of a grouped product of `[rows, k]` and `[groups, k,
  /// columns]`, where the third operand gives the ends of the groups of rows.
  /// Both sides, the left side alone, or no side may also have 3 dims. Only the
  /// columns of a right side with 3 dims are linked to the result.
  bool multiplyGroups() {
    RankedTensorType a = getType(0), b = getType(1);
    if (!a || !b || a.getRank() < 2 || a.getRank() > 3 || b.getRank() < 2 ||
        b.getRank() > 3 || to.getRank() < 2)
      return false;
    setOpaque(0, a.getRank() - 1);
    setOpaque(1, b.getRank() - 2);
    if (b.getRank() == 3)
      link(1, 2, to.getRank() - 1);
    return true;
  }

  Operation *op;
  TorchArguments arguments;
  RankedTensorType to;
  DimMap map;
};

} // namespace

std::optional<DimMap> moe::getTorchDimMap(Operation *op) {
  if (!isTorchFunction(op))
    return std::nullopt;
  return Mapper(op).run(getKind(getTorchName(op)));
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

bool moe::hasTorchCost(OperationName name) {
  return getKind(name.getStringRef()) != Kind::Unknown;
}

/// Returns the multiply-accumulates of a product: the elements of the result
/// times the size of the contracted dim of the left side.
static double countMacs(Operation *op, const DimMap &map) {
  double macs =
      cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
  auto [left, dim] = map.opaqueOperandDims.front();
  return macs *
         cast<RankedTensorType>(op->getOperand(left).getType()).getDimSize(dim);
}

/// Returns the multiply-accumulates of a grouped product. Every element of the
/// left side meets each column once, except that grouped columns (3 dims on the
/// left and 2 on the right) meet only the matrix of their group.
static double countGroupedMacs(Operation *op) {
  auto left = cast<RankedTensorType>(op->getOperand(0).getType());
  auto right = cast<RankedTensorType>(op->getOperand(1).getType());
  double columns = right.getShape().back();
  double macs = double(left.getNumElements()) * columns;
  bool groupsColumns = left.getRank() == 3 && right.getRank() == 2;
  return groupsColumns && left.getDimSize(0) > 0 ? macs / left.getDimSize(0)
                                                 : macs;
}

FailureOr<cost::Microseconds> moe::getTorchTime(Operation *op,
                                                CostContext &context) {
  Kind kind = getKind(getTorchName(op));
  if (kind == Kind::Reshape)
    return cost::Microseconds(0);
  if (kind == Kind::Slice) {
    // A slice reads only the elements of its result.
    FailureOr<cost::Bytes> bytes = getResultBytes(op);
    return succeeded(bytes) ? getCopyTime(op, context, *bytes)
                            : FailureOr<cost::Microseconds>(failure());
  }
  FailureOr<cost::Microseconds> pass = getPassTime(op, context);
  if (failed(pass))
    return failure();
  if (kind == Kind::GroupedProduct && getTorchDimMap(op))
    return getGemmTime(op, context, cost::Macs(countGroupedMacs(op)), 1);
  if (isProduct(kind))
    if (std::optional<DimMap> map = getTorchDimMap(op))
      return getGemmTime(op, context, cost::Macs(countMacs(op, *map)), 1);
  return pass;
}
