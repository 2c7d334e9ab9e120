// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that splits gradients into buckets and overlaps them.

#include "Degree/DegreeChoice.h"
#include "Gradients/GradientBuckets.h"
#include "StepChoices.h"
#include "Variants/ChunkRules.h"
#include "Variants/IsolatedLayer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Compiler/Passes.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Remarks.h"
#include "moe/Transforms/ScheduleFunction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_PARTITIONGRADIENTS
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;
using schedule::BackwardChoice;
using schedule::GradientBucket;
using schedule::OverlapWindow;

static constexpr StringRef kGradientsPass = "moe-partition-gradients";

/// Returns, for example, "60 of 1 beside dense part 0 in 2 pieces, ...", in
/// units of the plan.
static std::string describePieces(ArrayRef<GradientBucket> pieces) {
  std::string text;
  while (!pieces.empty()) {
    GradientBucket sum = pieces.front();
    size_t count = 1;
    for (; count < pieces.size() && pieces[count].slot == sum.slot &&
           pieces[count].layer == sum.layer && pieces[count].from == sum.from;
         ++count)
      sum.elements += pieces[count].elements;
    pieces = pieces.drop_front(count);
    if (!text.empty())
      text += ", ";
    text += llvm::formatv("{0} of {1} ", sum.elements, sum.from);
    if (sum.slot == OverlapWindow::After)
      text += "at the end";
    else if (sum.slot == OverlapWindow::Dense)
      text += llvm::formatv("beside dense part {0}", sum.layer);
    else
      text += llvm::formatv("in layer {0}", sum.layer);
    if (count > 1)
      text += llvm::formatv(" in {0} pieces", count);
  }
  return text;
}

namespace {

class GradientPartitioner {
public:
  GradientPartitioner(ModuleOp module, const cost::Machine &machine,
                      const PartitionGradientsOptions &options,
                      KnownLayers &chunkedLayers)
      : module(module), machine(machine), chunkedLayers(chunkedLayers),
        method(options.method), beside(options.beside), order(options.order),
        maxDegree(options.maxDegree), pieceBytes(options.pieceBytes),
        bucketElements(options.bucketElements) {}

  FailureOr<std::vector<FunctionGradients>> run() {
    auto replication = ReplicationInfo::compute(module);
    if (failed(replication))
      return failure();
    ControlInfo control(**replication);
    OpTimer timer(machine);
    bool any = false;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (std::string obstacle = findObstacle(function); !obstacle.empty()) {
        moe::missed(function.getLoc(), options())
            << remark::reason("{0}", obstacle);
        continue;
      }
      auto found = findBackwardPass(function, timer,
                                    [&](AllReduceOp op, StringRef reason) {
                                      moe::missed(op.getLoc(), options())
                                          << remark::reason("{0}", reason);
                                    });
      if (failed(found))
        return failure();
      if (!*found)
        continue;
      any = true;
      if (failed(timeLayers(**found, control)))
        return failure();
      if (failed(send(**found)))
        return failure();
    }
    if (!any)
      moe::missed(module->getLoc(), options())
          << remark::reason("expected backward layers and gradients that are "
                            "summed up between nodes, found none");
    return std::move(plans);
  }

private:
  static remark::RemarkOpts options() {
    return remark::RemarkOpts::name("gradients").category(kGradientsPass);
  }

