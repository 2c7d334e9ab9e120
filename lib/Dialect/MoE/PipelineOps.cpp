// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ops in chunks.

#include "mlir/IR/OpImplementation.h"
#include "moe/Dialect/MoE/FindExperts.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
//===----------------------------------------------------------------------===//

int64_t PipelineOp::getChunkedSize() {
  // Stacks, and values that are cut into single elements, have as many elements
  // as there are chunks.
  int64_t degree = getDegree();
  for (auto [operand, dim] : llvm::zip_equal(getOperands(), getSplitDims())) {
    if (dim < 0)
      continue;
    int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(dim);
    if (size != degree)
      return size;
  }
  return degree;
}

bool PipelineOp::isStack(Type type, int64_t dim) {
  return dim >= 0 &&
         cast<RankedTensorType>(type).getDimSize(dim) != getChunkedSize();
}

SmallVector<int64_t> PipelineOp::getChunkSizes() {
  if (getSizes())
    return llvm::to_vector(*getSizes());
  int64_t size = getChunkedSize();
  int64_t degree = getDegree();
  SmallVector<int64_t> sizes(degree, size / degree);
  for (int64_t i = 0; i < size % degree; ++i)
    ++sizes[i];
  return sizes;
}

/// Returns the chunk type of `type` along `dim`: static if all chunks have one
/// size.
static RankedTensorType chunkType(RankedTensorType type, int64_t dim,
                                  std::optional<int64_t> size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size.value_or(ShapedType::kDynamic);
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

/// Verifies the chunk dim of an operand or result against its tensor, and
/// against the common size of all chunk dims except stacks. The first such dim
/// sets the size.
static LogicalResult checkChunkDim(PipelineOp op, const Twine &what, Type type,
                                   int64_t dim, std::optional<int64_t> &size) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || dim >= tensor.getRank())
    return op->emitOpError() << "expected " << what << " to have dim " << dim
                             << " to cut along, got " << type;
  if (tensor.isDynamicDim(dim))
    return op->emitOpError() << "expected dim " << dim << " of " << what
                             << " to be static, got " << type;
  if (tensor.getDimSize(dim) == static_cast<int64_t>(op.getDegree()))
    return success();
  if (size.value_or(tensor.getDimSize(dim)) != tensor.getDimSize(dim))
    return op->emitOpError()
           << "expected all chunk dims to have one size, " << *size << ", got "
           << tensor.getDimSize(dim) << " in " << what;
  size = tensor.getDimSize(dim);
  return success();
}

std::optional<SmallVector<LaunchStage>>
PipelineOp::symbolizeOrder(StringRef letters) {
  // The letters of the enumeration's values, in the same order.
  constexpr StringLiteral kLetters = "DARCG";
  SmallVector<LaunchStage> stages;
  for (char letter : letters) {
    size_t value = kLetters.find(letter);
    if (value == StringRef::npos)
      return std::nullopt;
    stages.push_back(static_cast<LaunchStage>(value));
  }
  return stages;
}

SmallVector<LaunchStage> PipelineOp::getLaunchStages() {
  SmallVector<LaunchStage> stages;
  if (std::optional<ArrayAttr> order = getOrder())
    for (auto stage : order->getAsRange<LaunchStageAttr>())
      stages.push_back(stage.getValue());
  return stages;
}

template <typename StreamT>
static void printOrder(StreamT &os, ArrayRef<LaunchStage> order) {
  os << "[";
  llvm::interleaveComma(
      order, os, [&](LaunchStage stage) { os << stringifyLaunchStage(stage); });
  os << "]";
}

static LogicalResult verifyOrder(PipelineOp op) {
  if (!op.getOrder())
    return success();
  // Each chunk's stages in their order; gradients are separate.
  constexpr size_t kNumStages = static_cast<size_t>(LaunchStage::Gradients);
  auto name = [](size_t stage) {
    return stringifyLaunchStage(static_cast<LaunchStage>(stage));
  };
  auto stages =
      llvm::map_to_vector(op.getLaunchStages(), [](LaunchStage stage) {
        return static_cast<size_t>(stage);
      });
  size_t degree = op.getDegree();
  size_t counts[kNumStages] = {}, gradients = 0;
  for (auto [place, stage] : llvm::enumerate(stages)) {
    if (stage == kNumStages) {
      ++gradients;
      continue;
    }
    // Checks all earlier stages that the order contains.
    for (size_t before = 0; before < stage; ++before)
      if (llvm::is_contained(stages, before) && counts[before] <= counts[stage])
        return op.emitOpError()
               << "expected a chunk's stages in the order dispatch, gather, "
                  "scatter, combine, got "
               << name(stage) << " of chunk " << counts[stage] << " at place "
               << place << " before its " << name(before);
    ++counts[stage];
  }
  if (gradients > 1)
    return op.emitOpError()
           << "expected gradients at most once in an order, got " << gradients
           << " times";
  for (auto [stage, count] : llvm::enumerate(counts)) {
    bool isNeeded = stage == static_cast<size_t>(LaunchStage::Dispatch) ||
                    stage == static_cast<size_t>(LaunchStage::Combine);
    if (count != degree && (count != 0 || isNeeded))
      return op.emitOpError() << "expected " << degree << " times "
                              << name(stage) << " in an order, one a chunk, "
                              << "got " << count;
  }
  SmallVector<Operation *> ops;
  for (Operation &nested : op.getBody().front())
    ops.push_back(&nested);
  if (!findExperts(ops))
    return op.emitOpError() << "expected one moe.experts or moe.experts_dgrad "
                               "in a region with an order, got "
                            << llvm::count_if(ops, appliesExperts);
  return success();
}

