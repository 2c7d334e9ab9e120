// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks of passes and of searches.

#include "moe/Transforms/Remarks.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace moe;
using remark::detail::InFlightRemark;
using remark::detail::Remark;
using remark::detail::RemarkEngine;

struct RecordedRemarks::State {
  /// Functions that emit one remark each.
  std::vector<llvm::unique_function<LogicalResult()>> entries;
  /// Builds remarks like the context's engine, and passes them to `entries`.
  std::unique_ptr<RemarkEngine> engine;
};

/// Number of `SilentRemarks` on this thread.
static thread_local unsigned numSilent = 0;
/// The active recording of this thread; null for none.
static thread_local RecordedRemarks::State *recording = nullptr;

namespace {

class RecordingPolicy : public remark::detail::RemarkEmittingPolicyBase {
public:
  using Entries = std::vector<llvm::unique_function<LogicalResult()>>;
  explicit RecordingPolicy(Entries &entries) : entries(entries) {}

  void reportRemark(const Remark &remark) override {
    entries.push_back([remark]() mutable -> LogicalResult {
      MLIRContext *context = remark.getLocation()->getContext();
      if (RemarkEngine *engine = context->getRemarkEngine())
        engine->report(std::move(remark));
      return success();
    });
  }
  void finalize() override {}

private:
  Entries &entries;
};

using EmitFn = InFlightRemark (RemarkEngine::*)(Location, remark::RemarkOpts);

} // namespace

RecordedRemarks::RecordedRemarks() : state(std::make_unique<State>()) {
  remark::RemarkCategories all;
  all.passed = all.missed = ".*";
  state->engine = std::make_unique<RemarkEngine>(/*printAsEmitRemarks=*/false,
                                                 all);
  std::string error;
  bool isReady = succeeded(state->engine->initialize(
      nullptr, std::make_unique<RecordingPolicy>(state->entries), &error));
  assert(isReady && "an engine without a stream cannot fail");
  (void)isReady;
}
RecordedRemarks::~RecordedRemarks() = default;
RecordedRemarks::RecordedRemarks(RecordedRemarks &&) = default;
RecordedRemarks &RecordedRemarks::operator=(RecordedRemarks &&) = default;

LogicalResult RecordedRemarks::emit() {
  auto entries = std::exchange(state->entries, {});
  if (numSilent != 0)
    return success();
  for (auto &entry : entries) {
    if (recording)
      recording->entries.push_back(std::move(entry));
    else if (failed(entry()))
      return failure();
  }
  return success();
}

RecordingScope::RecordingScope(RecordedRemarks &into)
    : outer(std::exchange(recording, into.state.get())) {}
RecordingScope::~RecordingScope() { recording = outer; }

SilentRemarks::SilentRemarks() { ++numSilent; }
SilentRemarks::~SilentRemarks() { --numSilent; }

static InFlightRemark emit(EmitFn emit, Location loc,
                           remark::RemarkOpts options) {
  RemarkEngine *engine = loc->getContext()->getRemarkEngine();
  if (numSilent != 0 || !engine)
    return {};
  InFlightRemark remark = (engine->*emit)(loc, options);
  if (!recording || !remark)
    return remark;
  // Assigning an empty remark discards the old one without emitting it.
  remark = InFlightRemark();
  return (recording->engine.get()->*emit)(loc, options);
}

InFlightRemark moe::passed(Location loc, remark::RemarkOpts options) {
  return emit(&RemarkEngine::emitOptimizationRemark, loc, options);
}

InFlightRemark moe::missed(Location loc, remark::RemarkOpts options) {
  return emit(&RemarkEngine::emitOptimizationRemarkMiss, loc, options);
}

remark::RemarkOpts moe::getRemarkOptions(Operation *op, StringRef name,
                                         StringRef pass) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name).category(pass).function(
      function ? function.getName() : StringRef());
}

bool moe::isRead(Location loc, StringRef category) {
  auto options = remark::RemarkOpts::name("").category(category);
  InFlightRemark one = moe::passed(loc, options);
  InFlightRemark other = moe::missed(loc, options);
  bool isRead = one || other;
  // Discards the remarks without emitting them.
  one = InFlightRemark();
  other = InFlightRemark();
  return isRead;
}

LogicalResult moe::emitLater(llvm::unique_function<LogicalResult()> emit) {
  if (numSilent != 0)
    return success();
  if (!recording)
    return emit();
  recording->entries.push_back(std::move(emit));
  return success();
}
