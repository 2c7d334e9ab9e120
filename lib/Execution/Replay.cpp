// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets gates replay the choices of a trace.

#include "moe/Execution/Replay.h"
#include "moe/Analysis/Replication.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/TrafficUse.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;
using cost::Failure;
using cost::Result;

Result<Replay> Replay::load(const std::string &file,
                            std::optional<int64_t> step) {
  Result<ModuleTraffic> loaded = loadTraffic(file);
  if (!loaded)
    return Failure{"--traffic: " + loaded.getError()};
  const traffic::Trace &trace = *loaded->trace;
  if (!step && trace.steps.size() > 1)
    return Failure{"--step: expected the one to replay of the " +
                   std::to_string(trace.steps.size()) + " steps of " + file +
                   ", from " + std::to_string(trace.steps.front().step) +
                   " to " + std::to_string(trace.steps.back().step) +
                   ", got none"};
  Result<size_t> place =
      traffic::findStep(trace, file, step.value_or(trace.steps.front().step));
  if (!place)
    return Failure{"--step: " + place.getError()};
  Replay replay;
  replay.routing =
      std::make_shared<traffic::Routing>(loaded->trace, file, *place);
  replay.hash = loaded->hash;
  return replay;
}

std::string Replay::describe() const {
  std::string text = "gates of layers";
  for (auto [i, layer] : llvm::enumerate(layers))
    text += (i ? ", \"" : " \"") + layer.name + "\"";
  text += " choose what " + routing->getName();
  if (routing->getTrace().steps.size() > 1)
    text += ", step " + std::to_string(*routing->getStep()) + ",";
  return text + " says; weights are those of their own choices";
}

//===----------------------------------------------------------------------===//
// Layers of a program
//===----------------------------------------------------------------------===//

/// Returns the group whose ranks share the layer's experts: the union of the
/// axes of its plans and exchanges, because a hierarchical exchange runs along
/// a part of the axes. Null if the layer has no exchange.
static GroupAttrInterface findGroup(ModuleOp module, StringRef layer) {
  GroupAttrInterface first;
  llvm::StringSet<> axes;
  bool hasAxes = true;
  FlatSymbolRefAttr mesh;
  auto add = [&](GroupAttrInterface group) {
    first = first ? first : group;
    auto own = dyn_cast<GroupAttr>(group);
    hasAxes &= static_cast<bool>(own);
    if (!own)
      return;
    mesh = own.getMesh();
    for (StringRef axis : own.getAxes().getAsValueRange<StringAttr>())
      axes.insert(axis);
  };
  module.walk([&](Operation *op) {
    if (getLayerName(op) == layer)
      TypeSwitch<Operation *>(op)
          .Case<RaggedPlanOp, AllToAllOp, RaggedAllToAllOp>(
              [&](auto exchange) { add(exchange.getGroup()); });
  });
  MeshOp meshOp = MeshOp::lookup(module);
  if (!first || !hasAxes || !meshOp)
    return first;
  SmallVector<StringRef> inOrder;
  for (size_t i = 0; i < meshOp.getShape().size(); ++i)
    if (axes.contains(meshOp.getAxisName(i)))
      inOrder.push_back(meshOp.getAxisName(i));
  return GroupAttr::get(mesh, inOrder);
}

/// Returns the reason why a gate's choices cannot be replaced by an argument of
/// the entry; empty if they can.
static std::string findObstacle(GateOp gate, func::FuncOp entry) {
  if (gate->getParentOfType<func::FuncOp>() != entry)
    return "expected gates in @" + entry.getSymName().str() +
           " only, to whose arguments those that are replayed are added";
  auto type = cast<RankedTensorType>(gate.getIds().getType());
  auto task = gate->getParentOfType<TaskOp>();
  if (gate->getParentOfType<PipelineOp>() || (task && task.getChunks() > 1) ||
      !type.hasStaticShape())
    return "expected a gate of all of a layer's tokens, to replay what they "
           "chose; this one is of a chunk";
  return "";
}

FailureOr<Replay::Layer> Replay::makeLayer(const Program &program,
                                           ArrayRef<GateOp> gates) const {
  GateOp gate = gates.front();
  ModuleOp module = program.getModule();
  auto type = cast<RankedTensorType>(gate.getIds().getType());
  for (GateOp other : gates)
    if (other.getIds().getType() != type) {
      InFlightDiagnostic diag = other.emitOpError()
                                << "expected gates of one layer to choose for "
                                   "as many tokens, to replay it; got "
                                << other.getIds().getType() << " and " << type;
      diag.attachNote(gate.getLoc()) << "the first";
      return diag;
    }
  Layer layer;
  layer.name = getLayerName(gate).str();
  layer.places.resize(program.getNumRanks());
  traffic::RoutedLayer routed{layer.name, 1, getRoutedExperts(gate)};
  if (GroupAttrInterface group = findGroup(module, layer.name)) {
    FailureOr<SmallVector<SmallVector<int64_t>>> lists =
        group.getRankLists(gate);
    if (failed(lists))
      return gate.emitOpError()
             << "expected groups of ranks that can be listed, to replay what "
                "each rank's tokens chose; got "
             << group;
    routed.numRanks = lists->front().size();
    for (const SmallVector<int64_t> &list : *lists)
      for (auto [place, rank] : llvm::enumerate(list))
        layer.places[rank] = place;
  }
  auto choices =
      routing->getChoices(routed, type.getDimSize(0), type.getDimSize(1));
  if (!choices)
    return gate.emitOpError() << choices.getError();
  layer.choices = std::move(*choices);
  return layer;
}

