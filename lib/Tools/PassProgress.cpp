// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of pass pipelines.

#include "moe/Tools/PassProgress.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Support/Progress.h"
#include <map>
#include <mutex>
#include <thread>
#include <vector>

using namespace mlir;
using namespace moe;

namespace {

class PassProgress : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *) override {
    // Adaptors that only run other passes have no name.
    std::string name = pass->getArgument().str();
    std::lock_guard lock(mutex);
    running[std::this_thread::get_id()].push_back(
        name.empty() ? nullptr
                     : std::make_unique<moe::support::Activity>(name));
  }
  void runAfterPass(Pass *, Operation *) override { end(); }
  void runAfterPassFailed(Pass *, Operation *) override { end(); }

private:
  void end() {
    std::lock_guard lock(mutex);
    running[std::this_thread::get_id()].pop_back();
  }

  std::mutex mutex;
  /// Passes may run other passes on the same thread.
  std::map<std::thread::id,
           std::vector<std::unique_ptr<moe::support::Activity>>>
      running;
};

} // namespace

void moe::showPassProgress(PassManager &passes) {
  if (moe::support::Progress::getOfProcess())
    passes.addInstrumentation(std::make_unique<PassProgress>());
}

void moe::eraseProgressForDiagnostics(MLIRContext &context) {
  if (moe::support::Progress::getOfProcess())
    context.getDiagEngine().registerHandler([](Diagnostic &) {
      moe::support::eraseProgress();
      // Other handlers print it.
      return failure();
    });
}

void ErasingStream::write_impl(const char *text, size_t size) {
  moe::support::eraseProgress();
  to.write(text, size);
}
