// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Compares fair rates with linear programs that GLPK solves. The check proceeds
// level by level: with all slower rates fixed, no rates let all others reach a
// higher level, and the flows on that level cannot have more in total while the
// others have at least as much.
//===----------------------------------------------------------------------===//

#include "DrawnNetwork.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace moe;
using namespace moe::fabric;

namespace {

constexpr double kClose = 1e-9;

/// A network with its rates, and the levels up to which they are verified.
struct Checked {
  DrawnNetwork network;
  std::vector<double> levels;
  double below = 0, next = 0;

  bool findNext() {
    next = INFINITY;
    for (double level : levels)
      if (level > below * (1 + kClose))
        next = std::min(next, level);
    return std::isfinite(next);
  }
  bool isOn(double level) const {
    return level > below * (1 + kClose) && level <= next * (1 + kClose);
  }
};

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

/// The variables of one program over all networks, which share none: by network
/// their common level, then the rates.
class Program {
public:
  Program(const std::vector<Checked> &all, const std::string &folder)
      : all(all), file(folder + "/p") {}

  std::string getLevel(size_t n) const { return "t" + std::to_string(n); }
  std::string getRate(size_t n, size_t f) const {
    return "x" + std::to_string(n) + "_" + std::to_string(f);
  }

  /// Maximizes levels, or the rates for given levels.
  bool solve(bool areLevelsGiven) {
    std::ostringstream goal, rows;
    for (size_t n = 0; n < all.size(); ++n) {
      const auto &[network, levels, below, next] = all[n];
      goal << " + " << (areLevelsGiven ? 0 : 1) << " " << getLevel(n);
      for (size_t f = 0; f < levels.size(); ++f) {
        bool isOn = areLevelsGiven && all[n].isOn(levels[f]);
        goal << " + " << (isOn ? 1 : 0) << " " << getRate(n, f) << "\n";
        const std::string penalty = number(network.flows[f].penalty);
        if (levels[f] <= below * (1 + kClose))
          rows << penalty << " " << getRate(n, f) << " = " << number(levels[f])
               << "\n";
        else
          rows << penalty << " " << getRate(n, f) << " - " << getLevel(n)
               << " >= 0\n";
      }
      if (areLevelsGiven)
        rows << getLevel(n) << " = " << number(next) << "\n";
      for (size_t l = 0; l < network.links.size(); ++l) {
        std::string sum;
        for (size_t f = 0; f < levels.size(); ++f)
          for (const LinkUse &use : network.flows[f].uses)
            if (size_t(use.link) == l)
              sum += " + " + number(use.weight) + " " + getRate(n, f);
        if (!sum.empty())
          rows << sum << " <= " << number(network.links[l].capacity) << "\n";
      }
    }
    std::ofstream(file + ".lp")
        << "Maximize\n goal:" << goal.str() << "\nSubject To\n"
        << rows.str() << "End\n";
    std::string run =
        "glpsol --lp " + file + ".lp -w " + file + ".sol > /dev/null 2>&1";
    return std::system(run.c_str()) == 0 && read();
  }

  std::vector<double> levels;
  std::vector<std::vector<double>> rates;

private:
  bool read() {
    std::ifstream solution(file + ".sol");
    std::vector<double> values;
    bool isOptimal = false;
    for (std::string line; std::getline(solution, line);) {
      std::istringstream words(line);
      std::string kind, place, status;
      double value = 0;
      words >> kind >> place >> status >> value;
      if (kind == "j")
        values.push_back(value);
      isOptimal |=
          line.starts_with("s bas") && line.find(" f f ") != std::string::npos;
    }
    levels.clear();
    rates.clear();
    size_t place = 0;
    for (const Checked &own : all) {
      if (place + 1 + own.levels.size() > values.size())
        return false;
      levels.push_back(values[place++]);
      rates.emplace_back(values.begin() + long(place),
                         values.begin() + long(place + own.levels.size()));
      place += own.levels.size();
    }
    return isOptimal && place == values.size();
  }

  const std::vector<Checked> &all;
  std::string file;
};

/// Checks the levels of all networks at once.
void check(std::vector<Checked> all, const std::string &folder) {
  while (true) {
    std::erase_if(all, [](Checked &own) { return !own.findNext(); });
    if (all.empty())
      return;
    Program program(all, folder);
    ASSERT_TRUE(program.solve(/*areLevelsGiven=*/false));
    for (size_t n = 0; n < all.size(); ++n)
      ASSERT_NEAR(program.levels[n], all[n].next, all[n].next * 1e-7);
    // A slightly lower level, so that rounding keeps the program feasible.
    for (Checked &own : all)
      own.next *= 1 - 1e-10;
    ASSERT_TRUE(program.solve(/*areLevelsGiven=*/true));
    for (size_t n = 0; n < all.size(); ++n) {
      double most = 0, ours = 0;
      all[n].next /= 1 - 1e-10;
      for (size_t f = 0; f < all[n].levels.size(); ++f)
        if (all[n].isOn(all[n].levels[f])) {
          most += program.rates[n][f];
          ours += all[n].levels[f] / all[n].network.flows[f].penalty;
        }
      ASSERT_NEAR(most, ours, ours * 1e-7);
      all[n].below = all[n].next;
    }
  }
}

TEST(FairRatesLpTest, ThousandNetworks) {
  if (std::system("glpsol --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no glpsol here (glpk-utils)";
  std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                 ("moe-fair-rates-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::mt19937 random(4);
  constexpr int kNetworks = 1000, kTogether = 50;
  int numLevels = 0;
  for (int k = 0; k < kNetworks && !HasFatalFailure(); k += kTogether) {
    std::vector<Checked> all;
    for (int n = 0; n < kTogether; ++n) {
      Checked &own = all.emplace_back();
      own.network = drawNetwork(random, /*isExact=*/true);
      auto rates = getFairRates(own.network.links, own.network.flows);
      ASSERT_TRUE(bool(rates));
      for (size_t f = 0; f < rates->size(); ++f)
        own.levels.push_back((*rates)[f] * own.network.flows[f].penalty);
      for (Checked copy = own; copy.findNext(); copy.below = copy.next)
        ++numLevels;
    }
    check(std::move(all), folder);
  }
  std::filesystem::remove_all(folder);
  // Some networks have several levels.
  EXPECT_GT(numLevels, 2 * kNetworks);
}

} // namespace