//===----------------------------------------------------------------------===//
// Replacement of choices by arguments
//===----------------------------------------------------------------------===//

/// Replaces the uses of a gate's choices. Ops that yield them out of a region
/// still yield the gate's own choices.
static void replaceChoices(Value choices, Value replayed) {
  for (OpOperand &use : llvm::make_early_inc_range(choices.getUses())) {
    Operation *user = use.getOwner();
    Operation *parent = user->getParentOp();
    if (isa<YieldOp>(user) && isa<LayerOp, TaskOp, ScheduleOp>(parent))
      replaceChoices(parent->getResult(use.getOperandNumber()), replayed);
    else
      use.set(replayed);
  }
}

LogicalResult Replay::apply(const Program &program) {
  ModuleOp module = program.getModule();
  func::FuncOp entry = program.getEntry();
  // A gate may be computed again in the backward pass, so layers may have
  // several gates.
  llvm::MapVector<StringRef, SmallVector<GateOp>> gates;
  WalkResult found = module.walk([&](GateOp gate) {
    if (!getRoutedExperts(gate))
      return WalkResult::advance();
    std::string obstacle = findObstacle(gate, entry);
    if (!obstacle.empty())
      return gate.emitOpError() << obstacle, WalkResult::interrupt();
    gates[getLayerName(gate)].push_back(gate);
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  if (gates.empty())
    return entry.emitError()
           << "expected gates of several experts, 'moe.gate' on "
              "values, whose choices are replayed; got none";
  if (!SymbolTable::symbolKnownUseEmpty(entry, module))
    return entry.emitError()
           << "expected no calls of @" << entry.getSymName()
           << ", to which the choices that are replayed are added as arguments";
  FailureOr<std::unique_ptr<ReplicationInfo>> replication =
      ReplicationInfo::compute(module);
  if (failed(replication))
    return failure();
  // Sorted by name, because compared programs must have the same arguments even
  // if the order of their layers differs.
  auto names = llvm::to_vector(llvm::make_first_range(gates));
  llvm::sort(names);
  std::vector<Layer> own;
  Builder builder(module.getContext());
  for (StringRef name : names) {
    uint64_t varying = 0;
    for (GateOp gate : gates[name])
      varying |= (*replication)->getVarying(gate.getIds());
    FailureOr<Layer> layer = makeLayer(program, gates[name]);
    if (failed(layer))
      return failure();
    own.push_back(std::move(*layer));
    GateOp gate = gates[name].front();
    DictionaryAttr attrs;
    const MeshAxes &axes = (*replication)->getAxes();
    if (axes.getMesh())
      attrs = builder.getDictionaryAttr(builder.getNamedAttr(
          MoEDialect::getVaryingAttrName(),
          builder.getStrArrayAttr(axes.getNames(varying))));
    if (failed(entry.insertArgument(entry.getNumArguments(),
                                    gate.getIds().getType(), attrs,
                                    gate.getLoc())))
      return failure();
    for (GateOp each : gates[name])
      replaceChoices(each.getIds(), entry.getArguments().back());
    // Ranks with the same tokens must have the same choices.
    std::vector<int64_t> first =
        program.getRepresentatives(entry.getNumArguments() - 1);
    const Layer &made = own.back();
    for (auto [rank, representative] : llvm::enumerate(first))
      if (made.choices[made.places[rank]] !=
          made.choices[made.places[representative]])
        return gate.emitOpError()
               << "expected the same counts for ranks " << representative
               << " and " << rank << " of " << routing->getName()
               << ", which have the same tokens; got those of places "
               << made.places[representative] << " and " << made.places[rank];
  }
  auto isSame = [](const Layer &a, const Layer &b) {
    return a.name == b.name && a.choices == b.choices && a.places == b.places;
  };
  if (!layers.empty() &&
      (layers.size() != own.size() ||
       !std::equal(layers.begin(), layers.end(), own.begin(), isSame)))
    return entry.emitError()
           << "expected programs of the same layers to compare on one traffic, "
              "got others in "
           << program.getFile();
  layers = std::move(own);
  return success();
}

std::optional<Failure> Replay::give(const Program &program,
                                    ArgumentOptions &arguments) const {
  unsigned number = program.getEntry().getNumArguments() - layers.size();
  for (const Layer &layer : layers) {
    auto fill = [&layer](int64_t rank, MutableArrayRef<Cell> cells) {
      llvm::copy(layer.choices[layer.places[rank]], cells.begin());
    };
    if (!arguments.given.try_emplace(number, fill).second)
      return Failure{"--input: expected none for argument " +
                     std::to_string(number) +
                     ", which --traffic gives: the choices of layer \"" +
                     layer.name + "\""};
    ++number;
  }
  return std::nullopt;
}
