// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan gradients.

#include "Commands.h"
#include "JobNetwork.h"
#include "moe/Platform/ModelLayers.h"
#include "moe/Schedule/GradientAllReduce.h"
#include "moe/Schedule/GradientPartition.h"
#include "moe/Schedule/MachinePhase.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

/// All that is printed, in either form.
struct Answer {
  std::vector<GeneralizedLayer> layers;
  int64_t tp = 1;
  std::string dtype;
  GradientAllReduce allReduce;
  GradientPartition plan;
  /// Of each layer: degrees whose chunks have sizes that the platform was not
  /// measured at.
  std::vector<std::vector<int64_t>> extrapolatedDegrees;
  /// With no gradients at all; with all of them sent after the backward pass;
  /// and after step 1 of SPEC FS-7 alone.
  double withoutUs, notOverlappedUs, step1Us;

  /// Whether the MoE part of a layer has such sizes.
  bool isExtrapolated(size_t layer) const {
    return !layers[layer].moe.empty() &&
           llvm::is_contained(extrapolatedDegrees[layer],
                              plan.time.degrees[layer]);
  }
  std::vector<size_t> listExtrapolated() const {
    std::vector<size_t> found;
    for (size_t i = 0; i < layers.size(); ++i)
      if (isExtrapolated(i))
        found.push_back(i);
    return found;
  }

  int64_t countElements() const {
    int64_t sum = 0;
    for (const GeneralizedLayer &layer : layers)
      sum += layer.gradientElements;
    return sum;
  }
  double getTimeUs() const { return plan.time.getUs(); }
  /// Beside what the search may have left out, the best pieces may differ by an
  /// element in each slot.
  double getLowerBoundUs() const {
    double roundingUs = double(2 * layers.size() + 1) * allReduce.time.slopeUs;
    return std::max(withoutUs, getTimeUs() - plan.gapUs - roundingUs);
  }
};

class GradientsCommand : public Command {
public:
  GradientsCommand()
      : Command("gradients", "Cut gradients into buckets and overlap their "
                             "all-reduce with the backward pass") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  std::optional<Failure> readInput(const cost::Machine &machine, int64_t most,
                                   Answer &answer);
  std::optional<Failure> readJob(const platform::Platform &machine,
                                 int64_t most, Answer &answer);

  MachineOptions platform{table};
  TextOption input{
      table, "input",
      "JSON file of the network's layers in forward order (required "
      "unless --config is given)",
      "FILE"};
  /// Without --config: --tp, whose ranks are consecutive (default: the
  /// platform's innermost level), and --dtype (default: f32).
  ConfigJob job{table};
  IntegerOption maxDegree{table,
                          "max-chunks",
                          "Largest number of chunks to try (default: 16)",
                          {1, 64}};
  AnswerOptions answers{subCommand};
};

} // namespace

/// What an MoE layer may do in the backward pass; adds the degrees of sizes
/// that were not measured to `extrapolated`.
static cost::Result<std::vector<BackwardChoice>>
getChoices(const LayerShape &shape, cost::BytesPerElement element,
           std::optional<int64_t> ep, const cost::Machine &machine,
           int64_t maxDegree, std::vector<int64_t> &extrapolated) {
  auto phase = MachinePhase::create(machine, shape, TrainingPhase::Backward,
                                    element, ep);
  if (!phase)
    return phase.getFailure();
  std::vector<BackwardChoice> choices =
      getBackwardChoices(*phase, phase->getMaxDegree(maxDegree));
  for (const BackwardChoice &choice : choices)
    if (phase->isExtrapolated(1.0 / double(choice.degree)))
      extrapolated.push_back(choice.degree);
  return choices;
}