LogicalResult PipelineOp::verify() {
  int64_t degree = getDegree();
  if (degree < 1 || degree > kMaxDegree)
    return emitOpError() << "expected a degree in [1, " << kMaxDegree
                         << "], got " << degree;
  if (getSplitDims().size() != getNumOperands() ||
      getConcatDims().size() != getNumResults())
    return emitOpError() << "expected a rule for each of " << getNumOperands()
                         << " operands and " << getNumResults()
                         << " results, got " << getSplitDims().size() << " and "
                         << getConcatDims().size();
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError() << "expected a region with " << getNumOperands()
                         << " arguments, one per operand, got "
                         << block.getNumArguments();

  // The common size of all chunk dims.
  std::optional<int64_t> size;
  bool splits = false;
  for (auto [i, dim] : llvm::enumerate(getSplitDims())) {
    splits |= dim >= 0;
    if (dim < -1)
      return emitOpError() << "expected split dims of at least -1, got " << dim;
    if (dim >= 0 && failed(checkChunkDim(*this, "operand " + Twine(i),
                                         getOperand(i).getType(), dim, size)))
      return failure();
  }
  if (!splits)
    return emitOpError() << "expected at least one split operand";
  // If all dims have as many elements as there are chunks, each chunk gets one
  // element.
  if (!size)
    size = degree;
  for (auto [i, dim] : llvm::enumerate(getConcatDims())) {
    if (dim < -1)
      return emitOpError() << "expected concat dims of at least -1, got "
                           << dim;
    if (dim >= 0 && failed(checkChunkDim(*this, "result " + Twine(i),
                                         getResult(i).getType(), dim, size)))
      return failure();
  }
  if (degree > *size)
    return emitOpError() << "expected a degree of at most " << *size
                         << ", the size to cut, got " << degree;
  std::optional<ArrayRef<int64_t>> sizes = getSizes();
  if (sizes) {
    if (static_cast<int64_t>(sizes->size()) != degree)
      return emitOpError() << "expected " << degree << " sizes, got "
                           << sizes->size();
    int64_t sum = 0;
    for (int64_t chunk : *sizes) {
      if (chunk < 1)
        return emitOpError() << "expected sizes of at least 1, got " << chunk;
      if (llvm::AddOverflow(sum, chunk, sum))
        return emitOpError() << "expected sizes that add up to " << *size
                             << ", got at least 2^63";
    }
    if (sum != *size)
      return emitOpError() << "expected sizes that add up to " << *size
                           << ", got " << sum;
  }

  std::optional<int64_t> common;
  if (sizes ? llvm::all_equal(*sizes) : *size % degree == 0)
    common = *size / degree;
  for (auto [i, dim] : llvm::enumerate(getSplitDims())) {
    Type expected = getOperand(i).getType();
    if (dim >= 0)
      expected = chunkType(cast<RankedTensorType>(expected), dim,
                           isStack(expected, dim) ? 1 : common);
    if (block.getArgument(i).getType() != expected)
      return emitOpError() << "expected region argument " << i << " of type "
                           << expected << ", got "
                           << block.getArgument(i).getType();
  }
  SmallVector<Type> yielded;
  for (auto [i, dim] : llvm::enumerate(getConcatDims())) {
    auto type = cast<RankedTensorType>(getResult(i).getType());
    yielded.push_back(
        dim >= 0 ? chunkType(type, dim, isStack(type, dim) ? 1 : common)
                 : type);
    if (dim < 0 && !isa<FloatType>(type.getElementType()) &&
        !type.getElementType().isSignlessInteger())
      return emitOpError() << "expected a summed result of floats or signless "
                              "integers, got "
                           << type;
  }
  if (failed(verifyOrder(*this)))
    return failure();
  return verifyYield(*this, getBody(), yielded);
}

/// Parses `split 2`, `shared`, `concat 2` or `sum`.
static ParseResult parseChunkRule(OpAsmParser &parser, StringRef cut,
                                  StringRef whole, int64_t &dim) {
  if (succeeded(parser.parseOptionalKeyword(whole))) {
    dim = -1;
    return success();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(cut, " or '" + whole + "'") ||
      parser.parseInteger(dim))
    return failure();
  if (dim < 0)
    return parser.emitError(loc) << "expected a dim of at least 0, got " << dim;
  return success();
}

