// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of compile plans: step, layers, gradients.

#include "PlanAttrs.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"

using namespace mlir;
using namespace moe;
using schedule::OverlapWindow;

/// Maximum number of a tensor dim.
static constexpr int64_t kMaxDim = 64;
/// Maximum elements of a bucket; exceeds the memory of any rank.
static constexpr int64_t kMaxBucket = int64_t(1) << 53;
/// Maximum elements with a common scale; exceeds any row.
static constexpr int64_t kMaxBlock = int64_t(1) << 32;

static bool isIn(std::optional<int64_t> value, int64_t least, int64_t most) {
  return !value || (*value >= least && *value <= most);
}

LogicalResult StepPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   CompilePhase phase, ScheduleChoice schedule,
                                   CollectiveStreams,
                                   std::optional<int64_t> slice,
                                   ArrayAttr priorities, bool, bool,
                                   std::optional<int64_t> quantize) {
  if (phase < CompilePhase::Choose || phase > CompilePhase::Pipeline)
    return emitError() << "expected phase to be choose, decompose or pipeline, "
                          "got "
                       << getName(phase);
  if (schedule == ScheduleChoice::Best)
    return emitError() << "expected the schedule that was found, got best";
  if (!isIn(slice, 0, kMaxDim))
    return emitError() << "expected slice to be in [0, " << kMaxDim << "], got "
                       << *slice;
  if (!isIn(quantize, 0, kMaxBlock))
    return emitError() << "expected quantize to be in [0, " << kMaxBlock
                       << "], got " << *quantize;
  if (priorities && !llvm::all_of(priorities, llvm::IsaPred<StringAttr>))
    return emitError() << "expected priorities to be names of mesh axes, got "
                       << priorities;
  return success();
}

LogicalResult LayerPlanAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, AllToAllAlgorithm,
    std::optional<int64_t> slice, std::optional<ChainScope> scope,
    int64_t chunks, DenseI64ArrayAttr sizes, StringAttr order, CopyPlacement) {
  if (!isIn(slice, 0, kMaxDim))
    return emitError() << "expected slice to be in [0, " << kMaxDim << "], got "
                       << *slice;
  if (!isIn(chunks, 1, PipelineOp::kMaxDegree))
    return emitError() << "expected chunks to be in [1, "
                       << PipelineOp::kMaxDegree << "], got " << chunks;
  if (sizes &&
      (sizes.size() != chunks ||
       llvm::any_of(sizes.asArrayRef(), [](int64_t size) { return size < 1; })))
    return emitError() << "expected as many sizes as chunks, " << chunks
                       << ", each at least 1; got " << sizes;
  if (order && !PipelineOp::symbolizeOrder(order))
    return emitError() << "expected order to have the letters D, A, R, C and "
                          "G, got "
                       << order;
  if (!scope && (chunks != 1 || order))
    return emitError() << "expected a scope with chunks or an order, got none";
  return success();
}

LogicalResult
GradientPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<GradientBucketAttr>, bool, int64_t bucket) {
  if (!isIn(bucket, 0, kMaxBucket))
    return emitError() << "expected bucket to be in [0, " << kMaxBucket
                       << "], got " << bucket;
  return success();
}

FailureOr<SmallVector<GradientBucketAttr>>
moe::parseGradientBuckets(AsmParser &parser) {
  SmallVector<GradientBucketAttr> buckets;
  auto parseBucket = [&]() -> ParseResult {
    auto bucket = FieldParser<GradientBucketAttr>::parse(parser);
    if (failed(bucket))
      return failure();
    buckets.push_back(*bucket);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseBucket))
    return failure();
  return buckets;
}

void moe::printGradientBuckets(AsmPrinter &printer,
                               ArrayRef<GradientBucketAttr> buckets) {
  printer << '[';
  llvm::interleaveComma(buckets, printer.getStream(),
                        [&](GradientBucketAttr bucket) {
                          printer.printStrippedAttrOrType(bucket);
                        });
  printer << ']';
}

LogicalResult moe::verifyPlanAttr(Operation *op, NamedAttribute attr) {
  StringRef expected;
  bool isPlan = false;
  if (isa<ModuleOp>(op)) {
    expected = "#moe.step_plan";
    isPlan = isa<StepPlanAttr>(attr.getValue());
  } else if (isa<LayerOp>(op)) {
    expected = "#moe.layer_plan";
    isPlan = isa<LayerPlanAttr>(attr.getValue());
  } else if (isa<FunctionOpInterface>(op)) {
    expected = "#moe.gradient_plan";
    isPlan = isa<GradientPlanAttr>(attr.getValue());
  } else {
    return op->emitError() << "expected '" << kPlanAttrName
                           << "' on a builtin.module, function or moe.layer, "
                              "got it on "
                           << op->getName();
  }
  // The previous release used dictionaries, which the code that reads plans
  // verifies.
  if (isPlan || isa<DictionaryAttr>(attr.getValue()))
    return success();
  return op->emitError() << "expected '" << kPlanAttrName << "' on "
                         << op->getName() << " to be a " << expected << ", got "
                         << attr.getValue();
}
