// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile plan of a program.

#include "moe/Compiler/Plan.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace moe;
using schedule::GradientBucket;

/// Converts `[["moe", 1, 2, 6400]]` to `[<"moe" of 1 from 2 : 6400>]`. Other
/// contents are kept, and the parser rejects them.
static std::string translatePieces(ArrayAttr pieces) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator comma;
  for (Attribute piece : pieces) {
    auto parts = dyn_cast<ArrayAttr>(piece);
    os << comma;
    if (!parts || parts.size() != 4 ||
        !llvm::all_of(parts.getValue().drop_front(),
                      [](Attribute part) { return isa<IntegerAttr>(part); })) {
      os << piece;
      continue;
    }
    auto get = [&](size_t i) { return cast<IntegerAttr>(parts[i]).getInt(); };
    os << "<" << parts[0] << " of " << get(1) << " from " << get(2) << " : "
       << get(3) << ">";
  }
  return text + "]";
}

/// Converts an attribute that the previous release wrote as a dictionary,
/// `{chunks = 2 : i64, scope = "layer"}`, to the parameters of today's plan.
static std::string translateEntries(DictionaryAttr entries) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator comma;
  for (NamedAttribute entry : entries) {
    StringRef key = entry.getName().getValue();
    os << comma << (key == "drop" ? "slice" : key) << " = ";
    if (auto integer = dyn_cast<IntegerAttr>(entry.getValue());
        integer && integer.getType().isInteger(64))
      os << integer.getInt();
    else if (isa<UnitAttr>(entry.getValue()))
      os << "true";
    else if (auto sizes = dyn_cast<DenseI64ArrayAttr>(entry.getValue()))
      sizes.print(os);
    else if (auto pieces = dyn_cast<ArrayAttr>(entry.getValue());
             pieces && key == "pieces")
      os << translatePieces(pieces);
    else
      os << entry.getValue();
  }
  return text;
}

/// Returns the plan on an op, or null. Emits an error and fails if the
/// attribute is something else.
template <typename PlanAttrT>
static FailureOr<PlanAttrT> getPlanAttr(Operation *op) {
  Attribute attr = op->getAttr(kPlanAttrName);
  if (!attr)
    return PlanAttrT();
  if (auto entries = dyn_cast<DictionaryAttr>(attr))
    attr = parseAttribute(("#moe." + PlanAttrT::getMnemonic() + "<" +
                           translateEntries(entries) + ">")
                              .str(),
                          op->getContext());
  if (auto plan = dyn_cast_or_null<PlanAttrT>(attr))
    return plan;
  return emitError(op->getLoc())
         << "expected '" << kPlanAttrName << "' to be a #moe."
         << PlanAttrT::getMnemonic() << ", got " << op->getAttr(kPlanAttrName);
}

bool moe::hasPlan(ModuleOp module) { return module->hasAttr(kPlanAttrName); }

FailureOr<StepPlan> moe::readStepPlan(ModuleOp module) {
  FailureOr<StepPlanAttr> attr = getPlanAttr<StepPlanAttr>(module);
  if (failed(attr))
    return failure();
  if (!*attr)
    return emitError(module.getLoc())
           << "expected a plan ('" << kPlanAttrName
           << "', which the phase choose writes for a platform), got none";
  StepPlan plan{attr->getPhase(),       attr->getSchedule(), attr->getSlice(),
                attr->getCollectives(), /*priorities=*/{},   attr->getFill(),
                attr->getReorder(),     attr->getQuantize()};
  if (attr->getPriorities())
    for (StringAttr name : attr->getPriorities().getAsRange<StringAttr>())
      plan.priorities.push_back(name.str());
  return plan;
}

FailureOr<LayerVariant> moe::readVariant(LayerOp layer) {
  FailureOr<LayerPlanAttr> attr = getPlanAttr<LayerPlanAttr>(layer);
  if (failed(attr))
    return failure();
  if (!*attr)
    return layer.emitError()
           << "expected a plan ('" << kPlanAttrName
           << "', which the phase choose writes on every layer), got none";
  LayerVariant variant;
  variant.exchange = attr->getExchange();
  variant.dropDim = attr->getSlice();
  variant.scope = attr->getScope();
  variant.chunks = attr->getChunks();
  if (attr->getSizes())
    variant.sizes.assign(attr->getSizes().asArrayRef());
  if (attr->getOrder())
    variant.order = attr->getOrder().str();
  variant.copies = attr->getCopies();
  return variant;
}

