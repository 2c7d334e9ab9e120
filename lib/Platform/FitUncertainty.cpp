// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uncertainty of fitted lines.

#include "FitUncertainty.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using cost::formatNumber;

static constexpr std::string_view kLine =
    "fitted to nccl-tests: the root mean square of what the line of ";
static constexpr std::string_view kOfRanks = " ranks at level '";

std::string moe::platform::describe(const FitReport &report) {
  return std::string(getName(report.kind)) + " of " +
         std::to_string(report.numRanks) + std::string(kOfRanks) +
         report.level + "'";
}

/// Returns true if lines of the collective at this level were fitted, which
/// replace all of the base's lines for it.
static bool isFitted(const FitResult &result, CollectiveKind kind,
                     std::string_view level) {
  return std::any_of(result.reports.begin(), result.reports.end(),
                     [&](const FitReport &report) {
                       return report.kind == kind && report.level == level;
                     });
}

/// Returns true if the origin is that of a line that has been fitted again.
static bool isOfFitted(const FitResult &result, std::string_view origin) {
  if (!origin.starts_with(kLine))
    return false;
  origin.remove_prefix(kLine.size());
  return std::any_of(
      result.reports.begin(), result.reports.end(),
      [&](const FitReport &report) {
        return origin.starts_with(std::string(getName(report.kind)) + " of ") &&
               origin.find(std::string(kOfRanks) + report.level + "'") !=
                   origin.npos;
      });
}

void moe::platform::setUncertainty(Machine &machine, FitResult &result) {
  auto worst =
      std::max_element(result.reports.begin(), result.reports.end(),
                       [](const FitReport &a, const FitReport &b) {
                         return a.line->typicalError < b.line->typicalError;
                       });
  double error = std::round(1e4 * worst->line->typicalError) / 1e4;
  if (error > kMostUncertain)
    result.warnings.push_back(
        "the line of " + describe(*worst) + " is off by " +
        formatNumber(std::round(100 * error)) + " %, an uncertainty of " +
        formatNumber(kMostUncertain) +
        " is written: a line does not describe what was measured");
  error = std::min(error, kMostUncertain);
  double before = machine.uncertainty.value;
  bool isReplaced = isOfFitted(result, machine.uncertainty.origin);
  if (error <= before && !isReplaced)
    return;
  machine.uncertainty = {error, std::string(kLine) + describe(*worst) +
                                    " is off by, the most of all lines"};
  if (error >= before)
    return;
  // The uncertainty decreases, but the errors of the lines that stay are not
  // recorded.
  for (const Level &level : machine.levels)
    for (unsigned kind = 0; kind < level.fits.size(); ++kind)
      if (level.fits[kind] &&
          level.fits[kind]->origin.starts_with("fitted to nccl-tests") &&
          !isFitted(result, CollectiveKind(kind), level.name)) {
        machine.uncertainty.origin =
            std::string(kLine) + describe(*worst) +
            " is off by, the most of the lines that were fitted last";
        result.warnings.push_back(
            "the uncertainty of " + formatNumber(before) +
            " was that of a line that is fitted anew, and is now " +
            formatNumber(error) + "; that of the lines that stay is not known "
            "but to be at most the former: fit all logs at once to have it");
        return;
      }
}
