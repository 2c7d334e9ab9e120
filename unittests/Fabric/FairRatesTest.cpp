// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DrawnNetwork.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

using namespace moe;
using namespace moe::fabric;

namespace {

std::vector<double> getRates(const std::vector<FairLink> &links,
                             const std::vector<FairFlow> &flows) {
  auto rates = getFairRates(links, flows);
  EXPECT_TRUE(bool(rates)) << (rates ? "" : rates.getError());
  return rates ? *rates : std::vector<double>(flows.size());
}

void expectRates(const std::vector<FairLink> &links,
                 const std::vector<FairFlow> &flows,
                 const std::vector<double> &expected) {
  std::vector<double> rates = getRates(links, flows);
  for (size_t f = 0; f < flows.size(); ++f)
    EXPECT_NEAR(rates[f], expected[f], expected[f] * 1e-15) << "flow " << f;
}

constexpr Sharing kPipe = Sharing::FatPipe;

// The cases of SimGrid's test of its maxmin solver, by number: capacity,
// weights and penalties, and the rates that it prints.
TEST(FairRatesTest, PublishedShared) {
  expectRates({{3}}, {{{{0, 1}}, 1}, {{{0, 1}}, 2}}, {2, 1});
  expectRates({{3}}, {{{{0, 1}}, 1}, {{{0, 2}}, 1}}, {1, 1});
  expectRates({{20}}, {{{{0, 1}}, 1}, {{{0, 2}}, 2}}, {10, 5});
  expectRates({{20}, {60}},
              {{{{0, 1}, {1, 2}}, 1}, {{{0, 2}}, 2}, {{{1, 1}}, 1}},
              {10, 5, 40});
}

TEST(FairRatesTest, PublishedFatPipe) {
  expectRates({{10, kPipe}}, {{{{0, 1}}, 1}, {{{0, 1}}, 2}}, {10, 5});
  expectRates({{10, kPipe}}, {{{{0, 1}}, 1}, {{{0, 2}}, 1}}, {5, 5});
  expectRates({{10, kPipe}}, {{{{0, 1}}, 1}, {{{0, 2}}, 2}}, {10, 5});
  expectRates({{10, kPipe}, {60, kPipe}},
              {{{{0, 1}, {1, 2}}, 1}, {{{0, 2}}, 2}, {{{1, 1}}, 1}},
              {10, 5, 60});
}

// The capacity falls by a tenth per flow beyond the first; small flows do not
// count.
TEST(FairRatesTest, PublishedNonLinear) {
  FairLink link{10, Sharing::Shared, [](double capacity, int64_t flows) {
                  return capacity - double(flows - 1) * .1 * capacity;
                }};
  FairFlow flow{{{0, 1}}};
  expectRates({link}, {flow}, {10});
  expectRates({link}, {flow, {{{0, .05}}}}, {10 / 1.05, 10 / 1.05});
  expectRates({link}, {flow, flow}, {4.5, 4.5});
  expectRates({link}, {flow, flow, flow}, {8. / 3, 8. / 3, 8. / 3});
}

TEST(FairRatesTest, BoundsAndPauses) {
  expectRates({{1}}, {{{{0, 2}}, 1, .1}, {{{0, 1}}}}, {.1, .8});
  expectRates({{1}}, {{{{0, 1}}, 1, 1}, {{{0, 1}}}}, {.5, .5});
  expectRates({{3}}, {{{{0, 1}}}, {{{0, 1}}, 0}}, {3, 0});
  expectRates({{0}, {5}}, {{{{0, 1}, {1, 1}}}, {{{1, 1}}}}, {0, 5});
  expectRates({}, {{{}, 1, 7}}, {7});
}

/// Checks that every flow crosses a full link where no flow has a larger
/// weighted rate.
void certify(const DrawnNetwork &network, const std::vector<double> &rates) {
  std::vector<long double> used(network.links.size());
  std::vector<double> level(network.links.size());
  for (size_t f = 0; f < rates.size(); ++f)
    for (const LinkUse &use : network.flows[f].uses) {
      auto l = size_t(use.link);
      long double own = (long double)use.weight * rates[f];
      used[l] = network.links[l].sharing == kPipe ? std::max(used[l], own)
                                                  : used[l] + own;
      level[l] = std::max(level[l], rates[f] * network.flows[f].penalty);
    }
  for (size_t l = 0; l < used.size(); ++l)
    ASSERT_LE(double(used[l]), network.links[l].capacity * (1 + 1e-12));
  for (size_t f = 0; f < rates.size(); ++f) {
    bool isHeld = false;
    for (const LinkUse &use : network.flows[f].uses) {
      auto l = size_t(use.link);
      isHeld |= double(used[l]) >= network.links[l].capacity * (1 - 1e-12) &&
                rates[f] * network.flows[f].penalty >= level[l] * (1 - 1e-12);
    }
    ASSERT_TRUE(isHeld) << "flow " << f;
  }
}

TEST(FairRatesTest, Certificate) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 100000 && !::testing::Test::HasFatalFailure();
       ++trial) {
    DrawnNetwork network = drawNetwork(random, false);
    certify(network, getRates(network.links, network.flows));
  }
}

