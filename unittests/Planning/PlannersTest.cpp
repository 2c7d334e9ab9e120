// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners, called from C++.

#include "moe/Planning/AllToAll.h"
#include "moe/Planning/Degree.h"
#include "moe/Planning/Expand.h"
#include "moe/Planning/Gemm.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/Step.h"
#include "moe/Planning/Traffic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
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

/// Two nodes of two ranks; links between nodes are ten times slower.
constexpr const char *kPlatform = R"({
  "name": "two-nodes", "origin": "made up for tests",
  "gemm_alpha_us": 1, "gemm_beta_us_per_mac": 1e-6,
  "levels": [
    {"name": "node", "ranks": 2, "bandwidth_GBps": 10, "ranks_per_nic": 1,
     "latency_us": 1, "origin": "made up for tests"},
    {"name": "rail", "ranks": 4, "bandwidth_GBps": 1, "ranks_per_nic": 1,
     "latency_us": 10, "origin": "made up for tests"}]
})";

TEST(Planners, AreInOrderAndComplete) {
  std::vector<std::string> names;
  for (const Planner &planner : listPlanners()) {
    names.push_back(planner.name.str());
    EXPECT_EQ(findPlanner(planner.name), &planner);
    std::unique_ptr<Question> question = planner.ask();
    EXPECT_FALSE(question->getTable().getOptions().empty()) << names.back();
    for (const Option *option : question->getTable().getOptions()) {
      EXPECT_FALSE(option->isSet());
      EXPECT_FALSE(option->getHelp().empty()) << option->getName().str();
    }
  }
  EXPECT_TRUE(llvm::is_sorted(names));
  EXPECT_GE(names.size(), 14u);
  EXPECT_EQ(findPlanner("everything"), nullptr);
}

TEST(Planners, Expand) {
  ExpandInput input;
  input.job.job.tp = 4;
  input.job.job.ep = 8;
  input.job.job.cp = 2;
  auto answer = planExpand(input);
  ASSERT_TRUE(answer) << answer.getError();
  // Two context-parallel ranks for each of eight expert-parallel ranks.
  EXPECT_TRUE(answer->isHorizontal);
  EXPECT_EQ(answer->ports, 16);
  EXPECT_EQ(answer->ranks, 64);
  ASSERT_EQ(answer->groups.size(), 5u);
  EXPECT_EQ(answer->groups[2].stride, 32);

  ExpandInput narrow;
  narrow.job.job.tp = 4;
  narrow.job.job.ep = 8;
  narrow.job.job.cp = 2;
  narrow.ports = 8;
  auto vertical = planExpand(narrow);
  ASSERT_TRUE(vertical) << vertical.getError();
  EXPECT_FALSE(vertical->isHorizontal);
  EXPECT_EQ(vertical->ranks, 32);
}

TEST(Planners, RefuseWrongInput) {
  ExpandInput missing;
  EXPECT_EQ(planExpand(missing).getError(), "--tp is required");

  ExpandInput negative;
  negative.job.job.tp = -4;
  negative.job.job.ep = 8;
  negative.job.job.cp = 2;
  EXPECT_EQ(planExpand(negative).getError(),
            "--tp: expected an integer in [1, 2147483647], got '-4'");

  AllToAllInput nowhere;
  nowhere.platform.platform = "no-such-machine";
  nowhere.bytes = 1 << 20;
  nowhere.job.job.ep = 2;
  nowhere.job.job.tp = 2;
  auto answer = planAllToAll(nowhere);
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.getError().find("no-such-machine"), std::string::npos);
}

TEST(Planners, AllToAll) {
  TemporaryFile platform(kPlatform);
  AllToAllInput input;
  input.platform.platform = platform.get();
  input.bytes = 1 << 20;
  input.job.job.ep = 2;
  input.job.job.tp = 2;
  input.maxChunks = 8;
  auto answer = planAllToAll(input);
  ASSERT_TRUE(answer) << answer.getError();
  const schedule::StrategyPlan &plan = answer->choice.plan;
  EXPECT_EQ(answer->parameters.machine, "two-nodes");
  EXPECT_LE(plan.get(plan.chosen).chunks, 8);
  // Slicing off the replicated copies sends fewer bytes between nodes.
  EXPECT_NE(plan.chosen, schedule::Strategy::Baseline);
  EXPECT_LT(plan.get(plan.chosen).timeUs,
            plan.get(schedule::Strategy::Baseline).timeUs);
  EXPECT_LE(answer->from.bytes, input.bytes.read().operator*());
  ASSERT_FALSE(answer->byChunks.empty());
  EXPECT_EQ(answer->byChunks.front().size, 1);
}

