// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts and their diagnostics.

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "moe/Circuits/Register.h"
#include "moe/Execution/Compile.h"
#include "moe/Tools/Register.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace mlir;

const char *moeGetVersion(void) { return MOE_VERSION; }

char *moe::capi::makeString(llvm::StringRef text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (!copy)
    return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}

void moeFreeString(char *string) { std::free(string); }

void moe::capi::registerOnce() {
  static std::once_flag flag;
  std::call_once(flag, [] {
    registerAllPasses();
    registerAllPlanners();
    registerCircuitRuntime();
  });
}

static DialectRegistry makeRegistry() {
  moe::capi::registerOnce();
  DialectRegistry registry;
  moe::registerAllDialects(registry);
  moe::registerCompilation(registry);
  return registry;
}

MoeContext::MoeContext()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  // Unregistered ops are kept; they have the costs in their attributes and
  // unknown semantics.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    auto tellOne = [this](Diagnostic &one, MoeSeverity severity) {
      tell(severity, one.str(), one.getLocation());
    };
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      tellOne(diagnostic, MOE_ERROR);
      break;
    case DiagnosticSeverity::Warning:
      tellOne(diagnostic, MOE_WARNING);
      break;
    case DiagnosticSeverity::Remark:
      tellOne(diagnostic, MOE_REMARK);
      break;
    case DiagnosticSeverity::Note:
      tellOne(diagnostic, MOE_NOTE);
      break;
    }
    for (Diagnostic &note : diagnostic.getNotes())
      tellOne(note, MOE_NOTE);
  });
}

/// Returns the first file position in a location, or null if there is none.
static FileLineColLoc findPlace(Location loc) {
  FileLineColLoc place;
  loc->walk([&](Location part) {
    if (auto file = dyn_cast<FileLineColLoc>(part); file && !place)
      place = file;
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

void MoeContext::tell(MoeSeverity severity, const std::string &message,
                      Location loc) const {
  FileLineColLoc place = findPlace(loc);
  std::string file = place ? place.getFilename().str() : "";
  unsigned line = place ? place.getLine() : 0;
  unsigned column = place ? place.getColumn() : 0;
  if (handler) {
    MoeDiagnostic diagnostic = {severity, message.c_str(), file.c_str(), line,
                                column};
    handler(&diagnostic, data);
    return;
  }
  static constexpr const char *kNames[] = {"note", "warning", "error",
                                           "remark"};
  if (place)
    llvm::errs() << file << ":" << line << ":" << column << ": ";
  llvm::errs() << kNames[severity] << ": " << message << "\n";
}

void MoeContext::fail(const llvm::Twine &message) {
  tell(MOE_ERROR, message.str(), UnknownLoc::get(&context));
}

MoeContext *moeContextCreate(void) { return new MoeContext; }

void moeContextDestroy(MoeContext *context) { delete context; }

void moeContextSetHandler(MoeContext *context, MoeDiagnosticHandler handler,
                          void *data) {
  context->handler = handler;
  context->data = data;
}

namespace {
/// Passes remarks to the handler as text, including their numbers.
class HandlerStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit HandlerStreamer(const MoeContext &context) : context(context) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    context.tell(
        MOE_REMARK,
        (remark.getCombinedCategoryName() + ": " + remark.getMsg()).str(),
        remark.getLocation());
  }

private:
  const MoeContext &context;
};
} // namespace

void MoeContext::restoreRemarks() {
  if (remarks.empty())
    return context.setRemarkEngine(nullptr);
  // This fails only for an invalid expression.
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<HandlerStreamer>(*this),
      std::make_unique<remark::RemarkEmittingPolicyAll>(),
      moe::capi::makeCategories(remarks));
}

remark::RemarkCategories moe::capi::makeCategories(const std::string &regex) {
  // MLIR needs the categories, too, not only the pattern of all remarks.
  return {std::nullopt, regex, regex, regex, regex};
}

MoeStatus moeContextSetRemarks(MoeContext *context, const char *regex) {
  std::string error;
  if (!llvm::Regex(regex).isValid(error)) {
    context->fail("expected a regular expression for remarks, got '" +
                  llvm::Twine(regex) + "': " + error);
    return MOE_FAILURE;
  }
  context->remarks = regex;
  context->restoreRemarks();
  return MOE_SUCCESS;
}
