// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON export of a plan for other systems.
//
// docs/reference/plan.schema.json describes the JSON, and
// python/moe_mlir/plans.py reads it. Variants come from the phase Choose;
// everything else comes from the resulting schedule.

#include "moe/Compiler/ExportPlan.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/Plan.h"
#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/TextFile.h"
#include "moe/Transforms/ModulePlatform.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"

namespace moe {
#define GEN_PASS_DEF_EXPORTPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;
namespace json = llvm::json;

namespace {

/// Writes one plan.
class PlanWriter {
public:
  PlanWriter(ModuleOp module, const PredictionReport &report,
             const std::vector<bool> &changesCircuits, json::OStream &out)
      : module(module), report(report), program(report.program),
        changesCircuits(changesCircuits), out(out) {}

  LogicalResult write();

private:
  struct Layer {
    std::string name, phase;
    std::optional<LayerVariant> form;
  };

  LogicalResult listVariants();
  void writeMesh();
  void writeVariant(const LayerVariant &form);
  void writeLayer(const Layer &layer);
  void writeExchanges(ArrayRef<size_t> tasks);
  bool isOf(const ReportedTask &task, const Layer &layer) const {
    return task.layer == layer.name &&
           program.kinds[task.kind].phase == layer.phase;
  }
  bool isSaidOf(const ReportedChoice &choice, const Layer &layer) const;

  ModuleOp module;
  const PredictionReport &report;
  const ReportedProgram &program;
  /// Indexed by task.
  const std::vector<bool> &changesCircuits;
  json::OStream &out;
  std::vector<Layer> layers;
};

} // namespace

/// Collects layers with their variants, and layers that only tasks name.
LogicalResult PlanWriter::listVariants() {
  for (LayerOp op : listLayers(module)) {
    Layer layer = {op.getName().str(), stringifyPhase(op.getPhase()).str(), {}};
    if (op->hasAttr(kPlanAttrName)) {
      FailureOr<LayerVariant> form = readVariant(op);
      if (failed(form))
        return failure();
      layer.form = *form;
    }
    layers.push_back(std::move(layer));
  }
  for (const ReportedTask &task : program.tasks)
    if (!task.layer.empty() && llvm::none_of(layers, [&](const Layer &layer) {
          return isOf(task, layer);
        }))
      layers.push_back({task.layer, program.kinds[task.kind].phase, {}});
  return success();
}

void PlanWriter::writeMesh() {
  auto meshes = module.getOps<MeshOp>();
  if (meshes.empty())
    return;
  MeshOp mesh = *meshes.begin();
  out.attributeObject("mesh", [&] {
    out.attributeArray("axes", [&] {
      for (Attribute axis : mesh.getAxes())
        out.value(cast<StringAttr>(axis).getValue());
    });
    out.attributeArray("shape", [&] {
      for (int64_t size : mesh.getShape())
        out.value(size);
    });
  });
}

void PlanWriter::writeVariant(const LayerVariant &form) {
  out.attribute("name", form.getName());
  out.attribute("exchange", getEnumName(form.exchange));
  if (form.dropDim)
    out.attribute("drop_dim", *form.dropDim);
  if (form.scope)
    out.attribute("scope", getEnumName(*form.scope));
  out.attribute("degree", form.chunks);
  out.attributeArray("sizes", [&] {
    for (int64_t size : form.sizes)
      out.value(size);
  });
  if (!form.order.empty())
    out.attribute("order", form.order);
  out.attribute("copies", stringifyCopyPlacement(form.copies));
}

bool PlanWriter::isSaidOf(const ReportedChoice &choice,
                          const Layer &layer) const {
  return llvm::any_of(choice.getLayers(), [&](const DecidedLayer &said) {
    return said.name == layer.name &&
           (said.phase.empty() || said.phase == layer.phase);
  });
}

void PlanWriter::writeExchanges(ArrayRef<size_t> tasks) {
  llvm::SmallSetVector<size_t, 8> exchanges;
  for (size_t task : tasks)
    for (size_t exchange : program.kinds[program.tasks[task].kind].exchanges)
      exchanges.insert(exchange);
  out.attributeArray("exchanges", [&] {
    for (size_t number : exchanges) {
      const ReportedExchange &exchange = program.exchanges[number];
      out.object([&] {
        out.attribute("kind", exchange.kind);
        out.attribute("group", exchange.axes);
        if (exchange.bytes)
          out.attribute("bytes", *exchange.bytes);
        out.attribute("bound", exchange.bound);
      });
    }
  });
}

void PlanWriter::writeLayer(const Layer &layer) {
  std::vector<size_t> tasks;
  for (auto [i, task] : llvm::enumerate(program.tasks))
    if (isOf(task, layer))
      tasks.push_back(i);
  llvm::sort(tasks, [&](size_t a, size_t b) {
    return std::pair(program.tasks[a].startUs, a) <
           std::pair(program.tasks[b].startUs, b);
  });
  double start = 0, end = 0;
  int64_t changes = 0;
  bool isRouted = false;
  for (size_t i : tasks) {
    const ReportedTask &task = program.tasks[i];
    start = i == tasks.front() ? task.startUs : std::min(start, task.startUs);
    end = std::max(end, task.endUs);
    isRouted |= program.kinds[task.kind].isRouted;
    changes += changesCircuits[i];
  }
  out.attribute("layer", layer.name);
  out.attribute("phase", layer.phase);
  if (layer.form)
    out.attributeObject("form", [&] { writeVariant(*layer.form); });
  out.attribute("dispatch", isRouted ? "traffic" : "even");
  out.attribute("circuit_changes", changes);
  out.attribute("start_us", start);
  out.attribute("predicted_us", end - start);
  out.attributeArray("order", [&] {
    for (size_t i : tasks) {
      const ReportedTask &task = program.tasks[i];
      const ReportedKind &kind = program.kinds[task.kind];
      out.object([&] {
        out.attribute("task", kind.name);
        out.attribute("chunk", task.chunk);
        out.attribute("stream", program.streams[kind.stream].name);
        out.attribute("start_us", task.startUs);
        out.attribute("us", task.endUs - task.startUs);
      });
    }
  });
  writeExchanges(tasks);
  out.attributeArray("why", [&] {
    for (const ReportedChoice &choice : report.choices)
      if (isSaidOf(choice, layer))
        out.value(choice.pass + ": " + choice.text);
  });
}

LogicalResult PlanWriter::write() {
  if (failed(listVariants()))
    return failure();
  std::string schedule = "layers";
  if (hasPlan(module)) {
    FailureOr<StepPlan> step = readStepPlan(module);
    if (failed(step))
      return failure();
    schedule = getName(step->schedule).str();
  }
  out.object([&] {
    out.attribute("version", kPlanVersion);
    out.attribute("platform", report.platform.machine.name);
    out.attribute("ranks", report.ranks);
    writeMesh();
    out.attribute("schedule", schedule);
    out.attribute("predicted_us", program.makespanUs);
    out.attribute("lower_bound_us", program.lowerBoundUs);
    out.attribute("peak_bytes", program.peakBytes);
    out.attributeArray("streams", [&] {
      for (const ReportedStream &stream : program.streams)
        out.object([&] {
          out.attribute("name", stream.name);
          out.attribute("resource", stream.resource);
          out.attribute("busy_us", stream.busyUs);
        });
    });
    out.attributeArray("layers", [&] {
      for (const Layer &layer : layers)
        out.object([&] { writeLayer(layer); });
    });
    out.attributeArray("gradients", [&] {
      for (auto function : module.getOps<func::FuncOp>()) {
        auto plan = readGradientPlan(function);
        if (failed(plan) || !*plan)
          continue;
        for (const schedule::GradientBucket &piece : (*plan)->pieces)
          out.object([&] {
            out.attribute("beside_layer", piece.layer);
            out.attribute("layer", piece.from);
            out.attribute("elements", piece.elements);
          });
      }
    });
    out.attributeArray("why", [&] {
      for (const ReportedChoice &choice : report.choices)
        if (choice.getLayers().empty())
          out.value(choice.pass + ": " + choice.text);
    });
  });
  return success();
}

FailureOr<std::string>
moe::exportPlan(ModuleOp module, const platform::Platform &platform,
                const std::vector<ReportedChoice> &choices) {
  OwningOpRef<ModuleOp> scheduled(cast<ModuleOp>(module->clone()));
  if (failed(resumeCompilation(*scheduled, CompilePhase::Schedule)))
    return failure();
  FailureOr<Prediction> prediction =
      predict(*scheduled, /*file=*/"", /*entry=*/"", platform.machine);
  if (failed(prediction))
    return failure();
  PredictionReport report = makeReport(*prediction, {}, platform);
  report.choices = choices;
  std::vector<bool> changesCircuits;
  for (TaskOp task : prediction->schedule.tasks)
    changesCircuits.push_back(bool(findLinkOp(task, LinkAction::Change)));
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os, /*IndentSize=*/2);
  if (failed(PlanWriter(module, report, changesCircuits, out).write()))
    return failure();
  os << "\n";
  return text;
}

