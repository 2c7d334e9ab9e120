// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners of fabrics, called from C++.

#include "moe/Circuits/Planning/Circuits.h"
#include "moe/Circuits/Planning/Cost.h"
#include "moe/Circuits/Register.h"
#include "moe/Planning/Planner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace moe;
using namespace moe::planning;

namespace {

/// A temporary file that is removed with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef text) {
    int handle = -1;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("planners", "json", handle, path));
    llvm::raw_fd_ostream(handle, /*shouldClose=*/true) << text;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }

  std::string get() const { return path.str().str(); }

private:
  llvm::SmallString<128> path;
};

TEST(CircuitPlanners, AreRegisteredOnceAndInOrder) {
  size_t core = listPlanners().size();
  EXPECT_EQ(findPlanner("circuits"), nullptr);
  registerCircuitPlanners();
  EXPECT_EQ(listPlanners().size(), core + 5);
  registerCircuitPlanners();
  EXPECT_EQ(listPlanners().size(), core + 5);
  EXPECT_TRUE(
      llvm::is_sorted(listPlanners(), [](const Planner &a, const Planner &b) {
        return a.name < b.name;
      }));
  for (const char *name : {"circuits", "cost", "fabric", "job", "predict"}) {
    const Planner *planner = findPlanner(name);
    ASSERT_NE(planner, nullptr) << name;
    EXPECT_EQ(planner->subject, Subject::Fabrics);
    std::unique_ptr<Question> question = planner->ask();
    for (const Option *option : question->getTable().getOptions())
      EXPECT_FALSE(option->getHelp().empty()) << option->getName().str();
  }
}

TEST(CircuitPlanners, Answer) {
  TemporaryFile demand(R"({"matrix": [[0, 4], [4, 0]]})");
  CircuitsInput input;
  input.demand = demand.get();
  input.opticalDegree = 2;
  input.epsNics = 1;
  auto answer = planCircuits(input);
  ASSERT_TRUE(answer) << answer.getError();
  EXPECT_EQ(answer->plan.circuits.at(0, 1), 2);
  EXPECT_FALSE(answer->nics);

  CostInput cost;
  cost.servers = 4;
  cost.fabricName = "torus";
  EXPECT_EQ(planCost(cost).getError(),
            "--fabric: expected fat-tree, rail, topoopt or mfabric, got "
            "'torus'");
}

} // namespace