TEST(Planners, DegreeKeepsItsTimes) {
  TemporaryFile platform(kPlatform);
  auto ask = [&] {
    DegreeInput input;
    input.platform.platform = platform.get();
    input.job.job.microBatch = 1;
    input.job.job.seqLen = 256;
    input.hidden = 64;
    input.ffnHidden = 256;
    input.topK = 2;
    input.capacityFactor = 1;
    input.gemms = 2;
    input.phase = "fwd";
    input.maxDegree = 4;
    return planDegree(input);
  };
  auto first = ask();
  ASSERT_TRUE(first) << first.getError();
  DegreeAnswer moved = std::move(*first);
  auto second = ask();
  ASSERT_TRUE(second);
  ASSERT_EQ(moved.plan.byDegree.size(), second->plan.byDegree.size());
  for (auto [a, b] : llvm::zip(moved.plan.byDegree, second->plan.byDegree))
    EXPECT_EQ(a.timeUs, b.timeUs);
  EXPECT_EQ(moved.plan.get(moved.plan.degree).timeUs, moved.plan.timeUs);
}

TEST(Planners, Gemm) {
  TemporaryFile platform(kPlatform);
  GemmInput input;
  input.platform.platform = platform.get();
  input.m = 100;
  input.n = 200;
  input.k = 300;
  auto answer = planGemm(input);
  ASSERT_TRUE(answer) << answer.getError();
  // 1 us plus 6 million multiply-accumulates at 1e-6 us each.
  EXPECT_DOUBLE_EQ(answer->timeUs, 7);
  EXPECT_DOUBLE_EQ(answer->tflops, 12e6 / 7 * 1e-6);
  EXPECT_FALSE(answer->isByKernels);
  // The fit's asymptotic peak is 2 TFLOP/s.
  ASSERT_TRUE(answer->shareOfPeak);
  EXPECT_DOUBLE_EQ(*answer->shareOfPeak, 6.0 / 7);
}

TEST(Planners, Step) {
  StepInput input;
  EXPECT_EQ(planStep(input).getError(), "--platform is required");
  TemporaryFile platform(kPlatform);
  TemporaryFile config(R"({
    "model_type": "mixtral", "hidden_size": 64, "intermediate_size": 128,
    "num_attention_heads": 4, "num_key_value_heads": 4,
    "num_hidden_layers": 2, "num_local_experts": 4, "num_experts_per_tok": 2,
    "vocab_size": 100})");
  input.platform.platform = platform.get();
  EXPECT_EQ(planStep(input).getError(), "--config is required");
  ASSERT_FALSE(input.table.give("config", config.get()));
  EXPECT_EQ(planStep(input).getError(), "--micro-batch is required");
  input.job.job.microBatch = 1;
  input.job.job.seqLen = 64;
  // A GEMM fit alone gives no rate of memory-bound kernels.
  EXPECT_EQ(planStep(input).getError(),
            "--platform: expected a platform that states 'kernels', such as "
            "dgx-h100-measured, or at least GEMMs (gemm_alpha_us) and copies "
            "(copy_bandwidth_GBps), got two-nodes");
}

TEST(Planners, TrafficIsItsOwnAnswer) {
  TrafficInput input;
  input.generated = "even";
  input.ranks = 2;
  input.experts = 4;
  input.tokens = 8;
  input.topK = 2;
  auto drawn = planTraffic(input);
  ASSERT_TRUE(drawn) << drawn.getError();
  EXPECT_TRUE(drawn->isGenerated);
  TemporaryFile trace(formatJSON(*drawn));

  TrafficInput judged;
  judged.input = trace.get();
  auto answer = planTraffic(judged);
  ASSERT_TRUE(answer) << answer.getError();
  EXPECT_EQ(answer->ep, 2);
  EXPECT_NEAR(answer->busiestRank.mean, 1, 0.1);
}

TEST(Planners, ByName) {
  std::vector<InputWarning> warnings;
  auto answer =
      plan("expand", {{"tp", "4"}, {"ep", "8"}, {"cp", "2"}}, warnings);
  ASSERT_TRUE(answer) << answer.getError();
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(*answer);
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(parsed->getAsObject()->getInteger("ranks"), 64);
  EXPECT_TRUE(warnings.empty());

  EXPECT_EQ(plan("expand", {{"tp", "4"}, {"tp", "2"}}, warnings).getError(),
            "--tp: expected it once, got it twice");
  EXPECT_NE(plan("expand", {{"speed", "4"}}, warnings)
                .getError()
                .find("--speed: expected one of the options ep, tp"),
            std::string::npos);
  EXPECT_NE(plan("nothing", {}, warnings)
                .getError()
                .find("expected one of the planners all-to-all, collective"),
            std::string::npos);

  llvm::Expected<llvm::json::Value> list = llvm::json::parse(formatPlanners());
  ASSERT_TRUE(bool(list));
  EXPECT_EQ(list->getAsArray()->size(), listPlanners().size());
}

TEST(PlannersTest, PrecisionsHaveOneName) {
  for (unsigned i = 0; i < cost::kNumPrecisions; ++i)
    EXPECT_EQ(getEnumName(cost::Precision(i)),
              llvm::StringRef(cost::getName(cost::Precision(i))));
}

} // namespace
