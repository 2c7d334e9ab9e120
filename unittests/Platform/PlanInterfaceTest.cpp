// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's planners on the shipped platforms.
//
// A program that calls libmoert must get the same answers as moe-plan. The test
// describes each shipped platform in the plain numbers of the C interface and
// compares the answers with the command's output.

#include "moe/Platform/Load.h"
#include "moe/Schedule/DegreePlanner.h"
#include "moe/Schedule/MachinePhase.h"
#include "moert_plan.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdio>
#include <deque>
#include <filesystem>

using namespace moe;

namespace {

/// A machine in plain numbers, with the memory that they refer to.
struct Description {
  explicit Description(const cost::Machine &machine) {
    EXPECT_EQ(moert_plan_machine_default(&config), MOERT_OK);
    config.name = machine.name.c_str();
    for (const cost::Level &level : machine.levels) {
      moert_plan_level plain = {};
      plain.name = level.name.c_str();
      plain.ranks = level.ranks;
      plain.gigabytes_per_second = level.bandwidth.value();
      plain.ranks_per_nic = level.ranksPerNic;
      plain.latency_us = level.latency.value();
      plain.efficiency = addCurve(level.efficiency, plain.num_efficiency);
      plain.curve_is_latency_free = level.isCurveLatencyFree;
      std::vector<moert_plan_fit> &list = fits.emplace_back();
      for (unsigned kind = 0; kind < cost::kNumCollectiveKinds; ++kind)
        if (const auto &fit = level.fits[kind]) {
          auto add = [&](const cost::CollectiveFit &line) {
            list.push_back({static_cast<moert_plan_collective>(kind),
                            line.alpha.value(), line.beta.value(),
                            line.groupRanks.value_or(0),
                            line.ranksTogether.value_or(0)});
          };
          add(*fit);
          for (const cost::CollectiveFit &other : fit->others)
            add(other);
        }
      plain.fits = list.data();
      plain.num_fits = static_cast<int32_t>(list.size());
      for (const cost::StepProtocol &protocol : level.protocols) {
        protocols.push_back(
            {static_cast<int32_t>(levels.size()),
             static_cast<moert_plan_algorithm>(protocol.algorithm),
             protocol.start.value(), protocol.innerStep.value(),
             protocol.step.value(), protocol.share,
             protocol.mostRate.value_or(cost::GBps(0)).value(), nullptr, 0});
        protocols.back().efficiency =
            addCurve(protocol.efficiency, protocols.back().num_efficiency);
      }
      levels.push_back(plain);
    }
    config.protocols = protocols.data();
    config.num_protocols = static_cast<int32_t>(protocols.size());
    config.levels = levels.data();
    config.num_levels = static_cast<int32_t>(levels.size());
    if (machine.copy) {
      config.copy_gigabytes_per_second = machine.copy->bandwidth.value();
      config.copy_latency_us = machine.copy->latency.value();
      config.copy_efficiency =
          addCurve(machine.copy->efficiency, config.num_copy_efficiency);
    }
    if (machine.gemm) {
      config.gemm_alpha_us = machine.gemm->alpha.value();
      config.gemm_us_per_mac = machine.gemm->beta.value();
    }
    config.minimum_message_bytes = machine.minimumMessage.value.value();
    config.pipeline_stall_us = machine.pipelineStall.value.value();
    for (const cost::ContentionFactor &entry : machine.contention)
      contention.push_back({static_cast<moert_plan_resource>(entry.slowed),
                            static_cast<moert_plan_resource>(entry.by),
                            entry.factor});
    config.contention = contention.data();
    config.num_contention = static_cast<int32_t>(contention.size());
    config.uncertainty = machine.uncertainty.value;
  }

  moert_plan_machine_config config;

private:
  const moert_plan_point *addCurve(const cost::EfficiencyCurve &curve,
                                   int32_t &count) {
    std::vector<moert_plan_point> &list = curves.emplace_back();
    for (const cost::CurvePoint &point : curve.getPoints())
      list.push_back({point.bytes, point.ratio});
    count = static_cast<int32_t>(list.size());
    return list.data();
  }

