// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link speeds that change a choice.

#include "moe/Compiler/LinkSensitivity.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace moe;

namespace {

cost::Machine makeSteppedMachine() {
  cost::Machine machine;
  for (auto [name, ranks, rate] :
       {std::tuple("node", 8, 100.0), {"ib", 16, 10.0}}) {
    cost::Level level;
    level.name = name;
    level.ranks = ranks;
    level.bandwidth = cost::GBps(rate);
    machine.levels.push_back(level);
  }
  return machine;
}

std::vector<std::string> findChanges(FindChoice findChoice) {
  Decision decision;
  LinkRange range;
  range.maxPower = 2;
  range.maxChanges = 1;
  EXPECT_TRUE(llvm::succeeded(
      addLinkChanges(makeSteppedMachine(), "a", findChoice, decision, range)));
  return decision.changes;
}

TEST(LinkSensitivityTest, FindsTheSpeed) {
  auto changes = findChanges(
      [](const cost::Machine &, double factor, llvm::ArrayRef<llvm::StringRef>)
          -> llvm::FailureOr<LinkChoice> {
        std::string kind = factor < 1.7 ? "a" : "b";
        return LinkChoice{kind, kind};
      });
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].substr(0, 34), "b would be chosen with ib at 17 GB")
      << changes[0];
}

TEST(LinkSensitivityTest, GoesOnWhereAllChoicesSayOtherwise) {
  // If two choices are compared, `b` is taken from 1.3 on; among all, from 1.7.
  auto changes = findChanges(
      [](const cost::Machine &, double factor,
         llvm::ArrayRef<llvm::StringRef> kinds) -> llvm::FailureOr<LinkChoice> {
        std::string kind = factor < (kinds.empty() ? 1.7 : 1.3) ? "a" : "b";
        return LinkChoice{kind, kind};
      });
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].substr(0, 33), "b would be chosen with ib at 17.0")
      << changes[0];
}

} // namespace