/// That of an MoE layer of the file.
static LayerShape getShape(const platform::MoESizes &sizes,
                           const cost::Machine &machine) {
  LayerShape shape;
  shape.microBatch = sizes.microBatch;
  shape.seqLen = sizes.seqLen;
  shape.hidden = sizes.hidden;
  shape.ffnHidden = sizes.ffnHidden;
  shape.topK = sizes.topK;
  shape.capacityFactor = sizes.capacityFactor;
  shape.gemms = sizes.gemms;
  shape.tp = sizes.tp.value_or(machine.levels.front().ranks);
  shape.esp = sizes.esp.value_or(shape.tp);
  return shape;
}

static void printJSON(json::OStream &out, const Answer &answer) {
  out.attributeArray("pieces", [&] {
    for (const GradientBucket &piece : answer.plan.pieces)
      out.object([&] {
        out.attribute("layer", piece.layer);
        out.attribute("slot", schedule::getName(piece.slot));
        out.attribute("from", piece.from);
        out.attribute("elements", piece.elements);
        if (answer.allReduce.isExtrapolated(piece.elements))
          out.attribute("extrapolated", true);
      });
  });
  out.attribute("time_us", answer.getTimeUs());
  out.attribute("dense_us", answer.plan.time.denseUs);
  out.attribute("moe_us", answer.plan.time.moeUs);
  out.attribute("after_us", answer.plan.time.afterUs);
  out.attribute("exposed_us", answer.getTimeUs() - answer.withoutUs);
  out.attribute("lower_bound_us", answer.getLowerBoundUs());
  out.attribute("without_gradients_us", answer.withoutUs);
  out.attribute("step1_us", answer.step1Us);
  out.attribute("not_overlapped_us", answer.notOverlappedUs);
  out.attributeArray("degrees", [&] {
    for (int64_t degree : answer.plan.time.degrees)
      out.value(degree);
  });
  if (std::vector<size_t> layers = answer.listExtrapolated(); !layers.empty())
    out.attributeArray("extrapolated_layers", [&] {
      for (size_t layer : layers)
        out.value(int64_t(layer));
    });
  out.attributeObject("all_reduce", [&] {
    out.attribute("ranks", answer.allReduce.numRanks);
    out.attribute("alpha_us", answer.allReduce.time.alphaUs);
    out.attribute("us_per_element", answer.allReduce.time.slopeUs);
    out.attribute("linear", answer.allReduce.isExact);
  });
}

static void printTable(raw_ostream &os, const Answer &answer) {
  Report table = makeList({true, true, true, true, true, true, true, false});
  table.addRow({"  layer", "gradient", "degree", "dense us", "sent beside it",
                "MoE us", "sent beside it", ""});
  std::vector<int64_t> dense(answer.layers.size(), 0), moe = dense;
  for (const GradientBucket &piece : answer.plan.pieces)
    if (piece.slot != OverlapWindow::After)
      (piece.slot == OverlapWindow::Dense ? dense : moe)[size_t(piece.layer)] +=
          piece.elements;
  for (size_t i = answer.layers.size(); i-- > 0;) {
    const GeneralizedLayer &layer = answer.layers[i];
    int64_t inMoE = moe[i];
    double gradientUs = inMoE ? answer.allReduce.time.getUs(double(inMoE)) : 0;
    double moeUs = std::numeric_limits<double>::infinity();
    for (const BackwardChoice &choice : layer.moe)
      moeUs = std::min(moeUs, choice.getUs(gradientUs));
    bool hasMoE = !layer.moe.empty();
    table.addRow({std::to_string(i), std::to_string(layer.gradientElements),
                  hasMoE ? std::to_string(answer.plan.time.degrees[i]) : "-",
                  formatFixed(layer.denseUs, 1), std::to_string(dense[i]),
                  hasMoE ? formatFixed(moeUs, 1) : "-",
                  hasMoE ? std::to_string(inMoE) : "-",
                  markExtrapolated("", answer.isExtrapolated(i))});
  }
  table.printTable(os, /*withHeading=*/false);
}

