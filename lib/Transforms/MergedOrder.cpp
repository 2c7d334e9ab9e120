// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the forward pass of each sub-batch with the backward pass of the
// previous one.
//
// The layers of the two passes take turns: the first one of the forward pass
// with the last one, and so on. The stream of the experts alternates between
// them, so that each exchange runs during products:
//
//   exchange                           stream of the experts
//   backward combine                   forward attention
//   forward dispatch                   backward experts
//   backward dispatch                  weight gradients, forward experts
//   forward combine                    backward attention, weight gradients
//
// Megatron-Core runs the layers of two micro-batches in this order
// (TransformerLayerSchedulePlan). Here, the order holds for the stream of the
// experts only. A fixed order of the exchanges would let them wait for each
// other where layers have collectives of their own, for example gathers inside
// nodes.

#include "MergedOrder.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace moe;
using schedule::TaskId;

using Tasks = SmallVector<TaskId>;

namespace {

/// One pass of a sub-batch on the stream of the experts, by layer. Attention
/// stands for all tasks between the experts of two layers, and has one entry
/// more.
struct PassTasks {
  SmallVector<Tasks> attention, experts, attentionWgrads, expertsWgrads;

  explicit PassTasks(size_t numLayers = 0)
      : attention(numLayers + 1), experts(numLayers),
        attentionWgrads(numLayers + 1), expertsWgrads(numLayers) {}
};

class OrderBuilder {
public:
  explicit OrderBuilder(const TimedSchedule &timed) : timed(timed) {}

  std::string run(MergedOrder &merged);

private:
  void findBackwardTasks();
  PassTasks readPass(int64_t part, bool ofBackward) const;
  /// Appends the tasks that the stream of the experts runs while one sub-batch
  /// has its forward pass and the previous one its backward pass.
  void mergeStep(const PassTasks &forward, const PassTasks &backward);
  MergedOrder getOrder() const;

  bool contains(TaskId id, function_ref<bool(Operation *)> check) const {
    TaskOp task = timed.tasks[id];
    return llvm::any_of(task.getBody().front(),
                        [&](Operation &op) { return check(&op); });
  }
  bool isWeightGradient(TaskId id) const {
    return contains(id, llvm::IsaPred<ExpertsWgradOp, DenseWgradOp>);
  }
  bool hasExperts(TaskId id) const {
    return contains(id, appliesExperts) && !isWeightGradient(id);
  }
  /// Returns the layer of a task; empty for tasks outside of layers.
  StringRef getLayer(TaskId id) const {
    return TaskOp(timed.tasks[id]).getLayer();
  }
  bool isOnExpertStream(TaskId id) const {
    return timed.graph.getTask(id).stream == expertStream;
  }

  const TimedSchedule &timed;
  schedule::StreamId expertStream = 0;
  /// The sub-batch of each task; -1 for sums over sub-batches.
  SmallVector<int64_t> parts;
  SmallVector<bool> isBackward;
  /// The order on the stream of the experts, without sums over sub-batches. A
  /// task may precede a task that it depends on.
  Tasks wish;
};

} // namespace

/// Tasks outside of layers state no phase: they are backward if they are
/// gradients or depend on a backward task.
void OrderBuilder::findBackwardTasks() {
  isBackward.assign(timed.tasks.size(), false);
  for (TaskId id = 0; id < timed.tasks.size(); ++id) {
    TaskOp task = timed.tasks[id];
    if (!getLayer(id).empty())
      isBackward[id] = task.getPhase() == Phase::Backward;
    else if (contains(id, llvm::IsaPred<DenseDgradOp, DenseWgradOp>))
      isBackward[id] = true;
    if (isBackward[id])
      timed.graph.forEachDependent(
          id, [&](TaskId later) { isBackward[later] = true; });
  }
}

