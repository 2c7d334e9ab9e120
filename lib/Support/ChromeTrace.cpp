// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timelines for Perfetto.

#include "moe/Support/ChromeTrace.h"

using namespace llvm;
using namespace moe::support;

ChromeTrace::ChromeTrace(raw_ostream &os,
                         ArrayRef<std::pair<StringRef, StringRef>> about)
    : os(os), json(os) {
  json.objectBegin();
  json.attribute("displayTimeUnit", "ns");
  json.attributeObject("otherData", [&] {
    for (auto [key, text] : about)
      json.attribute(key, text);
  });
  json.attributeBegin("traceEvents");
  json.arrayBegin();
}

ChromeTrace::~ChromeTrace() {
  json.arrayEnd();
  json.attributeEnd();
  json.objectEnd();
  os << "\n";
}

void ChromeTrace::addName(StringRef what, int64_t process, int64_t thread,
                          StringRef name) {
  json.object([&] {
    json.attribute("name", what);
    json.attribute("ph", "M");
    json.attribute("pid", process);
    json.attribute("tid", thread);
    json.attributeObject("args", [&] { json.attribute("name", name); });
  });
}

void ChromeTrace::nameProcess(int64_t process, StringRef name) {
  addName("process_name", process, 0, name);
}

void ChromeTrace::nameThread(int64_t process, int64_t thread, StringRef name) {
  addName("thread_name", process, thread, name);
}

void ChromeTrace::addEvent(int64_t process, int64_t thread, StringRef name,
                           double startUs, double endUs,
                           const std::optional<TracedTask> &task) {
  std::string full = name.str();
  if (task && task->chunks > 1)
    full += "[" + std::to_string(task->chunk) + "]";
  json.object([&] {
    json.attribute("name", full);
    if (task && !task->phase.empty())
      json.attribute("cat", task->phase);
    json.attribute("ph", "X");
    json.attribute("ts", startUs);
    json.attribute("dur", endUs - startUs);
    json.attribute("pid", process);
    json.attribute("tid", thread);
    if (!task)
      return;
    json.attributeObject("args", [&] {
      json.attribute("layer", task->layer);
      json.attribute("phase", task->phase);
      json.attribute("chunk", task->chunk);
      json.attribute("chunks", task->chunks);
      if (task->isExtrapolated)
        json.attribute("extrapolated", true);
    });
  });
}