  /// Adds the possible degrees of the MoE parts.
  LogicalResult timeLayers(BackwardPass &pass, const ControlInfo &control) {
    double allUs = 0;
    for (const schedule::GeneralizedLayer &layer : pass.network)
      allUs += double(layer.gradientElements) * pass.allReduce.slopeUs;
    double meanUs = pass.allReduce.alphaUs + allUs / double(pass.layers.size());
    llvm::StringMap<std::vector<BackwardChoice>> known;
    for (int64_t i = 1; i < pass.getNumLayers(); ++i) {
      IsolatedLayer alone(findLayersAround(pass.getLayerOp(i)), control);
      std::string key = alone.getKey();
      auto [it, isNew] = known.try_emplace(key);
      if (isNew) {
        ScheduleEvaluator evaluator(machine);
        auto chunked = chunkedLayers.get(alone.getModule(), Phase::Backward,
                                         key, evaluator, maxDegree);
        if (failed(chunked))
          return failure();
        if (const auto &chunkedLayer = (*chunked)->layer)
          for (const DegreeCandidate &candidate : listCandidates(
                   *chunkedLayer, order, {0.0, meanUs / 2, meanUs, 2 * meanUs}))
            it->second.push_back(candidate.time);
        else
          moe::missed(pass.getLayerOp(i).getLoc(), options()) << remark::reason(
              "nothing is sent in layer {0}, and times leave "
              "its exchanges and experts out: {1}",
              pass.getLayerOp(i).getName(), (*chunked)->reason);
      }
      pass.network[i].moe = it->second;
    }
    return success();
  }

  LogicalResult send(BackwardPass &pass) {
    std::vector<GradientBucket> pieces;
    int64_t bucket = 0;
    if (method == GradientMethod::Buckets) {
      bucket = getBucketElements(pass);
      sendBuckets(pass, bucket, pieces);
    } else if (beside == GradientPlaces::End &&
               method != GradientMethod::Fixed) {
      for (int64_t i = pass.getNumLayers(); i-- > 0;)
        append(pieces, GradientBucket::kNoLayer, OverlapWindow::After, i,
               pass.network[i].gradientElements);
    } else if (method == GradientMethod::Partition) {
      // Times include the MoE parts at all places; the planner uses every part
      // that it is given, so parts are removed here.
      std::vector<schedule::GeneralizedLayer> places = pass.network;
      if (beside != GradientPlaces::All)
        for (schedule::GeneralizedLayer &layer : places)
          layer.moe.clear();
      auto found = schedule::partitionGradients(places, pass.allReduce);
      if (!found)
        return pass.function.emitError()
               << kGradientsPass << ": " << found.getError();
      pieces = std::move(found->pieces);
    } else if (method == GradientMethod::Whole) {
      sendWhole(pass, pieces);
    } else {
      sendFixed(pass, pieces);
    }
    if (std::string problem = schedule::checkPartition(pass.network, pieces);
        !problem.empty())
      return pass.function.emitError()
             << kGradientsPass << ": wrong plan: " << problem;

    std::vector<GradientBucket> atEnd;
    for (int64_t i = pass.getNumLayers(); i-- > 0;)
      append(atEnd, GradientBucket::kNoLayer, OverlapWindow::After, i,
             pass.network[i].gradientElements);
    double us =
        schedule::getBackwardTime(pass.network, pass.allReduce, pieces).getUs();
    double endUs =
        schedule::getBackwardTime(pass.network, pass.allReduce, atEnd).getUs();
    size_t numGradients = pass.gradients.size();
    // Lina sends buckets one by one. The buckets of a partition or of Megatron
    // share the latency of an all-reduce; whole gradients do not.
    bool fuse = method == GradientMethod::Partition ||
                method == GradientMethod::Buckets;
    plans.push_back({pass.function, {pieces, fuse, bucket}});
    int64_t numSent = sendPieces(pass, plans.back().plan);
    moe::passed(pass.function.getLoc(),
                options().function(pass.function.getSymName()))
        << remark::add("{0} (elements of {1} bytes)", describePieces(pieces),
                       pass.unitBytes)
        << remark::metric("gradients", numGradients)
        << remark::metric("all_reduces", numSent)
        << remark::metric("backward_us", us)
        << remark::metric("at_end_us", endUs);
    return success();
  }

  static void append(std::vector<GradientBucket> &pieces, int64_t layer,
                     OverlapWindow slot, int64_t from, int64_t elements) {
    if (elements > 0)
      pieces.push_back({layer, slot, from, elements});
  }

  /// Places each gradient at the next available position.
  void sendWhole(const BackwardPass &pass,
                 std::vector<GradientBucket> &pieces) {
    for (int64_t i = pass.getNumLayers(); i-- > 0;) {
      int64_t elements = pass.network[i].gradientElements;
      if (beside == GradientPlaces::All && !pass.network[i].moe.empty())
        append(pieces, i, OverlapWindow::MoE, i, elements);
      else if (i > 0)
        append(pieces, i - 1, OverlapWindow::Dense, i, elements);
      else
        append(pieces, GradientBucket::kNoLayer, OverlapWindow::After, i,
               elements);
    }
  }

