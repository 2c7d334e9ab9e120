// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has been chosen for a program.

#include "moe/Compiler/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace moe;
using schedule::GradientBucket;
using schedule::OverlapWindow;

namespace {

/// Reads the entries of a dictionary; an entry that nobody asks for is an
/// error.
class EntryReader {
public:
  EntryReader(Operation *op, StringRef name)
      : op(op), name(name),
        dictionary(op->getAttrOfType<DictionaryAttr>(name)) {
    if (!dictionary)
      error() << "to be a dictionary, got " << op->getAttr(name);
  }

  bool failed() const { return hasFailed; }

  /// Emits that something was expected of the attribute.
  InFlightDiagnostic error() {
    hasFailed = true;
    return emitError(op->getLoc()) << "expected '" << name << "' ";
  }

  bool readUnit(StringRef key) {
    Attribute attr = take(key);
    if (attr && !isa<UnitAttr>(attr))
      error() << "to have '" << key << "' without a value, got " << attr;
    return attr != nullptr;
  }

  std::optional<int64_t> readInteger(StringRef key, int64_t least,
                                     int64_t most) {
    Attribute attr = take(key);
    if (!attr)
      return std::nullopt;
    auto integer = dyn_cast<IntegerAttr>(attr);
    if (integer && integer.getType().isInteger(64) &&
        integer.getInt() >= least && integer.getInt() <= most)
      return integer.getInt();
    error() << "to have '" << key << "' as an i64 in [" << least << ", " << most
            << "], got " << attr;
    return std::nullopt;
  }

  /// A word that `parse` knows.
  template <typename Parse>
  auto readWord(StringRef key, StringRef expected, Parse parse)
      -> decltype(parse(StringRef())) {
    Attribute attr = take(key);
    if (!attr)
      return std::nullopt;
    auto text = dyn_cast<StringAttr>(attr);
    if (text)
      if (auto value = parse(text.getValue()))
        return value;
    error() << "to have '" << key << "' as " << expected << ", got " << attr;
    return std::nullopt;
  }

  Attribute take(StringRef key) {
    taken.push_back(key);
    return dictionary ? dictionary.get(key) : Attribute();
  }

  LogicalResult finish() {
    if (dictionary)
      for (NamedAttribute entry : dictionary)
        if (!llvm::is_contained(taken, entry.getName().getValue()))
          error() << "to have none but the entries " << llvm::join(taken, ", ")
                  << "; got '" << entry.getName().getValue() << "'";
    return failure(hasFailed);
  }

private:
  Operation *op;
  StringRef name;
  DictionaryAttr dictionary;
  SmallVector<StringRef> taken;
  bool hasFailed = false;
};

} // namespace

static constexpr llvm::StringLiteral kStep = "moe.step", kVariant = "moe.form",
                                     kGradients = "moe.gradients";
/// Dims of a tensor.
static constexpr int64_t kMostDim = 64;
/// Elements of a bucket: more than a rank's memory holds.
static constexpr int64_t kMostBucket = int64_t(1) << 53;
/// Elements that share a scale: more than any row has.
static constexpr int64_t kMostBlock = int64_t(1) << 32;

static std::optional<std::string> parseOrder(StringRef text) {
  if (!PipelineOp::symbolizeOrder(text))
    return std::nullopt;
  return text.str();
}

bool moe::hasPlan(ModuleOp module) { return module->hasAttr(kStep); }

FailureOr<StepPlan> moe::readStepPlan(ModuleOp module) {
  if (!hasPlan(module))
    return emitError(module.getLoc())
           << "expected a plan ('" << kStep
           << "', which the phase choose writes for a platform), got none";
  EntryReader reader(module, kStep);
  StepPlan plan;
  auto phase = reader.readWord(
      "phase", "choose, decompose or pipeline", [](StringRef text) {
        std::optional<CompilePhase> phase = parseEnumName<CompilePhase>(text);
        if (phase && *phase >= CompilePhase::Choose &&
            *phase <= CompilePhase::Pipeline)
          return phase;
        return std::optional<CompilePhase>();
      });
  auto choice =
      reader.readWord("schedule", "the name of a schedule", [](StringRef text) {
        auto choice = parseEnumName<ScheduleChoice>(text);
        return choice == ScheduleChoice::Best ? std::nullopt : choice;
      });
  auto streams =
      reader.readWord("collectives", "one, by-links or gradients-apart",
                      parseEnumName<CollectiveStreams>);
  plan.dropDim = reader.readInteger("drop", 0, kMostDim);
  plan.fills = reader.readUnit("fill");
  plan.reorders = reader.readUnit("reorder");
  plan.quantizeBlock = reader.readInteger("quantize", 0, kMostBlock);
  if (Attribute attr = reader.take("priorities")) {
    auto names = dyn_cast<ArrayAttr>(attr);
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      reader.error() << "to have 'priorities' as a list of names, got " << attr;
    else
      for (StringAttr name : names.getAsRange<StringAttr>())
        plan.priorities.push_back(name.str());
  }
  if (!reader.failed() && (!phase || !choice || !streams))
    reader.error() << "to have phase, schedule and collectives, got "
                   << module->getAttr(kStep);
  if (failed(reader.finish()))
    return failure();
  plan.phase = *phase;
  plan.schedule = *choice;
  plan.collectives = *streams;
  return plan;
}