FailureOr<std::optional<GradientPlan>>
moe::readGradientPlan(func::FuncOp function) {
  FailureOr<GradientPlanAttr> attr = getPlanAttr<GradientPlanAttr>(function);
  if (failed(attr))
    return failure();
  if (!*attr)
    return std::optional<GradientPlan>();
  GradientPlan plan;
  for (GradientBucketAttr piece : attr->getPieces())
    plan.pieces.push_back({piece.getLayer(), piece.getWindow(), piece.getFrom(),
                           piece.getElements()});
  plan.fuse = attr->getFuse();
  plan.bucket = attr->getBucket();
  return std::optional<GradientPlan>(std::move(plan));
}

LogicalResult moe::verifyPlanApplied(ModuleOp module) {
  if (hasPlan(module)) {
    FailureOr<StepPlan> plan = readStepPlan(module);
    if (failed(plan))
      return failure();
    auto next = static_cast<CompilePhase>(static_cast<int>(plan->phase) + 1);
    return emitError(module.getLoc())
           << "expected a plan that has been carried out, got '"
           << kPlanAttrName << "' of a program that is only through the phase "
           << getName(plan->phase) << " (from=" << getName(next)
           << " goes on from there)";
  }
  WalkResult result = module.walk([&](Operation *op) {
    if (op == module || !op->hasAttr(kPlanAttrName))
      return WalkResult::advance();
    InFlightDiagnostic diag = emitError(op->getLoc());
    if (auto layer = dyn_cast<LayerOp>(op))
      diag << "layer " << layer.getName() << ": ";
    diag << "expected a plan that has been carried out, got '" << kPlanAttrName
         << "', which only the phases decompose and pipeline read, without one "
            "on the module";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void moe::writeStepPlan(ModuleOp module, const StepPlan &plan) {
  Builder builder(module.getContext());
  SmallVector<StringRef> names(plan.priorities.begin(), plan.priorities.end());
  module->setAttr(
      kPlanAttrName,
      StepPlanAttr::get(module.getContext(), plan.phase, plan.schedule,
                        plan.collectives, plan.dropDim,
                        names.empty() ? ArrayAttr()
                                      : builder.getStrArrayAttr(names),
                        plan.fills, plan.reorders, plan.quantizeBlock));
}

LogicalResult moe::markReordered(ModuleOp module) {
  FailureOr<StepPlan> plan = readStepPlan(module);
  if (failed(plan))
    return failure();
  plan->reorders = true;
  writeStepPlan(module, *plan);
  return success();
}

void moe::writeVariant(LayerOp layer, const LayerVariant &variant) {
  Builder builder(layer.getContext());
  layer->setAttr(
      kPlanAttrName,
      LayerPlanAttr::get(
          layer.getContext(), variant.exchange, variant.dropDim, variant.scope,
          variant.chunks,
          variant.sizes.empty() ? DenseI64ArrayAttr()
                                : builder.getDenseI64ArrayAttr(variant.sizes),
          variant.order.empty() ? StringAttr()
                                : builder.getStringAttr(variant.order),
          variant.copies));
}

void moe::writeGradientPlan(func::FuncOp function, const GradientPlan &plan) {
  MLIRContext *context = function.getContext();
  SmallVector<GradientBucketAttr> pieces;
  for (const GradientBucket &piece : plan.pieces)
    pieces.push_back(GradientBucketAttr::get(context, piece.slot, piece.layer,
                                             piece.from, piece.elements));
  function->setAttr(
      kPlanAttrName,
      GradientPlanAttr::get(context, pieces, plan.fuse, plan.bucket));
}

SmallVector<LayerOp> moe::listLayers(ModuleOp module) {
  SmallVector<LayerOp> layers;
  module.walk([&](LayerOp layer) { layers.push_back(layer); });
  return layers;
}

void moe::copyPlan(ModuleOp from, ModuleOp to) {
  auto copy = [](Operation *planned, Operation *op) {
    if (Attribute attr = planned->getAttr(kPlanAttrName))
      op->setAttr(kPlanAttrName, attr);
  };
  copy(from, to);
  for (auto [planned, layer] :
       llvm::zip_equal(listLayers(from), listLayers(to)))
    copy(planned, layer);
  for (auto [planned, function] :
       llvm::zip_equal(from.getOps<func::FuncOp>(), to.getOps<func::FuncOp>()))
    copy(planned, function);
}

void moe::erasePlan(Operation *op) { op->removeAttr(kPlanAttrName); }