  /// Returns the number of elements of a full bucket: the option, or else
  /// Megatron's default, max(40000000, 1000000 * data-parallel ranks)
  /// parameters (Megatron-LM,
  /// megatron/core/distributed/distributed_data_parallel.py). Its data-parallel
  /// ranks are the ranks that share the gradients of the dense parts.
  int64_t getBucketElements(const BackwardPass &pass) const {
    if (bucketElements != 0)
      return bucketElements;
    int64_t ranks = 0, denseRanks = 0;
    for (const Gradient &gradient : pass.gradients) {
      AllReduceOp op = gradient.op;
      ranks = std::max(ranks, gradient.ranks);
      if (!isa<LayerOp>(op->getParentOp()))
        denseRanks = std::max(denseRanks, gradient.ranks);
    }
    return std::max<int64_t>(40'000'000,
                             1'000'000 * (denseRanks ? denseRanks : ranks));
  }

  /// Places whole gradients in buckets, in the order of their availability. A
  /// bucket takes gradients of one group and type, is full with the gradient
  /// that brings it to `most` elements, and is sent at the next available
  /// position (Megatron-LM,
  /// megatron/core/distributed/param_and_grad_buffer.py). Megatron cuts between
  /// parameters; here the parameters of a dense part are one gradient.
  void sendBuckets(BackwardPass &pass, int64_t most,
                   std::vector<GradientBucket> &pieces) {
    struct Bucket {
      int64_t elements = 0;
      SmallVector<size_t> gradients;
    };
    orderByReadiness(pass);
    std::vector<Bucket> open;
    // Remaining gradients are sent with the last one.
    pieces.assign(pass.gradients.size(),
                  {GradientBucket::kNoLayer, OverlapWindow::After});
    for (auto [i, gradient] : llvm::enumerate(pass.gradients)) {
      pieces[i].from = gradient.layer;
      pieces[i].elements = gradient.units;
      auto it = llvm::find_if(open, [&, &gradient = gradient](const Bucket &b) {
        return canShareAllReduce(pass.gradients[b.gradients.front()], gradient);
      });
      if (it == open.end())
        it = open.insert(open.end(), Bucket());
      it->gradients.push_back(i);
      it->elements += gradient.elements;
      if (it->elements < most)
        continue;
      if (beside != GradientPlaces::End && gradient.layer > 0)
        for (size_t member : it->gradients) {
          pieces[member].layer = gradient.layer - 1;
          pieces[member].slot = OverlapWindow::Dense;
        }
      open.erase(it);
    }
  }

  /// Places buckets of a fixed size, oldest first. While links are idle, that
  /// is, during dense parts and while all-to-alls wait for experts, further
  /// buckets start; the last one may exceed the idle time.
  void sendFixed(const BackwardPass &pass,
                 std::vector<GradientBucket> &pieces) {
    int64_t most =
        std::max<int64_t>(1, int64_t(double(pieceBytes) / pass.unitBytes));
    SmallVector<std::pair<int64_t, int64_t>> waiting;
    size_t sent = 0;
    auto sendFor = [&](double idleUs, int64_t layer, OverlapWindow slot) {
      for (double us = 0; sent < waiting.size() && us < idleUs; ++sent) {
        auto [from, elements] = waiting[sent];
        us += pass.allReduce.getUs(double(elements));
        append(pieces, layer, slot, from, elements);
      }
    };
    for (int64_t i = pass.getNumLayers(); i-- > 0;) {
      const schedule::GeneralizedLayer &layer = pass.network[i];
      // The first part has no earlier position.
      if (beside != GradientPlaces::End && i + 1 < pass.getNumLayers())
        sendFor(layer.denseUs, i, OverlapWindow::Dense);
      for (int64_t left = layer.gradientElements; left > 0; left -= most)
        waiting.push_back({i, std::min(left, most)});
      if (beside != GradientPlaces::All || layer.moe.empty())
        continue;
      const BackwardChoice &moe = *llvm::min_element(
          layer.moe, [](const BackwardChoice &a, const BackwardChoice &b) {
            return a.aloneUs < b.aloneUs;
          });
      sendFor(moe.aloneUs - moe.throughUs, i, OverlapWindow::MoE);
    }
    sendFor(std::numeric_limits<double>::infinity(), GradientBucket::kNoLayer,
            OverlapWindow::After);
  }

