// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as Chakra execution traces.
//
// Chakra's execution traces (github.com/mlcommons/chakra,
// schema/protobuf/et_def.proto) have one file per rank with messages preceded
// by their sizes: a GlobalMetadata, and a Node for each action. Field numbers
// below are from that schema.

#include "moe/Compiler/Prediction.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/Protobuf.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace moe;
using support::ProtoMessage;

namespace {

enum NodeType { kComp = 4, kCollective = 7 };
enum CommType {
  kAllReduce = 0,
  kAllGather = 2,
  kAllToAll = 6,
  kReduceScatter = 7
};

/// A rank's action between two times: a task, or one exchange of a task with
/// several.
struct Step {
  size_t task = 0;
  double startUs = 0, endUs = 0;
  std::optional<CommType> type;
  /// Bytes that each rank contributes to the exchange.
  int64_t bytes = 0;
  /// The ranks of all groups.
  SmallVector<SmallVector<int64_t>> groups;
  /// Steps with required data or tokens, and the previous step on the same
  /// stream.
  SmallVector<uint64_t> data, order;
};

/// Node attributes: pairs of a name and a value.
class Attributes {
public:
  Attributes(ProtoMessage &owner, unsigned field)
      : owner(owner), field(field) {}

  void add(StringRef name, StringRef text) {
    add(name, [&](ProtoMessage &m) { m.addText(29, text); });
  }
  void add(StringRef name, int64_t number) {
    add(name, [&](ProtoMessage &m) { m.addNumber(9, uint64_t(number)); });
  }
  void add(StringRef name, double number) {
    add(name, [&](ProtoMessage &m) { m.addDouble(3, number); });
  }
  void addFlag(StringRef name, bool flag) {
    add(name, [&](ProtoMessage &m) { m.addNumber(27, flag); });
  }

private:
  void add(StringRef name, llvm::function_ref<void(ProtoMessage &)> addValue) {
    ProtoMessage attribute;
    attribute.addText(1, name);
    addValue(attribute);
    owner.addMessage(field, attribute);
  }

  ProtoMessage &owner;
  unsigned field;
};

/// Builds the steps of all ranks, and writes the steps of one rank.
class ChakraWriter {
public:
  ChakraWriter(const Prediction &prediction, const cost::Machine &machine)
      : prediction(prediction), machine(machine) {}

  /// Emits an error and fails if groups cannot be listed.
  LogicalResult build() {
    size_t next = 0;
    const auto &exchanges = prediction.exchanges;
    for (size_t task = 0; task < prediction.schedule.tasks.size(); ++task) {
      size_t first = next;
      while (next < exchanges.size() && exchanges[next].task == task)
        ++next;
      firstStep.push_back(steps.size());
      if (failed(addTask(task, ArrayRef(exchanges).slice(first, next - first))))
        return failure();
      lastStep.push_back(steps.size() - 1);
    }
    addDependencies();
    return success();
  }

  void write(raw_ostream &os, int64_t rank) {
    ProtoMessage about;
    about.addText(1, "0.0.4");
    Attributes attributes(about, 2);
    attributes.add("platform", machine.name);
    attributes.add("file", prediction.file);
    attributes.add("rank", rank);
    attributes.add("makespan_us", prediction.timeline.makespanUs);
    about.writeDelimited(os);
    for (size_t i = 0; i < steps.size(); ++i)
      makeNode(i, rank).writeDelimited(os);
  }

  /// Writes the ranks of each group under the name that nodes use.
  void writeGroups(raw_ostream &os) {
    llvm::json::OStream json(os, 2);
    json.object([&] {
      for (const auto &[ranks, name] : names)
        json.attributeArray(name, [&, &ranks = ranks] {
          for (int64_t rank : ranks)
            json.value(rank);
        });
    });
    os << "\n";
  }

private:
  LogicalResult addTask(size_t task, ArrayRef<TaskExchange> exchanges) {
    const schedule::Timeline &timeline = prediction.timeline;
    double startUs = timeline.startUs[task], endUs = timeline.endUs[task];
    if (exchanges.empty()) {
      Step &step = steps.emplace_back();
      step.task = task;
      step.startUs = startUs;
      step.endUs = endUs;
      return success();
    }
    // Exchanges of one task divide its time in proportion to their times alone.
    double whole = 0, before = 0;
    for (const TaskExchange &exchange : exchanges)
      whole += exchange.cost.byLevels.time.value();
    Operation *op = nullptr;
    size_t stage = 0;
    for (auto [i, exchange] : llvm::enumerate(exchanges)) {
      stage = exchange.volume.op == op ? stage + 1 : 0;
      op = exchange.volume.op;
      double after = before + exchange.cost.byLevels.time.value();
      Step &step = steps.emplace_back();
      auto at = [&](double share, size_t place) {
        double part = whole > 0 ? share / whole
                                : double(place) / double(exchanges.size());
        return startUs + (endUs - startUs) * part;
      };
      step.task = task;
      step.startUs = i == 0 ? startUs : at(before, i);
      step.endUs = i + 1 == exchanges.size() ? endUs : at(after, i + 1);
      before = after;
      if (i > 0)
        step.data.push_back(steps.size() - 2);
      if (failed(readExchange(op, stage, step)))
        return failure();
    }
    return success();
  }