  std::vector<moert_plan_level> levels;
  std::vector<moert_plan_protocol> protocols;
  std::deque<std::vector<moert_plan_fit>> fits;
  std::deque<std::vector<moert_plan_point>> curves;
  std::vector<moert_plan_contention> contention;
};

/// Returns the output of `moe-plan all-to-all --json`.
llvm::json::Value runPlan(const std::string &file, int64_t bytes, int64_t ep,
                          int64_t tp, int64_t maxChunks) {
  std::string command =
      std::string(MOE_PLAN) + " all-to-all --json --platform=" + file +
      " --bytes=" + std::to_string(bytes) + " --ep=" + std::to_string(ep) +
      " --tp=" + std::to_string(tp) +
      " --max-chunks=" + std::to_string(maxChunks);
  FILE *pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer;
  while (size_t count = pipe ? fread(buffer.data(), 1, buffer.size(), pipe) : 0)
    text.append(buffer.data(), count);
  EXPECT_TRUE(pipe && pclose(pipe) == 0) << command;
  auto value = llvm::json::parse(text);
  if (value)
    return std::move(*value);
  ADD_FAILURE() << command << ": " << llvm::toString(value.takeError());
  return nullptr;
}

TEST(PlanInterfaceTest, AnswersAreThoseOfTheCommand) {
  static const char *const kNames[] = {"baseline", "o1", "o2", "o3"};
  int questions = 0, chosenO2 = 0;
  for (const auto &entry : std::filesystem::directory_iterator(MOE_PLATFORMS)) {
    if (entry.path().extension() != ".json")
      continue;
    std::string file = entry.path().string();
    SCOPED_TRACE(file);
    auto platform = platform::loadPlatform(file);
    ASSERT_TRUE(bool(platform));
    const cost::Machine &machine = platform->machine;
    Description description(machine);
    moert_plan_machine *plain = nullptr;
    ASSERT_EQ(moert_plan_machine_create(&description.config, &plain), MOERT_OK)
        << moert_last_error(nullptr);
    int64_t inner = machine.levels.front().ranks;
    for (int64_t bytes : {int64_t(65536), int64_t(64) << 20})
      for (int64_t tp : {int64_t(1), inner}) {
        int64_t ep = machine.getNumRanks() / tp;
        if (ep > 64)
          ep = 64;
        SCOPED_TRACE(std::to_string(bytes) + " bytes, ep " +
                     std::to_string(ep) + ", tp " + std::to_string(tp));
        moert_plan_all_to_all_result result;
        ASSERT_EQ(moert_plan_all_to_all(plain, bytes, ep, tp, 0, 32, &result),
                  MOERT_OK)
            << moert_last_error(nullptr);
        llvm::json::Value expected = runPlan(file, bytes, ep, tp, 32);
        const llvm::json::Object *root = expected.getAsObject();
        ASSERT_TRUE(root);
        EXPECT_EQ(root->getString("chosen"), kNames[result.chosen]);
        EXPECT_EQ(root->getInteger("chunks"), result.chunks);
        EXPECT_EQ(root->getNumber("time_us"), result.time_us);
        for (int i = 0; i < MOERT_PLAN_NUM_STRATEGIES; ++i) {
          const llvm::json::Object *strategy =
              root->getObject("strategies")->getObject(kNames[i]);
          ASSERT_TRUE(strategy);
          const moert_plan_strategy_time &time = result.strategies[i];
          EXPECT_EQ(strategy->getNumber("time_us").has_value(),
                    time.possible != 0);
          EXPECT_EQ(strategy->getString("why_not").value_or("").str(),
                    time.why_not);
          if (!time.possible)
            continue;
          EXPECT_EQ(strategy->getNumber("time_us"), time.time_us);
          EXPECT_EQ(strategy->getInteger("chunks"), time.chunks);
          const llvm::json::Object *stages = strategy->getObject("stages");
          ASSERT_TRUE(stages);
          EXPECT_EQ(stages->getNumber("all_to_all_us"), time.all_to_all_us);
          if (i >= MOERT_PLAN_O1) {
            EXPECT_EQ(stages->getNumber("all_gather_us"), time.all_gather_us);
          }
          if (i >= MOERT_PLAN_O2) {
            EXPECT_EQ(stages->getNumber("copy_us"), time.copy_us);
          }
        }
        ++questions;
        chosenO2 += result.chosen >= MOERT_PLAN_O2;
      }
    EXPECT_EQ(moert_plan_machine_destroy(plain), MOERT_OK);
  }
  EXPECT_GE(questions, 40);
  // Some answers must be more complex than the simplest.
  EXPECT_GE(chosenO2, 1);
}

TEST(PlanInterfaceTest, DegreesAreThoseOfThePlanner) {
  for (const char *name : {"fsmoe-a", "fsmoe-b"})
    for (int32_t backward : {0, 1})
      for (int64_t seqLen : {512, 2048}) {
        SCOPED_TRACE(name);
        auto platform = platform::loadPlatform(std::string(MOE_PLATFORMS) +
                                               "/" + name + ".json");
        ASSERT_TRUE(bool(platform));
        const cost::Machine &machine = platform->machine;
        int64_t inner = machine.levels.front().ranks;
        schedule::LayerShape shape;
        shape.microBatch = 4;
        shape.seqLen = seqLen;
        shape.hidden = 2048;
        shape.ffnHidden = 8192;
        shape.topK = 2;
        shape.capacityFactor = 1.2;
        shape.tp = shape.esp = inner;
        auto phase = schedule::MachinePhase::create(
            machine, shape, schedule::TrainingPhase(backward),
            cost::BytesPerElement(4));
        ASSERT_TRUE(bool(phase)) << phase.getError();
        schedule::DegreePlanner planner;
        schedule::DegreePlan expected =
            planner.plan(*phase, phase->getMaxDegree(16), 1000);

        Description description(machine);
        moert_plan_machine *plain = nullptr;
        ASSERT_EQ(moert_plan_machine_create(&description.config, &plain),
                  MOERT_OK)
            << moert_last_error(nullptr);
        moert_plan_layer layer = {4, seqLen, 2048,  8192, 2,       1.2,
                                  2, inner,  inner, 4,    backward};
        moert_plan_degree_result result;
        ASSERT_EQ(moert_plan_degree(plain, &layer, 1000, 16, &result), MOERT_OK)
            << moert_last_error(nullptr);
        EXPECT_EQ(result.degree, expected.degree);
        EXPECT_EQ(result.time_us, expected.timeUs);
        EXPECT_EQ(result.degree_one_us, expected.get(1).timeUs);
        EXPECT_EQ(result.lower_bound_us, expected.lowerBoundUs);
        EXPECT_EQ(moert_plan_machine_destroy(plain), MOERT_OK);
      }
}

} // namespace
