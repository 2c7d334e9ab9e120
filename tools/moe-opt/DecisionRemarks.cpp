// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks on a terminal.

#include "DecisionRemarks.h"
#include "mlir/IR/Diagnostics.h"
#include "moe/Compiler/Decision.h"

using namespace mlir;
using namespace moe;
using remark::detail::Remark;

namespace {

class PrintingPolicy : public remark::detail::RemarkEmittingPolicyBase {
public:
  explicit PrintingPolicy(bool shortens) : shortens(shortens) {}

  void reportRemark(const Remark &remark) override {
    if (llvm::none_of(remark.getArgs(), [](const Remark::Arg &arg) {
          return arg.key == kDecisionKey;
        })) {
      emitRemark(remark.getLocation(), remark.getMsg());
      return;
    }
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
    emitRemark(remark.getLocation(), text);
  }
  void finalize() override {}

private:
  /// Returns the lines of a decision; none for other remarks.
  std::vector<std::string> summarize(const Remark &remark) const {
    for (const Remark::Arg &arg : remark.getArgs())
      if (shortens && arg.key == kDecisionKey)
        if (auto decision = parseDecision(arg.val, "remark"))
          return summarizeDecision(*decision);
    return {};
  }

  bool shortens;
};

} // namespace

void moe::printRemarks(MLIRContext &context,
                       const remark::RemarkCategories &categories,
                       bool shortens) {
  // This cannot fail because there is no stream.
  (void)remark::enableOptimizationRemarks(
      context, nullptr, std::make_unique<PrintingPolicy>(shortens), categories);
}