  LogicalResult readExchange(Operation *op, size_t stage, Step &step) {
    step.type = kAllToAll;
    GroupAttrInterface group;
    if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
      group = collective.getGroup();
      switch (collective.getCollectiveKind()) {
      case CollectiveKind::AllGather:
        step.type = kAllGather;
        break;
      case CollectiveKind::AllReduce:
        step.type = kAllReduce;
        break;
      case CollectiveKind::ReduceScatter:
        step.type = kReduceScatter;
        break;
      default:
        break;
      }
    } else {
      auto traffic = cast<ExchangeOpInterface>(op).getExchange(
          [&](Value value) -> FailureOr<int64_t> {
            FailureOr<cost::Bytes> bytes = getStaticBytes(op, value);
            if (failed(bytes))
              return failure();
            return int64_t(bytes->value());
          });
      if (failed(traffic) || stage >= traffic->stages.size())
        return op->emitOpError()
               << "expected an exchange whose groups are known";
      group = traffic->stages[stage].group;
    }
    auto lists = group.getRankLists(op);
    FailureOr<cost::Bytes> bytes = getStaticBytes(op, op->getOperand(0));
    if (failed(lists) || failed(bytes))
      return failure();
    // One buffer of a ragged exchange has the maximum size, and the other one
    // the size of the rows.
    double given = bytes->value();
    if (isa<RaggedAllToAllOp>(op)) {
      FailureOr<cost::Bytes> taken = getResultBytes(op);
      if (failed(taken))
        return failure();
      given = std::min(given, taken->value());
    }
    step.bytes = int64_t(given);
    step.groups = std::move(*lists);
    for (const SmallVector<int64_t> &ranks : step.groups)
      names.insert({ranks, std::to_string(names.size())});
    return success();
  }

  void addDependencies() {
    const schedule::TaskGraph &graph = prediction.schedule.graph;
    for (size_t task = 0; task < firstStep.size(); ++task) {
      schedule::TaskId previous = graph.getPreviousOnStream(task);
      if (previous != schedule::kNoTask)
        steps[firstStep[task]].order.push_back(lastStep[previous]);
      graph.forEachDependent(task, [&](schedule::TaskId user) {
        SmallVector<uint64_t> &data = steps[firstStep[user]].data;
        if (!llvm::is_contained(data, lastStep[task]))
          data.push_back(lastStep[task]);
      });
    }
  }

  ProtoMessage makeNode(size_t number, int64_t rank) {
    const Step &step = steps[number];
    TaskOp task = prediction.schedule.tasks[step.task];
    ProtoMessage node;
    node.addNumber(1, number);
    node.addText(2, task.getName());
    node.addNumber(3, step.type ? kCollective : kComp);
    node.addNumbers(4, step.order);
    node.addNumbers(5, step.data);
    uint64_t startUs = std::llround(step.startUs);
    node.addNumber(6, startUs);
    node.addNumber(7, std::llround(step.endUs) - startUs);
    Attributes attributes(node, 10);
    attributes.addFlag("is_cpu_op", false);
    attributes.add("predicted_us", step.endUs - step.startUs);
    attributes.add(
        "stream", int64_t(prediction.schedule.graph.getTask(step.task).stream));
    if (!task.getLayer().empty())
      attributes.add("layer", task.getLayer());
    attributes.add("phase", stringifyPhase(task.getPhase()));
    attributes.add("chunk", int64_t(task.getChunk()));
    attributes.add("chunks", int64_t(task.getChunks()));
    if (step.type) {
      attributes.add("comm_type", int64_t(*step.type));
      attributes.add("comm_size", step.bytes);
      for (const SmallVector<int64_t> &ranks : step.groups)
        if (llvm::is_contained(ranks, rank))
          attributes.add("pg_name", names.lookup(ranks));
    }
    return node;
  }

  const Prediction &prediction;
  const cost::Machine &machine;
  std::vector<Step> steps;
  /// First and last step of each task.
  std::vector<uint64_t> firstStep, lastStep;
  llvm::MapVector<SmallVector<int64_t>, std::string,
                  std::map<SmallVector<int64_t>, unsigned>>
      names;
};

} // namespace

LogicalResult moe::writeChakraTraces(StringRef folder,
                                     const Prediction &prediction,
                                     const cost::Machine &machine,
                                     std::string &problem) {
  ChakraWriter writer(prediction, machine);
  if (failed(writer.build()))
    return failure();
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    problem = (folder +
               ": expected a folder that can be made, got: " + error.message())
                  .str();
    return failure();
  }
  auto writeFile = [&](const Twine &name,
                       llvm::function_ref<void(raw_ostream &)> print) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    auto failed = support::writeOutputFile(path, print);
    if (failed)
      problem = failed->message;
    return success(!failed);
  };
  for (int64_t rank = 0; rank < prediction.ranks; ++rank)
    if (failed(writeFile("trace." + Twine(rank) + ".et",
                         [&](raw_ostream &os) { writer.write(os, rank); })))
      return failure();
  return writeFile("groups.json",
                   [&](raw_ostream &os) { writer.writeGroups(os); });
}