FailureOr<LayerVariant> moe::readVariant(LayerOp layer) {
  if (!layer->hasAttr(kVariant))
    return layer.emitError()
           << "expected a plan ('" << kVariant
           << "', which the phase choose writes on every layer), got none";
  EntryReader reader(layer, kVariant);
  LayerVariant form;
  form.exchange =
      reader.readWord("exchange", "flat, 2dh, 1dh or nodes", symbolizeExchange)
          .value_or(Exchange::Flat);
  form.dropDim = reader.readInteger("drop", 0, kMostDim);
  form.scope = reader.readWord("scope", "layer or communication",
                               parseEnumName<ChainScope>);
  form.chunks =
      reader.readInteger("chunks", 1, PipelineOp::kMaxDegree).value_or(1);
  form.order = reader.readWord("order", "letters D, A, R, C and G", parseOrder)
                   .value_or("");
  form.copies =
      reader
          .readWord("copies", "own or intra",
                    [](StringRef text) { return symbolizeCopyPlacement(text); })
          .value_or(CopyPlacement::Own);
  if (Attribute attr = reader.take("sizes")) {
    auto sizes = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!sizes ||
        llvm::any_of(sizes.asArrayRef(), [](int64_t size) { return size < 1; }))
      reader.error() << "to have 'sizes' as an array<i64> of at least 1 each, "
                        "got "
                     << attr;
    else
      llvm::append_range(form.sizes, sizes.asArrayRef());
  }
  if (!form.sizes.empty() &&
      static_cast<int64_t>(form.sizes.size()) != form.chunks)
    reader.error() << "to have as many sizes as chunks, " << form.chunks
                   << ", got " << form.sizes.size();
  if (!form.scope && (form.chunks != 1 || !form.order.empty()))
    reader.error() << "to have a scope with chunks or an order, got "
                   << layer->getAttr(kVariant);
  if (failed(reader.finish()))
    return failure();
  return form;
}

static std::optional<OverlapWindow> parseSlot(StringRef text) {
  for (OverlapWindow slot :
       {OverlapWindow::Dense, OverlapWindow::MoE, OverlapWindow::After})
    if (text == schedule::getName(slot))
      return slot;
  return std::nullopt;
}

/// A piece; nullopt for what is none.
static std::optional<GradientBucket> parsePiece(Attribute attr) {
  auto parts = dyn_cast<ArrayAttr>(attr);
  if (!parts || parts.size() != 4 || !isa<StringAttr>(parts[0]))
    return std::nullopt;
  std::optional<OverlapWindow> slot =
      parseSlot(cast<StringAttr>(parts[0]).getValue());
  for (Attribute part : parts.getValue().drop_front())
    if (auto number = dyn_cast<IntegerAttr>(part);
        !number || !number.getType().isInteger(64))
      return std::nullopt;
  auto get = [&](size_t i) { return cast<IntegerAttr>(parts[i]).getInt(); };
  if (!slot)
    return std::nullopt;
  return GradientBucket{get(1), *slot, get(2), get(3)};
}

FailureOr<std::optional<GradientPlan>>
moe::readGradientPlan(func::FuncOp function) {
  if (!function->hasAttr(kGradients))
    return std::optional<GradientPlan>();
  EntryReader reader(function, kGradients);
  GradientPlan plan;
  plan.fuse = reader.readUnit("fuse");
  plan.bucket = reader.readInteger("bucket", 1, kMostBucket).value_or(0);
  auto pieces = dyn_cast_or_null<ArrayAttr>(reader.take("pieces"));
  if (!reader.failed() && !pieces)
    reader.error() << "to have a list of pieces, got "
                   << function->getAttr(kGradients);
  for (Attribute attr : pieces ? pieces.getValue() : ArrayRef<Attribute>()) {
    if (std::optional<GradientBucket> piece = parsePiece(attr))
      plan.pieces.push_back(*piece);
    else
      reader.error()
          << "to have pieces [slot, layer, from, elements], the slot "
             "dense, moe or after, got "
          << attr;
  }
  if (failed(reader.finish()))
    return failure();
  return std::optional<GradientPlan>(std::move(plan));
}