  ModuleOp module;
  const cost::Machine &machine;
  KnownLayers &chunkedLayers;
  GradientMethod method;
  GradientPlaces beside;
  ChunkOrder order;
  int64_t maxDegree, pieceBytes, bucketElements;
  std::vector<FunctionGradients> plans;
};

struct PartitionGradients
    : public moe::impl::PartitionGradientsBase<PartitionGradients> {
  using PartitionGradientsBase::PartitionGradientsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    auto error = [&] {
      return emitError(getOperation().getLoc()) << getArgument() << ": ";
    };
    if (std::string problem = checkMaxChunks(maxDegree.number);
        !problem.empty())
      return error() << problem;
    if (pieceBytes < 1)
      return error() << "expected piece-bytes of at least 1, got "
                     << pieceBytes.number;
    if (method != GradientMethod::Fixed && pieceBytes.getNumOccurrences() > 0)
      return error() << "expected piece-bytes with method=fixed only";
    if (bucketElements < 0)
      return error() << "expected bucket-elements of at least 0, got "
                     << bucketElements.number;
    if (method != GradientMethod::Buckets &&
        bucketElements.getNumOccurrences() > 0)
      return error() << "bucket-elements requires method=buckets";
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument());
    if (failed(loaded))
      return failure();
    PartitionGradientsOptions options;
    options.method = method;
    options.pieceBytes = pieceBytes;
    options.bucketElements = bucketElements;
    options.beside = beside;
    options.order = order;
    options.maxDegree = maxDegree;
    KnownLayers known;
    return failure(failed(
        partitionGradients(getOperation(), loaded->machine, options, known)));
  }
};

} // namespace

FailureOr<std::vector<FunctionGradients>>
moe::partitionGradients(ModuleOp module, const cost::Machine &machine,
                        const PartitionGradientsOptions &options,
                        KnownLayers &known) {
  return GradientPartitioner(module, machine, options, known).run();
}

LogicalResult moe::sendGradients(func::FuncOp function,
                                 const GradientPlan &plan,
                                 const cost::Machine &machine) {
  OpTimer timer(machine);
  auto pass = findBackwardPass(function, timer, [](AllReduceOp, StringRef) {});
  if (failed(pass))
    return failure();
  if (!*pass)
    return function.emitError()
           << "expected the gradients that its plan cuts, found none";
  // A plan may place gradients in MoE parts of any duration.
  BackwardPass &found = **pass;
  for (int64_t i = 1; i < found.getNumLayers(); ++i)
    if (llvm::any_of(found.getLayerOp(i).getBody().front(),
                     [](Operation &op) { return appliesExperts(&op); }))
      found.network[i].moe = {BackwardChoice()};
  for (auto [i, piece] : llvm::enumerate(plan.pieces)) {
    if (piece.slot != OverlapWindow::MoE || piece.layer < 1 ||
        piece.layer >= found.getNumLayers() ||
        !found.network[piece.layer].moe.empty())
      continue;
    LayerOp layer = found.getLayerOp(piece.layer);
    return emitError(layer.getLoc())
           << "expected the plan of @" << function.getSymName()
           << " to send gradients among the exchanges of layers with experts, "
              "got piece "
           << i << " in layer " << piece.layer << " of its backward pass, "
           << "layer " << layer.getName() << " "
           << stringifyPhase(layer.getPhase()) << ", which has none";
  }
  if (std::string problem =
          schedule::checkPartition(found.network, plan.pieces);
      !problem.empty())
    return function.emitError()
           << "expected a plan that fits its gradients: " << problem;
  sendPieces(found, plan);
  return success();
}