namespace {
struct ExportPlanPass : public moe::impl::ExportPlanBase<ExportPlanPass> {
  using ExportPlanBase::ExportPlanBase;

  /// Checks the output file before the program is compiled.
  LogicalResult initialize(MLIRContext *context) override {
    auto problem = file.empty() ? std::nullopt : support::checkOutputFile(file);
    if (problem)
      return emitError(UnknownLoc::get(context), "moe-export-plan: ")
             << problem->message;
    return success();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (file.empty())
      return emitError(module.getLoc(),
                       "moe-export-plan: file=FILE is required");
    FailureOr<platform::Platform> platform =
        loadPlatformOf(module, /*given=*/"", "moe-export-plan");
    if (failed(platform))
      return failure();
    std::vector<ReportedChoice> choices;
    if (!remarks.empty()) {
      cost::Result<std::string> yaml =
          support::readTextFile(remarks, "remarks of moe-opt");
      if (!yaml)
        return emitError(module.getLoc(), "moe-export-plan: remarks: ")
               << yaml.getError();
      auto read = readChoices(*yaml, remarks);
      if (!read)
        return emitError(module.getLoc(), "moe-export-plan: remarks: ")
               << read.getError();
      choices = std::move(*read);
    }
    FailureOr<std::string> plan = exportPlan(module, *platform, choices);
    if (failed(plan))
      return failure();
    auto problem = support::writeOutputFile(
        file, [&](llvm::raw_ostream &os) { os << *plan; });
    if (problem)
      return emitError(module.getLoc(), "moe-export-plan: ")
             << problem->message;
    return success();
  }
};
} // namespace