/// The network of a file, on all of the platform's ranks.
std::optional<Failure>
GradientsCommand::readInput(const cost::Machine &machine, int64_t most,
                            Answer &answer) {
  answer.dtype = "f32";
  if (job.job.dtype.isSet())
    answer.dtype = job.job.dtype;
  std::optional<int64_t> bytes = platform::getElementBytes(answer.dtype);
  if (!bytes)
    return makeFailure("--dtype: expected one of f64, f32, bf16, f16; got '" +
                       answer.dtype + "'");
  Result<int64_t> tp = job.job.tp.read(machine.levels.front().ranks);
  if (!tp)
    return tp.getFailure();
  answer.tp = *tp;
  auto model = platform::loadModelLayers(input);
  if (!model)
    return model.getFailure();
  for (size_t i = 0; i < model->layers.size(); ++i) {
    const platform::ModelLayer &from = model->layers[i];
    GeneralizedLayer layer;
    layer.gradientElements = from.gradientElements;
    layer.denseUs = from.overlappableDenseUs;
    answer.extrapolatedDegrees.emplace_back();
    if (from.moe) {
      auto choices = getChoices(
          getShape(*from.moe, machine),
          cost::BytesPerElement(double(*platform::getElementBytes(from.moe->dtype))),
          /*ep=*/std::nullopt, machine, most,
          answer.extrapolatedDegrees.back());
      if (!choices)
        return makeFailure(input.get() + ": layers[" + Twine(i) +
                           "].moe: " + choices.getError());
      layer.moe = std::move(*choices);
    }
    answer.layers.push_back(std::move(layer));
  }
  auto allReduce = GradientAllReduce::create(
      machine, answer.tp, cost::BytesPerElement(double(*bytes)),
      answer.countElements());
  if (!allReduce)
    return allReduce.getFailure();
  answer.allReduce = std::move(*allReduce);
  return std::nullopt;
}

/// That of a stage of a job, on the job's ranks.
std::optional<Failure>
GradientsCommand::readJob(const platform::Platform &platform, int64_t most,
                          Answer &answer) {
  Result<PlannedJob> planned = job.read(/*train=*/true);
  if (!planned)
    return planned.getFailure();
  if (auto failure = checkRanks(platform, *planned))
    return failure;
  answer.dtype = job.job.dtype;
  answer.tp = planned->options.tp;
  const cost::Machine &machine = platform.machine;
  auto layers = listJobLayers(*planned, machine);
  if (!layers)
    return layers.getFailure();
  cost::BytesPerElement element(double(planned->getElementBytes()));
  LayerShape shape = getLayerShape(*planned);
  shape.capacityFactor = 1;
  std::vector<int64_t> extrapolated;
  auto choices = getChoices(shape, element, planned->layout.ep, machine, most,
                            extrapolated);
  if (!choices)
    return choices.getFailure();
  for (const JobLayer &from : *layers) {
    answer.layers.push_back(
        {from.gradientElements, from.denseUs,
         from.hasMoE ? *choices : std::vector<BackwardChoice>()});
    answer.extrapolatedDegrees.push_back(
        from.hasMoE ? extrapolated : std::vector<int64_t>());
  }
  auto groups = getGradientGroups(*planned);
  if (!groups)
    return groups.getFailure();
  auto allReduce = GradientAllReduce::create(machine, *groups, element,
                                             answer.countElements());
  if (!allReduce)
    return allReduce.getFailure();
  answer.allReduce = std::move(*allReduce);
  return std::nullopt;
}

