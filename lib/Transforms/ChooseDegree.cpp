//===- ChooseDegree.cpp - The pipeline degree of each layer ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Degree/DegreeChoice.h"
#include "Degree/SizedSchedule.h"
#include "PipelineBuilder.h"
#include "Strategy/IsolatedLayer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Cost/Choice.h"
#include "moe/Platform/RoutingCounts.h"
#include "moe/Schedule/ExpertSkew.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEDEGREE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct ChooseDegree : public moe::impl::ChooseDegreeBase<ChooseDegree> {
  using ChooseDegreeBase::ChooseDegreeBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  /// What layers of one shape share.
  struct Shape {
    std::optional<ChunkedLayer> chunked;
    /// Why there is none.
    std::string obstacle;
    std::vector<DegreeCandidate> candidates;
    std::string table;
  };
  struct Layer {
    LayerOp op;
    const Shape *shape;
  };

  remark::RemarkOpts options() {
    return remark::RemarkOpts::name("degree").category(getArgument());
  }

  LogicalResult run() {
    if (maxDegree < 1 || maxDegree > kMostDegree)
      return getOperation()->emitError()
             << getArgument() << ": expected max-degree in [1, " << kMostDegree
             << "], got " << maxDegree.getValue();
    if (sizes == ChunkSizes::Best && order == ChunkOrder::OneStream)
      return getOperation()->emitError() << getArgument()
                                         << ": expected order=fixed or best "
                                            "with sizes=best, got one-stream";
    if (sizes == ChunkSizes::Best && phases == DegreePhases::Joint)
      return getOperation()->emitError()
             << getArgument()
             << ": expected phases=each with sizes=best, got joint";
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument());
    if (failed(loaded))
      return failure();
    auto replication = ReplicationInfo::compute(getOperation());
    if (failed(replication))
      return failure();
    if (!expertCounts.empty()) {
      auto rows = platform::loadRoutingCounts(expertCounts);
      if (!rows)
        return getOperation()->emitError()
               << getArgument() << ": expert-counts: " << rows.getError();
      counts.emplace();
      counts->numSources = rows->size();
      counts->numExperts = rows->front().size();
      for (const std::vector<double> &row : *rows)
        llvm::append_range(counts->tokens, row);
    }

    llvm::StringMap<Shape> shapes;
    // By the name of the layer: phases that may share a degree.
    llvm::MapVector<StringRef, SmallVector<Layer>> layers;
    SmallVector<LayerOp> ops;
    getOperation()->walk([&](LayerOp op) { ops.push_back(op); });
    for (LayerOp op : ops) {
      IsolatedLayer alone(op, **replication);
      auto [it, isNew] = shapes.try_emplace(alone.getKey());
      if (isNew && failed(plan(alone.getModule(), loaded->machine, it->second)))
        return failure();
      if (isNew && counts && it->second.chunked &&
          failed(compareLoads(op, it->second)))
        return failure();
      if (it->second.chunked)
        layers[op.getName()].push_back({op, &it->second});
      else
        moe::missed(op.getLoc(), options()) << remark::reason(
            "layer {0} {1}: {2}", op.getName(), stringifyPhase(op.getPhase()),
            it->second.obstacle);
    }
    for (auto &[name, phasesOfLayer] : layers) {
      if (phases == DegreePhases::Joint) {
        if (int64_t degree =
                chooseJointly(phasesOfLayer, loaded->machine.uncertainty.value))
          for (const Layer &layer : phasesOfLayer)
            apply(layer, find(*layer.shape, degree));
        continue;
      }
      for (const Layer &layer : phasesOfLayer)
        apply(layer, *findFastest(layer.shape->candidates,
                                  layer.shape->chunked->getGradientUs(),
                                  loaded->machine.uncertainty.value));
    }
    return success();
  }

  /// Times a layer in all degrees and orders that there are to choose from.
  LogicalResult plan(ModuleOp alone, const cost::Machine &machine,
                     Shape &shape) {
    OpTimer timer(machine, alone);
    auto chunked =
        ChunkedLayer::create(alone, timer, maxDegree, shape.obstacle);
    if (failed(chunked) || !*chunked)
      return failure(failed(chunked));
    shape.chunked = std::move(*chunked);
    double gradientUs = shape.chunked->getGradientUs();
    shape.candidates = listCandidates(*shape.chunked, order, gradientUs);
    shape.table = describeDegrees(*shape.chunked, order);
    if (order == ChunkOrder::Best && failed(compareOrders(alone, timer, shape)))
      return failure();
    if (sizes == ChunkSizes::Best)
      return compareSizes(alone, timer, shape);
    return success();
  }

  /// Keeps the best order found, the last candidate, or the others. Streams of
  /// copies, and what stands around the chain, are no part of the plan: the
  /// order found must be faster than FSMoE's with them as well.
  LogicalResult compareOrders(ModuleOp alone, OpTimer &timer, Shape &shape) {
    double gradientUs = shape.chunked->getGradientUs();
    DegreeCandidate found = std::move(shape.candidates.back());
    shape.candidates.pop_back();
    double uncertainty = timer.getMachine().uncertainty.value;
    const DegreeCandidate &fixed =
        *findFastest(shape.candidates, gradientUs, uncertainty);
    FailureOr<double> foundUs =
        ChunkedLayer::simulate(alone, timer, getForm(shape, found));
    FailureOr<double> fixedUs =
        ChunkedLayer::simulate(alone, timer, getForm(shape, fixed));
    if (failed(foundUs) || failed(fixedUs))
      return failure();
    shape.table += llvm::formatv(
        "; best order {0} of {1} chunks: {2:F1} us; the layer alone takes "
        "{3:F1} us with it, {4:F1} us with the fixed one",
        found.order, found.time.degree, found.time.getUs(gradientUs), *foundUs,
        *fixedUs);
    if (isWorthwhile(*foundUs, *fixedUs, uncertainty))
      shape.candidates = {std::move(found)};
    return success();
  }

  /// Keeps the best chunks of unequal sizes, or the other candidates. As for
  /// orders, the layer alone says which.
  LogicalResult compareSizes(ModuleOp alone, OpTimer &timer, Shape &shape) {
    double gradientUs = shape.chunked->getGradientUs();
    double uncertainty = timer.getMachine().uncertainty.value;
    std::string reason;
    auto parted = PartedLayer::create(
        alone, timer, shape.chunked->getTimes(/*share=*/1), reason);
    if (failed(parted))
      return failure();
    if (!*parted) {
      shape.table += "; no unequal chunks: " + reason;
      return success();
    }
    const DegreeCandidate &equal =
        *findFastest(shape.candidates, gradientUs, uncertainty);
    double equalPlanUs = equal.time.getUs(gradientUs);
    UnequalForms unequal =
        listUnequal(**parted, order, maxDegree, gradientUs, equalPlanUs);
    std::string bound = llvm::formatv(
        "no sizes in any order take less than {0:F1} us", unequal.lowerBoundUs);
    FailureOr<double> equalUs =
        ChunkedLayer::simulate(alone, timer, getForm(shape, equal));
    if (failed(equalUs))
      return failure();
    std::optional<DegreeCandidate> best;
    double bestUs = 0;
    auto simulate = [&](const UnequalForm &form) -> FailureOr<double> {
      FailureOr<double> us =
          ChunkedLayer::simulate(alone, timer, getForm(shape, form.candidate));
      auto [least, most] = std::minmax_element(form.candidate.sizes.begin(),
                                               form.candidate.sizes.end());
      if (succeeded(us) && *most - *least > 1 && (!best || *us < bestUs)) {
        best = form.candidate;
        bestUs = *us;
      }
      return us;
    };
    // The best of the plan, and from there on what the layer alone says.
    SmallVector<std::pair<double, const UnequalForm *>> starts;
    for (const UnequalForm &form : unequal.forms) {
      FailureOr<double> us = simulate(form);
      if (failed(us))
        return failure();
      starts.push_back({*us, &form});
    }
    llvm::sort(starts);
    if (starts.size() > kImprovedForms)
      starts.resize(kImprovedForms);
    std::optional<UnequalForm> even = makeEven(**parted, equal);
    if (even)
      starts.push_back({*equalUs, &*even});
    for (auto [us, start] : starts) {
      auto sized = SizedSchedule::create(
          alone, timer, getForm(shape, start->candidate), **parted);
      if (failed(sized))
        return failure();
      SmallVector<int64_t> parts = start->parts;
      sized->improve(parts);
      if (parts != start->parts &&
          failed(
              simulate(makeUnequal(**parted, start->candidate.order, parts))))
        return failure();
    }
    if (!best) {
      shape.table += "; unequal chunks found no faster; " + bound;
      return success();
    }
    shape.table += llvm::formatv(
        "; unequal chunks of {0:$[, ]} in the order {1}: {2:F1} us, of equal "
        "ones {3:F1} us; the layer alone takes {4:F3} us with them, {5:F3} us "
        "with equal ones; {6}",
        llvm::make_range(best->sizes.begin(), best->sizes.end()),
        getOrder(shape, *best), best->time.getUs(gradientUs), equalPlanUs,
        bestUs, *equalUs, bound);
    if (isWorthwhile(bestUs, *equalUs, uncertainty))
      shape.candidates = {*best};
    return success();
  }

  /// Whether what takes `us` is chosen instead of something simpler.
  static bool isWorthwhile(double us, double simplerUs, double uncertainty) {
    double times[] = {simplerUs, us};
    return cost::pickSimplest(times, uncertainty,
                              [](double time) { return time; }) != times;
  }

  /// A form in equal chunks of as many parts; nullopt where there are too few.
  static std::optional<UnequalForm> makeEven(const PartedLayer &parted,
                                             const DegreeCandidate &equal) {
    int64_t degree = equal.time.degree, numParts = parted.getNumParts();
    if (degree < 2 || numParts / degree < parted.getLeastParts())
      return std::nullopt;
    SmallVector<int64_t> parts(degree, numParts / degree);
    for (int64_t i = 0; i < numParts % degree; ++i)
      ++parts[i];
    return makeUnequal(parted, equal.order, parts);
  }

  /// Says what counted loads are without the slots that the layer's buffers
  /// have. Shapes are static, so every rank sends and computes all its slots,
  /// and none of it tells one routing from another.
  LogicalResult compareLoads(LayerOp op, Shape &shape) {
    int64_t numExperts = shape.chunked->getNumExperts();
    auto error = [&] {
      return op.emitError()
             << getArgument() << ": expert-counts: " << expertCounts
             << ": counts: ";
    };
    if (counts->numExperts != numExperts)
      return error() << "expected those of the " << numExperts
                     << " experts of layer " << op.getName() << ", got "
                     << counts->numExperts;
    auto skew = schedule::getExpertSkew(
        *counts, shape.chunked->getExpertParallelRanks(), std::nullopt);
    if (!skew)
      return error() << skew.getError();
    shape.table += llvm::formatv(
        "; the capacity of its buffers fixes the loads, counts change no time "
        "(without a capacity the busiest rank would have {0:F2} times the mean "
        "load and exchange {1:F2} times the mean)",
        skew->load, skew->exchange);
    return success();
  }

  /// The order without its place for gradients where there are none.
  static std::string getOrder(const Shape &shape,
                              const DegreeCandidate &candidate) {
    std::string order = candidate.order;
    if (!shape.chunked->hasGradient())
      llvm::erase(order, 'G');
    return order;
  }

  static PipelineForm getForm(const Shape &shape,
                              const DegreeCandidate &candidate) {
    PipelineForm form;
    form.degree = candidate.time.degree;
    form.sizes = candidate.sizes;
    form.order = getOrder(shape, candidate);
    return form;
  }

  static const DegreeCandidate &find(const Shape &shape, int64_t degree) {
    return *llvm::find_if(shape.candidates,
                          [&](const DegreeCandidate &candidate) {
                            return candidate.time.degree == degree;
                          });
  }

  /// The degree that is fastest for all phases together, or the smallest that
  /// is as good; 0 where none is possible.
  static int64_t chooseJointly(ArrayRef<Layer> phasesOfLayer,
                               double uncertainty) {
    SmallVector<std::pair<int64_t, double>> times;
    for (const DegreeCandidate &first :
         phasesOfLayer.front().shape->candidates) {
      double us = 0;
      bool isPossible = true;
      for (const Layer &layer : phasesOfLayer) {
        auto it = llvm::find_if(
            layer.shape->candidates, [&](const DegreeCandidate &candidate) {
              return candidate.time.degree == first.time.degree;
            });
        isPossible &= it != layer.shape->candidates.end();
        if (isPossible)
          us += it->time.getUs(layer.shape->chunked->getGradientUs());
      }
      if (isPossible)
        times.push_back({first.time.degree, us});
    }
    auto *best = cost::pickSimplest(
        times, uncertainty, [](const auto &time) { return time.second; },
        llvm::less_first());
    return best == times.end() ? 0 : best->first;
  }

  void apply(const Layer &layer, const DegreeCandidate &choice) {
    LayerOp op = layer.op;
    const Shape &shape = *layer.shape;
    double gradientUs = shape.chunked->getGradientUs();
    int64_t degree = choice.time.degree;
    const DegreeCandidate *runnerUp = nullptr;
    for (const DegreeCandidate &other : shape.candidates)
      if (other.time.degree != degree &&
          (!runnerUp ||
           other.time.getUs(gradientUs) < runnerUp->time.getUs(gradientUs)))
        runnerUp = &other;
    // With one degree for both phases, others may be faster for this one.
    std::string simpler;
    double us = choice.time.getUs(gradientUs);
    const DegreeCandidate &fastest =
        *findFastest(shape.candidates, gradientUs, /*uncertainty=*/0);
    if (phases == DegreePhases::Each &&
        cost::isFaster(fastest.time.getUs(gradientUs), us))
      simpler = llvm::formatv(", {0:F1} us, as good as {1} chunks with {2:F1} "
                              "us within the platform's uncertainty",
                              us, fastest.time.degree,
                              fastest.time.getUs(gradientUs));
    {
      auto remark = moe::passed(op.getLoc(), options());
      remark << remark::add("layer {0} {1}: {2}{3}; {4}", op.getName(),
                            stringifyPhase(op.getPhase()),
                            describe(shape, choice), simpler, shape.table)
             << remark::metric("degree", degree)
             << remark::metric("time_us", choice.time.getUs(gradientUs))
             << remark::metric("gradient_us", gradientUs);
      if (runnerUp)
        remark << remark::metric("runner_up_degree", runnerUp->time.degree)
               << remark::metric("runner_up_us",
                                 runnerUp->time.getUs(gradientUs));
    }
    if (degree == 1)
      return;
    std::string reason;
    std::optional<ExpertChain> chain = findExpertChain(op, reason);
    assert(chain && "expected the chain of the copy");
    buildPipeline(chain->chain, chain->dim, getForm(shape, choice));
  }

  static std::string describe(const Shape &shape,
                              const DegreeCandidate &choice) {
    if (choice.time.degree == 1)
      return "no pipeline";
    std::string text = getOrder(shape, choice);
    if (!choice.sizes.empty())
      text += llvm::formatv(
          " in chunks of {0:$[, ]}",
          llvm::make_range(choice.sizes.begin(), choice.sizes.end()));
    return text;
  }

  /// What `expertCounts` holds.
  std::optional<schedule::ExpertCounts> counts;

  /// Chunks that a plan is made for; each degree is scheduled once a shape.
  static constexpr int64_t kMostDegree = 256;
  /// Unequal chunks of the plan that are improved by simulation.
  static constexpr size_t kImprovedForms = 3;
};

} // namespace
