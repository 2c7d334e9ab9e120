// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies single rules.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Rules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace moe {
#define GEN_PASS_DEF_REWRITECOLLECTIVES
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// Counts the applications of each rule, and collects the reasons why it did
/// not apply.
class RuleLog : public RewriterBase::ForwardingListener {
public:
  /// The applications of one rule in one function.
  struct Applications {
    Location first;
    int64_t times = 0;
  };
  struct Entry {
    llvm::MapVector<StringRef, Applications> byFunction;
    std::set<std::string> refusals;
  };

  explicit RuleLog(ReplicationInfo &replication)
      : ForwardingListener(&replication) {}

  void add(const Pattern &pattern, StringRef rule) {
    byPattern[&pattern] = rule;
    entries.insert({rule, Entry()});
  }
  const Entry &get(StringRef rule) { return entries[rule]; }

  void notifyPatternBegin(const Pattern &pattern, Operation *op) override {
    ForwardingListener::notifyPatternBegin(pattern, op);
    rule = byPattern.lookup(&pattern);
    // The op may be erased before the pattern ends.
    loc = op->getLoc();
    auto parent = op->getParentOfType<FunctionOpInterface>();
    function = parent ? parent.getName() : StringRef();
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    ForwardingListener::notifyPatternEnd(pattern, status);
    if (succeeded(status)) {
      auto &applications = entries[rule].byFunction;
      ++applications.insert({function, Applications{*loc}}).first->second.times;
    }
    rule = StringRef();
  }
  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> getReason) override {
    ForwardingListener::notifyMatchFailure(loc, getReason);
    if (rule.empty())
      return;
    Diagnostic diag(loc, DiagnosticSeverity::Remark);
    getReason(diag);
    entries[rule].refusals.insert(diag.str());
  }

private:
  llvm::DenseMap<const Pattern *, StringRef> byPattern;
  llvm::MapVector<StringRef, Entry> entries;
  /// The rule of the current pattern, and its position.
  StringRef rule, function;
  std::optional<Location> loc;
};

struct RewriteCollectives
    : public moe::impl::RewriteCollectivesBase<RewriteCollectives> {
  using RewriteCollectivesBase::RewriteCollectivesBase;

  LogicalResult initialize(MLIRContext *context) override {
    for (const std::string &name : rules)
      if (!findRule(name)) {
        auto names = llvm::map_range(
            getRules(), [](const Rule &rule) { return rule.name; });
        return emitError(UnknownLoc::get(context))
               << "moe-rewrite-collectives: unknown rule '" << name
               << "', expected one of: " << llvm::join(names, ", ");
      }
    if (rules.empty())
      return emitError(UnknownLoc::get(context))
             << "moe-rewrite-collectives: expected rules=NAME,NAME";
    return success();
  }

  void runOnOperation() override {
    auto replication = ReplicationInfo::compute(getOperation());
    if (failed(replication))
      return signalPassFailure();
    RuleContext context(**replication);
    RuleLog log(**replication);
    RewritePatternSet patterns(&getContext());
    for (const std::string &name : rules) {
      RewritePatternSet ofRule(&getContext());
      const Rule *rule = findRule(name);
      rule->populate(ofRule, context);
      for (auto &pattern : ofRule.getNativePatterns()) {
        log.add(*pattern, rule->name);
        patterns.add(std::move(pattern));
      }
    }
    GreedyRewriteConfig config;
    config.setListener(&log);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      emitError(getOperation().getLoc(), "rules did not come to an end");
      return signalPassFailure();
    }
    for (const std::string &name : rules)
      report(findRule(name)->name, log);
  }

private:
  /// Emits remarks with the number of applications in each function, or with
  /// the reason why there are none.
  void report(StringRef rule, RuleLog &log) {
    auto options = remark::RemarkOpts::name(rule).category(getArgument());
    const RuleLog::Entry &entry = log.get(rule);
    for (const auto &[function, applications] : entry.byFunction)
      remark::passed(applications.first, options.function(function))
          << remark::add("applied")
          << remark::metric("times", applications.times);
    if (!entry.byFunction.empty())
      return;
    std::string why = entry.refusals.empty()
                          ? std::string("no op that it starts from")
                          : llvm::join(entry.refusals, "; ");
    remark::missed(getOperation()->getLoc(), options)
        << remark::reason("never applied: {0}", why);
  }
};
} // namespace