std::optional<Failure> GradientsCommand::run(raw_ostream &os) {
  if (!platform.isSet())
    return failMissing("platform");
  bool hasInput = input.isSet();
  if (hasInput && job.isSet())
    return makeFailure(
        "--input is not supported with --config, which describes the network");
  if (!hasInput && !job.isSet())
    return failMissing("input");
  if (auto failure = job.checkBeside({}, {"tp", "dtype"}))
    return failure;
  Result<int64_t> most = maxDegree.read(16);
  if (!most)
    return most.getFailure();
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  Answer answer;
  if (auto failure = hasInput ? readInput(machine, *most, answer)
                              : readJob(*loaded, *most, answer))
    return failure;
  const std::string &network = hasInput ? input : job.getFile();
  int64_t total = answer.countElements();
  const LinearTime &line = answer.allReduce.time;
  auto plan = partitionGradients(answer.layers, line);
  if (!plan)
    return makeFailure(network + ": " + plan.getError());
  auto step1 = hideGradients(answer.layers, line);
  if (!step1)
    return makeFailure(network + ": " + step1.getError());
  for (const auto *pieces : {&plan->pieces, &step1->pieces})
    if (std::string problem = checkPartition(answer.layers, *pieces);
        !problem.empty())
      return makeFailure("internal error: " + problem);
  answer.plan = std::move(*plan);
  answer.step1Us = step1->time.getUs();
  answer.withoutUs = getBackwardTime(answer.layers, line, {}).getUs();
  answer.notOverlappedUs =
      answer.withoutUs + (total ? line.getUs(double(total)) : 0);

  Result<bool> isAnswered =
      answers.answer(os, "Gradients on " + machine.name,
                     [&](json::OStream &out) { printJSON(out, answer); });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << "gradients of " << total << " elements in " << answer.layers.size()
     << (answer.layers.size() == 1 ? " layer" : " layers") << " on "
     << machine.name << ": " << formatFixed(answer.getTimeUs(), 1)
     << " us for the backward pass, " << answer.plan.pieces.size()
     << (answer.plan.pieces.size() == 1 ? " piece\n\n" : " pieces\n\n");
  printTable(os, answer);

  os << "\npieces, in the order in which they are sent\n";
  Report pieces = makeList({false, true, false, false});
  for (const GradientBucket &piece : answer.plan.pieces) {
    std::string where =
        piece.slot == OverlapWindow::After
            ? "after the backward pass"
            : std::string("beside the ") +
                  (piece.slot == OverlapWindow::MoE ? "MoE" : "dense") +
                  " part of layer " + std::to_string(piece.layer);
    pieces.addRow({"  of layer " + std::to_string(piece.from),
                   std::to_string(piece.elements), where,
                   markExtrapolated(
                       "", answer.allReduce.isExtrapolated(piece.elements))});
  }
  pieces.printTable(os, /*withHeading=*/false);

  os << "\ntimes, us\n";
  Report times = makeList({false, true});
  auto addTime = [&](const Twine &name, double us) {
    times.addRow({("  " + name).str(), formatFixed(us, 1)});
  };
  addTime("dense parts", answer.plan.time.denseUs);
  addTime("MoE parts", answer.plan.time.moeUs);
  addTime("after them", answer.plan.time.afterUs);
  addTime("together", answer.getTimeUs());
  addTime("no partition is faster than", answer.getLowerBoundUs());
  addTime("without gradients", answer.withoutUs);
  addTime("hiding what hides, the rest at the end", answer.step1Us);
  addTime("all gradients at the end", answer.notOverlappedUs);
  times.printTable(os, /*withHeading=*/false);

  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  const JobOptions &given = job.job;
  settings.addRow({"  tp", std::to_string(answer.tp),
                   given.tp.isSet()
                       ? "ranks (--tp)"
                       : "ranks (innermost level of the platform)"});
  settings.addRow({"  dtype", answer.dtype,
                   given.dtype.isSet() ? "(--dtype)" : "(default)"});
  settings.addRow({"  max-chunks", std::to_string(*most),
                   "chunks (" + maxDegree.getOrigin() + ")"});
  settings.printTable(os, /*withHeading=*/false);
  os << "all-reduce over " << answer.allReduce.numRanks
     << " ranks: " << format("%.6g", line.alphaUs) << " us + "
     << format("%.6g", line.slopeUs) << " us an element"
     << (answer.allReduce.isExact
             ? "\n"
             : ", a line through times that are not on one\n");
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createGradientsCommand() {
  return std::make_unique<GradientsCommand>();
}
