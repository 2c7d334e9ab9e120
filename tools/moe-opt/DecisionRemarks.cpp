// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks on a terminal.

#include "DecisionRemarks.h"
#include "mlir/IR/Diagnostics.h"
#include "moe/Compiler/Decision.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;
using remark::detail::Remark;

/// Writes one line.
static void writeRecord(llvm::raw_ostream &os, Location loc,
                        llvm::json::Object record) {
  if (auto place = loc->findInstanceOf<FileLineColLoc>()) {
    record["file"] = place.getFilename().getValue();
    record["line"] = place.getLine();
  }
  os << llvm::json::Value(std::move(record)) << '\n';
}

namespace {

class PrintingPolicy : public remark::detail::RemarkEmittingPolicyBase {
public:
  PrintingPolicy(bool shortens, llvm::raw_ostream *records)
      : shortens(shortens), records(records) {}

  void reportRemark(const Remark &remark) override {
    std::string text = describe(remark);
    if (records)
      write(remark, text);
    emitRemark(remark.getLocation(), text);
  }
  void finalize() override {}

private:
  void write(const Remark &remark, StringRef text) const {
    llvm::json::Object arguments;
    for (const Remark::Arg &arg : remark.getArgs())
      if (arg.key != kDecisionKey)
        arguments.try_emplace(arg.key, arg.val);
    writeRecord(*records, remark.getLocation(),
                llvm::json::Object{{"kind", "remark"},
                                   {"pass", remark.getCategoryName()},
                                   {"function", remark.getFunction()},
                                   {"text", text},
                                   {"arguments", std::move(arguments)}});
  }

  std::string describe(const Remark &remark) const {
    if (llvm::none_of(remark.getArgs(), [](const Remark::Arg &arg) {
          return arg.key == kDecisionKey;
        }))
      return remark.getMsg();
    auto options = remark::RemarkOpts::name(remark.getRemarkName())
                       .category(remark.getCategoryName());
    bool isPassed = remark.getRemarkType() == llvm::remarks::Type::Passed;
    Remark printed(isPassed ? remark::RemarkKind::RemarkPassed
                            : remark::RemarkKind::RemarkMissed,
                   DiagnosticSeverity::Remark, remark.getLocation(), options);
    std::vector<std::string> lines = summarize(remark);
    for (Remark::Arg arg : remark.getArgs()) {
      if (arg.key == kDecisionKey)
        continue;
      if (arg.key == "Remark" && !lines.empty())
        arg.val = lines.front();
      printed.insert(std::move(arg));
    }
    std::string text = printed.getMsg();
    for (size_t i = 1; i < lines.size(); ++i)
      text += "\n  " + lines[i];
    return text;
  }

  /// Returns the lines of a decision; none for other remarks.
  std::vector<std::string> summarize(const Remark &remark) const {
    for (const Remark::Arg &arg : remark.getArgs())
      if (shortens && arg.key == kDecisionKey)
        if (auto decision = parseDecision(arg.val, "remark"))
          return summarizeDecision(*decision);
    return {};
  }

  bool shortens;
  llvm::raw_ostream *records;
};

} // namespace

void moe::printRemarks(MLIRContext &context,
                       const remark::RemarkCategories &categories,
                       bool shortens, llvm::raw_ostream *records) {
  if (records)
    context.getDiagEngine().registerHandler([records](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
        writeRecord(*records, diagnostic.getLocation(),
                    llvm::json::Object{{"kind", "warning"},
                                       {"text", diagnostic.str()}});
      return failure(); // other handlers print it
    });
  // This cannot fail because there is no stream.
  (void)remark::enableOptimizationRemarks(
      context, nullptr, std::make_unique<PrintingPolicy>(shortens, records),
      categories);
}