/// Parses the stages of an order, in brackets.
static ParseResult parseOrder(OpAsmParser &parser,
                              SmallVectorImpl<Attribute> &order) {
  SMLoc loc = parser.getCurrentLocation();
  std::string letters;
  if (succeeded(parser.parseOptionalString(&letters))) {
    // Older versions wrote orders as letters.
    auto stages = PipelineOp::symbolizeOrder(letters);
    std::string words;
    llvm::raw_string_ostream os(words);
    printOrder(os, stages && !stages->empty()
                       ? *stages
                       : SmallVector<LaunchStage>{LaunchStage::Dispatch,
                                                  LaunchStage::Combine});
    return parser.emitError(loc) << "expected an order of stages, such as "
                                 << words << ", got letters";
  }
  auto parseStage = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(
            &keyword,
            {"dispatch", "gather", "scatter", "combine", "gradients"})))
      return parser.emitError(loc) << "expected 'dispatch', 'gather', "
                                      "'scatter', 'combine' or 'gradients'";
    order.push_back(LaunchStageAttr::get(parser.getContext(),
                                         *symbolizeLaunchStage(keyword)));
    return success();
  };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                        parseStage);
}

ParseResult PipelineOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  IntegerAttr degree;
  if (parser.parseKeyword("degree") ||
      parser.parseAttribute(degree, builder.getI64Type(), "degree",
                            result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("sizes"))) {
    SmallVector<int64_t> sizes;
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(sizes.emplace_back());
        }))
      return failure();
    result.addAttribute("sizes", builder.getDenseI64ArrayAttr(sizes));
  }
  if (succeeded(parser.parseOptionalKeyword("copies"))) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword, {"own", "intra"})))
      return parser.emitError(loc) << "expected 'own' or 'intra'";
    CopyPlacement placement = *symbolizeCopyPlacement(keyword);
    result.addAttribute(
        "copies", CopyPlacementAttr::get(builder.getContext(), placement));
  }
  if (succeeded(parser.parseOptionalKeyword("order"))) {
    SmallVector<Attribute> order;
    if (parseOrder(parser, order))
      return failure();
    result.addAttribute("order", builder.getArrayAttr(order));
  }
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SmallVector<int64_t> splitDims, concatDims;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOperand = [&]() -> ParseResult {
    return failure(
        parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parseChunkRule(parser, "split", "shared", splitDims.emplace_back()) ||
        parser.parseColonType(types.emplace_back()) ||
        parser.parseKeyword("as") || parser.parseType(arguments.back().type));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseOperand) ||
      parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SMLoc bodyLoc = parser.getCurrentLocation();
  if (parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  if (result.regions.front()->empty())
    return parser.emitError(bodyLoc)
           << "expected a region that ends with moe.yield";
  if (succeeded(parser.parseOptionalArrow())) {
    auto parseResult = [&]() -> ParseResult {
      return failure(
          parseChunkRule(parser, "concat", "sum", concatDims.emplace_back()) ||
          parser.parseColonType(result.types.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(parseResult))
      return failure();
  }
  result.addAttribute("split_dims", builder.getDenseI64ArrayAttr(splitDims));
  result.addAttribute("concat_dims", builder.getDenseI64ArrayAttr(concatDims));
  return success();
}

void PipelineOp::print(OpAsmPrinter &printer) {
  printer << " degree " << getDegree();
  if (getSizes()) {
    printer << " sizes [";
    llvm::interleaveComma(*getSizes(), printer);
    printer << "]";
  }
  if (std::optional<CopyPlacement> placement = getCopies())
    printer << " copies " << stringifyCopyPlacement(*placement);
  if (getOrder()) {
    printer << " order ";
    printOrder(printer.getStream(), getLaunchStages());
  }
  printer << " (";
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    if (i != 0)
      printer << ", ";
    BlockArgument argument = getBody().getArgument(i);
    printer.printRegionArgument(argument, /*argAttrs=*/{}, /*omitType=*/true);
    printer << " = " << getOperand(i);
    if (getSplitDims()[i] >= 0)
      printer << " split " << getSplitDims()[i];
    else
      printer << " shared";
    printer << " : " << getOperand(i).getType() << " as " << argument.getType();
  }
  printer << ")";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"degree", "sizes", "copies", "order", "split_dims", "concat_dims"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  for (unsigned i = 0; i < getNumResults(); ++i) {
    printer << (i == 0 ? " -> " : ", ");
    if (getConcatDims()[i] >= 0)
      printer << "concat " << getConcatDims()[i];
    else
      printer << "sum";
    printer << " : " << getResult(i).getType();
  }
}