LogicalResult moe::verifyPlanApplied(ModuleOp module) {
  if (hasPlan(module)) {
    FailureOr<StepPlan> plan = readStepPlan(module);
    if (failed(plan))
      return failure();
    auto next = static_cast<CompilePhase>(static_cast<int>(plan->phase) + 1);
    return emitError(module.getLoc())
           << "expected a plan that has been carried out, got '" << kStep
           << "' of a program that is only through the phase "
           << getName(plan->phase) << " (from=" << getName(next)
           << " goes on from there)";
  }
  WalkResult result = module.walk([&](Operation *op) {
    StringRef name;
    if (isa<LayerOp>(op))
      name = kVariant;
    else if (isa<func::FuncOp>(op))
      name = kGradients;
    if (name.empty() || !op->hasAttr(name))
      return WalkResult::advance();
    InFlightDiagnostic diag = emitError(op->getLoc());
    if (auto layer = dyn_cast<LayerOp>(op))
      diag << "layer " << layer.getName() << ": ";
    diag << "expected a plan that has been carried out, got '" << name
         << "', which only the phases decompose and pipeline read, beside '"
         << kStep << "' on the module";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void moe::writeStepPlan(ModuleOp module, const StepPlan &plan) {
  Builder builder(module.getContext());
  NamedAttrList entries;
  entries.append("phase", builder.getStringAttr(getName(plan.phase)));
  entries.append("schedule", builder.getStringAttr(getName(plan.schedule)));
  entries.append("collectives",
                 builder.getStringAttr(getEnumName(plan.collectives)));
  if (plan.dropDim)
    entries.append("drop", builder.getI64IntegerAttr(*plan.dropDim));
  if (!plan.priorities.empty()) {
    SmallVector<StringRef> names(plan.priorities.begin(),
                                 plan.priorities.end());
    entries.append("priorities", builder.getStrArrayAttr(names));
  }
  if (plan.fills)
    entries.append("fill", builder.getUnitAttr());
  if (plan.reorders)
    entries.append("reorder", builder.getUnitAttr());
  if (plan.quantizeBlock)
    entries.append("quantize", builder.getI64IntegerAttr(*plan.quantizeBlock));
  module->setAttr(kStep, entries.getDictionary(module.getContext()));
}

LogicalResult moe::reorderTasks(ModuleOp module) {
  FailureOr<StepPlan> plan = readStepPlan(module);
  if (failed(plan))
    return failure();
  plan->reorders = true;
  writeStepPlan(module, *plan);
  return success();
}

void moe::writeVariant(LayerOp layer, const LayerVariant &form) {
  Builder builder(layer.getContext());
  NamedAttrList entries;
  if (form.exchange != Exchange::Flat)
    entries.append("exchange",
                   builder.getStringAttr(stringifyExchange(form.exchange)));
  if (form.dropDim)
    entries.append("drop", builder.getI64IntegerAttr(*form.dropDim));
  if (form.scope)
    entries.append("scope", builder.getStringAttr(getEnumName(*form.scope)));
  if (form.chunks != 1)
    entries.append("chunks", builder.getI64IntegerAttr(form.chunks));
  if (!form.sizes.empty())
    entries.append("sizes", builder.getDenseI64ArrayAttr(form.sizes));
  if (!form.order.empty())
    entries.append("order", builder.getStringAttr(form.order));
  if (form.copies != CopyPlacement::Own)
    entries.append("copies",
                   builder.getStringAttr(stringifyCopyPlacement(form.copies)));
  layer->setAttr(kVariant, entries.getDictionary(layer.getContext()));
}

void moe::writeGradientPlan(func::FuncOp function, const GradientPlan &plan) {
  Builder builder(function.getContext());
  SmallVector<Attribute> pieces;
  for (const GradientBucket &piece : plan.pieces)
    pieces.push_back(builder.getArrayAttr(
        {builder.getStringAttr(schedule::getName(piece.slot)),
         builder.getI64IntegerAttr(piece.layer),
         builder.getI64IntegerAttr(piece.from),
         builder.getI64IntegerAttr(piece.elements)}));
  NamedAttrList entries;
  entries.append("pieces", builder.getArrayAttr(pieces));
  if (plan.fuse)
    entries.append("fuse", builder.getUnitAttr());
  if (plan.bucket != 0)
    entries.append("bucket", builder.getI64IntegerAttr(plan.bucket));
  function->setAttr(kGradients, entries.getDictionary(function.getContext()));
}

SmallVector<LayerOp> moe::listLayers(ModuleOp module) {
  SmallVector<LayerOp> layers;
  module.walk([&](LayerOp layer) { layers.push_back(layer); });
  return layers;
}

void moe::copyPlan(ModuleOp from, ModuleOp to) {
  auto copy = [](Operation *planned, Operation *op, StringRef name) {
    if (Attribute attr = planned->getAttr(name))
      op->setAttr(name, attr);
  };
  copy(from, to, kStep);
  for (auto [planned, layer] :
       llvm::zip_equal(listLayers(from), listLayers(to)))
    copy(planned, layer, kVariant);
  for (auto [planned, function] :
       llvm::zip_equal(from.getOps<func::FuncOp>(), to.getOps<func::FuncOp>()))
    copy(planned, function, kGradients);
}

void moe::eraseStepPlan(ModuleOp module) { module->removeAttr(kStep); }
void moe::eraseVariant(LayerOp layer) { layer->removeAttr(kVariant); }
void moe::eraseGradientPlan(func::FuncOp function) {
  function->removeAttr(kGradients);
}
