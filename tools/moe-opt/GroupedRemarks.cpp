//===- GroupedRemarks.cpp - Remarks for people ------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupedRemarks.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Compiler/RemarkText.h"
#include "llvm/ADT/STLExtras.h"
#include <mutex>

using namespace mlir;
using namespace moe;
using remark::detail::Remark;

namespace {

/// Keeps remarks of one kind until another comes, and prints those alike once.
class GroupingPolicy : public remark::detail::RemarkEmittingPolicyBase {
public:
  explicit GroupingPolicy(bool shortens) : shortens(shortens) {}

  void reportRemark(const Remark &remark) override {
    std::lock_guard lock(mutex);
    if (!groups.empty() && !isOfOneKind(groups.front().first, remark))
      print();
    std::string layer = takeLayer(remark);
    if (layer.empty()) {
      print();
      emitRemark(remark.getLocation(), remark.getMsg());
      return;
    }
    auto it = llvm::find_if(groups, [&](const Group &group) {
      return isAlike(group.first, remark);
    });
    if (it == groups.end())
      it = groups.insert(groups.end(), {remark, {}});
    it->layers.push_back(std::move(layer));
  }

  void finalize() override {
    std::lock_guard lock(mutex);
    print();
  }

private:
  /// What is said of some layers, by the remark of the first.
  struct Group {
    Remark first;
    std::vector<std::string> layers;
  };

  static bool isText(const Remark::Arg &arg) {
    return arg.key == "Remark" || arg.key == "Reason";
  }

  /// The layer that a remark is about; empty for none.
  static std::string takeLayer(const Remark &remark) {
    for (const Remark::Arg &arg : remark.getArgs())
      if (isText(arg))
        return splitLayer(arg.val).first.str();
    return "";
  }

  static bool isOfOneKind(const Remark &a, const Remark &b) {
    return a.getRemarkType() == b.getRemarkType() &&
           a.getRemarkName() == b.getRemarkName() &&
           a.getCombinedCategoryName() == b.getCombinedCategoryName() &&
           a.getFunction() == b.getFunction();
  }

  /// Whether the same is said, of whatever layers.
  static bool isAlike(const Remark &a, const Remark &b) {
    return llvm::equal(a.getArgs(), b.getArgs(),
                       [](const Remark::Arg &x, const Remark::Arg &y) {
                         if (x.key != y.key)
                           return false;
                         return isText(x) ? splitLayer(x.val).second ==
                                                splitLayer(y.val).second
                                          : x.val == y.val;
                       });
  }

  void print() {
    for (const Group &group : groups)
      print(group);
    groups.clear();
  }

  /// The first of what is said with the numbers in a line, as of any remark;
  /// the rest behind it, each on a line of its own.
  void print(const Group &group) const {
    const Remark &remark = group.first;
    std::string owner = (group.layers.size() == 1 ? "layer " : "layers ") +
                        formatLayers(group.layers);
    Remark joined = withoutArgs(remark);
    std::string more;
    for (Remark::Arg arg : remark.getArgs()) {
      if (isText(arg)) {
        StringRef text = splitLayer(arg.val).second;
        std::vector<std::string> parts =
            shortens ? shortenChoice(text) : std::vector{text.str()};
        arg.val = owner + ": " + parts.front();
        for (const std::string &part : llvm::drop_begin(parts))
          more += "\n  " + part;
      }
      joined.insert(std::move(arg));
    }
    emitRemark(remark.getLocation(), joined.getMsg() + more);
  }

  static Remark withoutArgs(const Remark &remark) {
    auto options = remark::RemarkOpts::name(remark.getRemarkName())
                       .category(remark.getCategoryName());
    bool isPassed = remark.getRemarkType() == llvm::remarks::Type::Passed;
    return Remark(isPassed ? remark::RemarkKind::RemarkPassed
                           : remark::RemarkKind::RemarkMissed,
                  DiagnosticSeverity::Remark, remark.getLocation(), options);
  }

  bool shortens;
  std::mutex mutex;
  std::vector<Group> groups;
};

/// Lives as long as the passes do, which diagnostics outlive.
class PrintAtEnd : public PassInstrumentation {
public:
  PrintAtEnd(GroupingPolicy &policy) : policy(policy) {}
  ~PrintAtEnd() override { policy.finalize(); }

private:
  GroupingPolicy &policy;
};

} // namespace

void moe::groupRemarks(PassManager &passes,
                       const remark::RemarkCategories &categories,
                       bool shortens) {
  auto policy = std::make_unique<GroupingPolicy>(shortens);
  passes.addInstrumentation(std::make_unique<PrintAtEnd>(*policy));
  // It cannot fail, nor does it ever.
  (void)remark::enableOptimizationRemarks(*passes.getContext(), nullptr,
                                          std::move(policy), categories);
}
