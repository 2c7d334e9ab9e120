// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading measured timelines.

#include "moe/Compiler/PredictionReport.h"
#include "moe/Support/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>

using namespace mlir;
using namespace moe;
using support::JsonValue;
using support::ObjectReader;

namespace {

/// An event of a trace: work on a thread of a process.
struct Event {
  int64_t process = 0, thread = 0;
  ReportedKind kind;
  ReportedTask task;
};

/// Reads timelines in the Chrome trace event format that moe-run writes.
class TraceReader {
public:
  TraceReader(support::ReaderContext &context) : context(context) {}

  void read(const JsonValue &root) {
    ObjectReader reader(context, root, "");
    const std::vector<JsonValue> *items = reader.findArray("traceEvents");
    if (!items)
      reader.fail("traceEvents", "expected an array, got none");
    for (size_t i = 0; items && i < items->size(); ++i)
      readEvent((*items)[i], "traceEvents[" + std::to_string(i) + "]");
  }

  /// Returns the process that ends last, because a schedule ends with its
  /// slowest rank.
  ReportedProgram takeSlowest() {
    ReportedProgram program;
    auto *last = llvm::max_element(events, [](const Event &a, const Event &b) {
      return a.task.endUs < b.task.endUs;
    });
    double from = std::numeric_limits<double>::infinity();
    for (const Event &event : events)
      from = std::min(from, event.task.startUs);
    std::map<int64_t, size_t> streams;
    for (Event &event : events) {
      if (event.process != last->process)
        continue;
      auto [it, isNew] =
          streams.try_emplace(event.thread, program.streams.size());
      if (isNew)
        program.streams.push_back(
            {names[{event.process, event.thread}], "measured", 0});
      event.kind.stream = it->second;
      event.task.startUs -= from;
      event.task.endUs -= from;
      program.streams[it->second].busyUs +=
          event.task.endUs - event.task.startUs;
      auto kind = llvm::find(program.kinds, event.kind);
      event.task.kind = kind - program.kinds.begin();
      if (kind == program.kinds.end())
        program.kinds.push_back(std::move(event.kind));
      program.makespanUs = std::max(program.makespanUs, event.task.endUs);
      program.tasks.push_back(std::move(event.task));
    }
    program.numTasks = program.tasks.size();
    return program;
  }

  bool isEmpty() const { return events.empty(); }

private:
  void readEvent(const JsonValue &object, const std::string &path) {
    ObjectReader reader(context, object, path);
    std::string what = reader.getText("ph");
    if (what == "M" && reader.getText("name") == "thread_name") {
      if (const JsonValue *args = reader.findObject("args"))
        names[readPlace(reader)] =
            ObjectReader(context, *args, path + ".args").getText("name");
      return;
    }
    if (what != "X")
      return;
    Event event;
    std::tie(event.process, event.thread) = readPlace(reader);
    event.kind.name = reader.getText("name");
    event.kind.phase = "none";
    event.task.startUs = reader.getNumber("ts", support::Range::NotNegative);
    event.task.endUs = event.task.startUs +
                       reader.getNumber("dur", support::Range::NotNegative);
    if (const JsonValue *args = reader.findObject("args"))
      readTask(*args, path + ".args", event);
    // Threads without names are streams, too.
    auto &name = names[{event.process, event.thread}];
    if (name.empty())
      name = "thread " + std::to_string(event.thread);
    events.push_back(std::move(event));
  }

  void readTask(const JsonValue &args, const std::string &path, Event &event) {
    ObjectReader reader(context, args, path);
    if (const JsonValue *layer = args.find("layer"))
      event.task.layer = layer->text;
    if (const JsonValue *phase = args.find("phase"))
      if (!phase->text.empty())
        event.kind.phase = phase->text;
    event.task.chunk = reader.findInteger("chunk", 0, kMost).value_or(0);
    event.kind.chunks = reader.findInteger("chunks", 1, kMost).value_or(1);
    // The chunk number follows the name.
    StringRef name = event.kind.name;
    if (event.kind.chunks > 1 &&
        name.consume_back("[" + std::to_string(event.task.chunk) + "]"))
      event.kind.name = name.str();
  }

  std::pair<int64_t, int64_t> readPlace(ObjectReader &reader) {
    return {reader.getInteger("pid", 0, kMost),
            reader.getInteger("tid", 0, kMost)};
  }

  static constexpr int64_t kMost = int64_t(1) << 53;
  support::ReaderContext &context;
  std::map<std::pair<int64_t, int64_t>, std::string> names;
  SmallVector<Event> events;
};

} // namespace

cost::Result<ReportedProgram> moe::readMeasured(StringRef json,
                                                const std::string &name) {
  cost::Result<JsonValue> root = support::parseJson(json, name);
  if (!root)
    return root.getFailure();
  support::ReaderContext context;
  context.name = name;
  TraceReader reader(context);
  reader.read(*root);
  if (context.hasFailed())
    return cost::Failure{context.problem};
  if (reader.isEmpty())
    return cost::Failure{name + ": expected a trace of a run, got no events"};
  ReportedProgram program = reader.takeSlowest();
  program.file = name;
  return program;
}