/// The experts of a layer begin after the last all-to-all before them, and end
/// before the first all-to-all after them. Without all-to-alls, they are alone.
PassTasks OrderBuilder::readPass(int64_t part, bool ofBackward) const {
  Tasks tasks;
  for (TaskId id = 0; id < timed.tasks.size(); ++id)
    if (parts[id] == part && isBackward[id] == ofBackward)
      tasks.push_back(id);
  struct Span {
    size_t begin, end;
  };
  llvm::MapVector<StringRef, Span> layers;
  for (auto [at, id] : llvm::enumerate(tasks))
    if (!getLayer(id).empty() && hasExperts(id))
      layers.insert({getLayer(id), {at, at}}).first->second.end = at + 1;
  for (auto &[layer, span] : layers) {
    auto isExchange = [&, name = layer](TaskId id) {
      return getLayer(id) == name && contains(id, isAllToAll);
    };
    auto before = llvm::reverse(ArrayRef(tasks).take_front(span.begin));
    if (auto it = llvm::find_if(before, isExchange); it != before.end())
      span.begin -= it - before.begin();
    ArrayRef<TaskId> after = ArrayRef(tasks).drop_front(span.end);
    if (auto it = llvm::find_if(after, isExchange); it != after.end())
      span.end += it - after.begin();
  }
  PassTasks pass(layers.size());
  size_t number = 0;
  for (auto [at, id] : llvm::enumerate(tasks)) {
    while (number < layers.size() && at >= layers.begin()[number].second.end)
      ++number;
    if (!isOnExpertStream(id))
      continue;
    bool isInExperts =
        number < layers.size() && at >= layers.begin()[number].second.begin;
    if (!isWeightGradient(id))
      (isInExperts ? pass.experts : pass.attention)[number].push_back(id);
    else if (auto own = layers.find(getLayer(id)); own != layers.end())
      pass.expertsWgrads[own - layers.begin()].push_back(id);
    else
      (isInExperts ? pass.expertsWgrads : pass.attentionWgrads)[number]
          .push_back(id);
  }
  return pass;
}

void OrderBuilder::mergeStep(const PassTasks &forward,
                             const PassTasks &backward) {
  auto append = [&](ArrayRef<Tasks> lists, size_t at) {
    if (at < lists.size())
      wish.append(lists[at]);
  };
  append(backward.attention, 0);
  append(backward.attentionWgrads, 0);
  size_t most = std::max(forward.attention.size(), backward.attention.size());
  for (size_t i = 0; i < most; ++i) {
    append(forward.attention, i);
    append(backward.experts, i);
    append(backward.expertsWgrads, i);
    append(forward.experts, i);
    append(backward.attention, i + 1);
    append(backward.attentionWgrads, i + 1);
  }
}

/// Gives each task a place that is not after the places of its dependents.
/// Tasks that are not in `wish` follow the tasks that they depend on.
MergedOrder OrderBuilder::getOrder() const {
  size_t numTasks = timed.tasks.size();
  SmallVector<size_t> places(numTasks);
  SmallVector<bool> isWished(numTasks);
  for (auto [place, id] : llvm::enumerate(wish)) {
    places[id] = place;
    isWished[id] = true;
  }
  for (TaskId id = 0; id < numTasks; ++id)
    timed.graph.forEachDependent(id, [&](TaskId later) {
      if (!isWished[later])
        places[later] = std::max(places[later], places[id]);
    });
  for (TaskId id = numTasks; id-- > 0;)
    timed.graph.forEachDependent(id, [&](TaskId later) {
      places[id] = std::min(places[id], places[later]);
    });
  MergedOrder merged;
  merged.order = llvm::to_vector(llvm::seq<TaskId>(0, numTasks));
  llvm::sort(merged.order, [&](TaskId first, TaskId second) {
    return std::pair(places[first], first) < std::pair(places[second], second);
  });
  for (TaskId id = 0; id < numTasks; ++id)
    merged.queues.push_back(
        isOnExpertStream(id) ? 0 : 2 * (parts[id] + 1) + isBackward[id] + 1);
  return merged;
}

std::string OrderBuilder::run(MergedOrder &merged) {
  int64_t numParts = 1;
  for (TaskOp task : timed.tasks) {
    parts.push_back(getPart(task).value_or(-1));
    numParts = std::max(numParts, parts.back() + 1);
  }
  if (numParts == 1)
    return "merged passes require at least two sub-batches (moe-split-batch)";
  findBackwardTasks();
  std::optional<TaskId> forwardExperts, backwardExperts;
  for (TaskId id = 0; id < timed.tasks.size(); ++id)
    if (hasExperts(id))
      (isBackward[id] ? backwardExperts : forwardExperts) = id;
  if (!forwardExperts || !backwardExperts)
    return "merged passes require experts in a forward and a backward pass";
  expertStream = timed.graph.getTask(*forwardExperts).stream;
  PassTasks backward;
  for (int64_t part = 0; part < numParts; ++part) {
    mergeStep(readPass(part, /*ofBackward=*/false), backward);
    backward = readPass(part, /*ofBackward=*/true);
  }
  mergeStep(PassTasks(), backward);
  merged = getOrder();
  return "";
}

std::string moe::findMergedOrder(const TimedSchedule &timed,
                                 MergedOrder &merged) {
  return OrderBuilder(timed).run(merged);
}
