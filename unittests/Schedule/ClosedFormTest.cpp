// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/ClosedForm.h"
#include "FSMoECases.h"
#include <gtest/gtest.h>
#include <random>

using namespace moe::schedule;

namespace {

TEST(ClosedFormTest, TheFourCasesOfFS4) {
  // dispatch, all-gather, experts, reduce-scatter, combine; r = 4.
  auto form = [](ChunkTimes chunk, double gradientUs) {
    return getClosedForm(chunk, 4, gradientUs);
  };
  // The toy example of FS-6.
  ClosedForm toy = form({1, 0.2, 0.2, 0.2, 1}, 0);
  EXPECT_EQ(toy.which, ClosedFormCase::AllToAll);
  EXPECT_NEAR(toy.timeUs, 8.4, 1e-12);
  ClosedForm gradient = form({1, 0.2, 0.2, 0.2, 1}, 5);
  EXPECT_EQ(gradient.which, ClosedFormCase::AllToAllAndGradient);
  EXPECT_NEAR(gradient.timeUs, 13, 1e-12);
  ClosedForm experts = form({1, 0.5, 4, 0.25, 1}, 0);
  EXPECT_EQ(experts.which, ClosedFormCase::Experts);
  EXPECT_NEAR(experts.timeUs, 2 + 0.75 + 16, 1e-12);
  ClosedForm intra = form({1, 2, 0.5, 3, 1}, 0);
  EXPECT_EQ(intra.which, ClosedFormCase::IntraNode);
  EXPECT_NEAR(intra.timeUs, 2 + 4 * 5, 1e-12);
  // Q6 and Q7: gradients that exceed their window if x <= g.
  EXPECT_EQ(form({1, 2, 0.5, 3, 1}, 15).which,
            ClosedFormCase::AllToAllAndGradient);
  EXPECT_EQ(form({1, 2, 0.5, 3, 1}, 13).which, ClosedFormCase::IntraNode);
  EXPECT_EQ(form({1, 2, 9, 3, 1}, 34).which, ClosedFormCase::Experts);
  EXPECT_EQ(form({1, 2, 9, 3, 1}, 36).which,
            ClosedFormCase::AllToAllAndGradient);
}

/// Tries every degree.
ClosedFormChoice tryAll(const LinearPhase &phase, int64_t maxDegree,
                        double gradientUs) {
  ClosedFormChoice best;
  best.form = getClosedForm(phase.getTimes(1), 1, gradientUs);
  for (int64_t degree = 2; degree <= maxDegree; ++degree) {
    ClosedForm form =
        getClosedForm(phase.getTimes(1 / double(degree)), degree, gradientUs);
    if (form.timeUs < best.form.timeUs)
      best = {degree, form};
  }
  return best;
}

TEST(ClosedFormTest, MinimumOfFS5IsTheBestOfAllDegrees) {
  std::mt19937_64 random(11);
  // Spans several orders of magnitude, so that each case wins sometimes.
  std::uniform_real_distribution<double> exponent(-2, 3);
  auto time = [&] { return std::pow(10, exponent(random)); };
  std::array<int, 5> won{};
  for (int round = 0; round < 20000; ++round) {
    LinearPhase phase;
    for (LinearTime *each : {&phase.dispatch, &phase.allGather, &phase.experts,
                             &phase.reduceScatter, &phase.combine})
      *each = {random() % 8 ? time() / 10 : 0, random() % 8 ? time() : 0};
    int64_t maxDegree = 1 + int64_t(random() % 40);
    double gradientUs = random() % 2 ? time() : 0;
    ClosedFormChoice expected = tryAll(phase, maxDegree, gradientUs);
    ClosedFormChoice got = minimizeClosedForm(phase, maxDegree, gradientUs);
    // All degrees take the same time up to rounding if there are no alphas.
    ASSERT_NEAR(got.form.timeUs, expected.form.timeUs,
                1e-12 * expected.form.timeUs)
        << "degree " << got.degree << " of " << maxDegree << ", expected "
        << expected.degree;
    ++won[size_t(got.form.which)];
  }
  for (size_t which = 1; which <= 4; ++which)
    EXPECT_GT(won[which], 100) << "case " << which;
}

TEST(ClosedFormTest, MinimumOfFS5OnFSMoEsConfigurations) {
  forEachFSMoECase([](const FSMoECase &each) {
    ClosedFormChoice expected = tryAll(each.phase, 16, each.gradientUs);
    ClosedFormChoice got = minimizeClosedForm(each.phase, 16, each.gradientUs);
    ASSERT_EQ(got.degree, expected.degree);
    ASSERT_EQ(got.form.timeUs, expected.form.timeUs);
  });
}

} // namespace