/// A fraction in lowest terms.
struct Fraction {
  __int128 over = 0, under = 1;
  Fraction(int64_t value = 0) : over(value) {}
  Fraction(__int128 a, __int128 b) {
    __int128 x = a < 0 ? -a : a, y = b;
    while (y)
      std::swap(x %= y, y);
    over = x ? a / x : 0;
    under = x ? b / x : 1;
  }
  friend Fraction operator-(Fraction a, Fraction b) {
    return {a.over * b.under - b.over * a.under, a.under * b.under};
  }
  friend Fraction operator+(Fraction a, Fraction b) {
    return {a.over * b.under + b.over * a.under, a.under * b.under};
  }
  friend Fraction operator*(Fraction a, Fraction b) {
    return {a.over * b.over, a.under * b.under};
  }
  friend Fraction operator/(Fraction a, Fraction b) {
    return {a.over * b.under, a.under * b.over};
  }
  friend bool operator<(Fraction a, Fraction b) {
    return a.over * b.under < b.over * a.under;
  }
  double get() const { return double((long double)over / (long double)under); }
};

/// Fills by definition and without rounding: all unfixed rates rise until a
/// link is full, and the flows of that link are fixed at this level.
std::vector<double> fillExactly(const DrawnNetwork &network) {
  size_t n = network.flows.size();
  std::vector<Fraction> rates(n);
  std::vector<char> isFixed(n);
  auto fraction = [](double value) { return Fraction(int64_t(value)); };
  while (std::count(isFixed.begin(), isFixed.end(), 0)) {
    std::optional<Fraction> least;
    std::vector<Fraction> levels;
    for (size_t l = 0; l < network.links.size(); ++l) {
      Fraction left = fraction(network.links[l].capacity), shares;
      for (size_t f = 0; f < n; ++f)
        for (const LinkUse &use : network.flows[f].uses)
          if (size_t(use.link) == l) {
            if (isFixed[f])
              left = left - fraction(use.weight) * rates[f];
            else
              shares = shares + fraction(use.weight) /
                                    fraction(network.flows[f].penalty);
          }
      bool rises = Fraction() < shares;
      levels.push_back(rises ? left / shares : Fraction(-1));
      if (rises && (!least || levels.back() < *least))
        least = levels.back();
    }
    for (size_t f = 0; f < n; ++f)
      for (const LinkUse &use : network.flows[f].uses)
        if (!isFixed[f] && !(*least < levels[size_t(use.link)])) {
          isFixed[f] = true;
          rates[f] = *least / fraction(network.flows[f].penalty);
        }
  }
  std::vector<double> values;
  for (const Fraction &rate : rates)
    values.push_back(rate.get());
  return values;
}

TEST(FairRatesTest, ExactFractions) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    DrawnNetwork network = drawNetwork(random, true);
    if (network.flows.size() > 6 || network.links.size() > 5)
      continue;
    std::vector<double> rates = getRates(network.links, network.flows),
                        exact = fillExactly(network);
    for (size_t f = 0; f < rates.size(); ++f)
      ASSERT_NEAR(rates[f], exact[f], exact[f] * 1e-14) << trial;
  }
}

TEST(FairRatesTest, ScalingAndAdding) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    DrawnNetwork network = drawNetwork(random, false);
    std::vector<double> rates = getRates(network.links, network.flows);
    DrawnNetwork scaled = network;
    for (FairLink &link : scaled.links)
      link.capacity *= 4;
    std::vector<double> larger = getRates(scaled.links, scaled.flows);
    for (size_t f = 0; f < rates.size(); ++f)
      ASSERT_EQ(larger[f], 4 * rates[f]);
    // Another flow never makes the slowest existing flow faster.
    auto getLeast = [&](const std::vector<double> &of) {
      double least = INFINITY;
      for (size_t f = 0; f < rates.size(); ++f)
        least = std::min(least, of[f] * network.flows[f].penalty);
      return least;
    };
    scaled = network;
    scaled.flows.push_back(drawNetwork(random, false).flows.front());
    std::erase_if(scaled.flows.back().uses, [&](const LinkUse &use) {
      return use.link >= int64_t(network.links.size());
    });
    scaled.flows.back().bound = 1;
    ASSERT_LE(getLeast(getRates(scaled.links, scaled.flows)),
              getLeast(rates) * (1 + 1e-12));
  }
}

TEST(FairRatesTest, Errors) {
  auto getError = [](std::vector<FairLink> links, std::vector<FairFlow> flows) {
    auto rates = getFairRates(links, flows);
    return rates ? "" : rates.getError();
  };
  EXPECT_EQ(getError({{-1}}, {}),
            "link 0: expected a finite capacity of at least 0, got -1");
  EXPECT_EQ(getError({{1}}, {{{{1, 1}}}}),
            "flow 0: expected a link in [0, 1), got 1");
  EXPECT_EQ(getError({{1}}, {{{{0, 0}}}}),
            "flow 0: expected a finite weight above 0, got 0");
  EXPECT_EQ(getError({{1}}, {{{{0, 1}, {0, 1}}}}),
            "flow 0: expected each link once, got link 0 twice");
  EXPECT_EQ(getError({{1}}, {{{{0, 1}}, -1}}),
            "flow 0: expected a finite penalty of at least 0, got -1");
  EXPECT_EQ(getError({}, {{}}), "flow 0: expected a link that it crosses, or a "
                                "bound, got neither");
}

} // namespace
