// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other links would change.

#include "moe/Compiler/LinkSensitivity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace moe;

/// The levels whose links are varied.
template <typename Levels>
static auto getVaried(Levels levels, const LinkRange &range) {
  return range.varied == VariedLinks::Inside ? levels.take_front()
                                             : levels.drop_front();
}

/// A machine whose varied links are `factor` times as fast.
static cost::Machine scaleLinks(const cost::Machine &machine,
                                const LinkRange &range, double factor) {
  cost::Machine scaled = machine;
  if (range.number) {
    range.number->multiply(scaled, factor);
    return scaled;
  }
  for (cost::Level &level : getVaried(MutableArrayRef(scaled.levels), range)) {
    level.bandwidth = level.bandwidth * factor;
    if (level.portRate)
      level.portRate = *level.portRate * factor;
    for (std::optional<cost::CollectiveFit> &fit : level.fits)
      if (fit) {
        fit->beta = fit->beta / factor;
        for (cost::CollectiveFit &other : fit->others)
          other.beta = other.beta / factor;
      }
  }
  return scaled;
}

/// Four digits that count, which serve toy machines and real ones.
static std::string formatNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", number);
  // Without an exponent where a person reads it at once.
  if (number >= 1e4 && number < 1e9)
    std::snprintf(text, sizeof(text), "%.0f", std::strtod(text, nullptr));
  return text;
}

/// What `scaleLinks` changes by a factor, in the words of a platform's file:
/// the bandwidth of the one level where that is all, else the factor with the
/// keys that it is on. A measured line stands for its collective whatever the
/// bandwidth.
static std::string describeLinks(const cost::Machine &machine,
                                 const LinkRange &range, double factor) {
  auto describeOne = [&](StringRef name, double value, StringRef unit) {
    return llvm::formatv("{0} at {1}{2} instead of {3}", name,
                         formatNumber(value * factor), unit,
                         formatNumber(value))
        .str();
  };
  if (range.number)
    return describeOne(range.number->key, *range.number->get(machine), "");
  ArrayRef<cost::Level> varied = getVaried(ArrayRef(machine.levels), range);
  bool isMeasured = llvm::any_of(varied, [](const cost::Level &level) {
    return llvm::any_of(level.fits, [](auto &fit) { return fit.has_value(); });
  });
  bool hasPort = llvm::any_of(varied, [](const cost::Level &level) {
    return level.portRate.has_value();
  });
  if (varied.size() == 1 && !isMeasured && !hasPort)
    return describeOne(varied[0].name, varied[0].bandwidth.value(), " GB/s");
  std::vector<std::string> names;
  for (const cost::Level &level : varied)
    names.push_back(level.name);
  return llvm::formatv("{0} {1} times as fast (bandwidth_GBps{2} times {1}{3})",
                       llvm::join(names, " and "), formatNumber(factor),
                       hasPort ? " and port_GBps" : "",
                       isMeasured ? ", beta_us_per_byte of measured lines over "
                                    "as much"
                                  : "");
}

namespace {

/// A speed of the links from which on something else is chosen.
struct Change {
  double factor;
  LinkChoice choice;
};

} // namespace

/// The speed between two, of which only the first has a choice of a kind, from
/// which on another has it.
static FailureOr<Change> findChange(const cost::Machine &machine,
                                    StringRef kind, double near, Change far,
                                    FindChoice findChoice,
                                    const LinkRange &range) {
  while (std::max(near / far.factor, far.factor / near) >
         1 + 1 / range.precision) {
    double middle = std::sqrt(near * far.factor);
    FailureOr<LinkChoice> choice =
        findChoice(scaleLinks(machine, range, middle), middle);
    if (failed(choice))
      return failure();
    if (choice->kind == kind)
      near = middle;
    else
      far = {middle, *choice};
  }
  return far;
}

/// The choices with links 2^power times as fast, by power. The fastest links
/// come first: what takes long with them takes no less with slower ones.
static FailureOr<std::map<int, LinkChoice>>
scanPowers(const cost::Machine &machine, FindChoice findChoice,
           const LinkRange &range) {
  std::map<int, LinkChoice> choices;
  for (int power = range.maxPower; power >= -range.maxPower; --power) {
    if (power == 0)
      continue;
    double factor = std::ldexp(1, power);
    FailureOr<LinkChoice> choice =
        findChoice(scaleLinks(machine, range, factor), factor);
    if (failed(choice))
      return failure();
    choices[power] = std::move(*choice);
  }
  return choices;
}

/// Where the choice changes, from the machine's own links on, faster ones
/// (`step` 1) or slower (-1).
static FailureOr<std::vector<Change>>
findChanges(const cost::Machine &machine, StringRef chosen,
            const std::map<int, LinkChoice> &choices, FindChoice findChoice,
            const LinkRange &range, int step) {
  std::vector<Change> changes;
  double near = 1;
  std::string kind = chosen.str();
  for (int power = step; choices.contains(power); power += step) {
    Change far{std::ldexp(1, power), choices.at(power)};
    // Choices of neither's kind in between are passed on the way.
    while (far.choice.kind != kind) {
      FailureOr<Change> change =
          findChange(machine, kind, near, far, findChoice, range);
      if (failed(change))
        return failure();
      near = change->factor;
      kind = change->choice.kind;
      changes.push_back(std::move(*change));
      if (int(changes.size()) == range.maxChanges)
        return changes;
    }
    near = far.factor;
  }
  return changes;
}

/// What of the choice is made again.
static std::string describeAnew(const LinkRange &range) {
  switch (range.doneAnew) {
  case DoneAnew::All:
    return "compiled anew";
  case DoneAnew::Planned:
    return (range.planned + ", tasks as they are").str();
  case DoneAnew::Nothing:
    return "both as planned for these links";
  }
  llvm_unreachable("unknown");
}

/// Whether a machine has what is varied.
static bool hasVaried(const cost::Machine &machine, const LinkRange &range) {
  return range.number ? range.number->get(machine).has_value()
                      : machine.levels.size() > 1;
}

/// "OTHER would be chosen with LINKS (compiled anew)".
static std::string describeChange(const cost::Machine &machine,
                                  const LinkRange &range,
                                  const Change &change) {
  return llvm::formatv(
      "{0} would be {1} with {2} ({3}{4})", change.choice.name,
      range.doneAnew == DoneAnew::Nothing ? "faster" : "chosen",
      describeLinks(machine, range, change.factor), describeAnew(range),
      change.choice.isTie
          ? ", as fast there as the best of what is chosen here, and simpler"
          : "");
}

LogicalResult moe::addLinkChanges(const cost::Machine &machine,
                                  StringRef chosen, FindChoice findChoice,
                                  Decision &decision, LinkRange range) {
  if (!hasVaried(machine, range))
    return success();
  FailureOr<std::map<int, LinkChoice>> choices =
      scanPowers(machine, findChoice, range);
  if (failed(choices))
    return failure();
  std::vector<std::string> parts;
  for (int step : {-1, 1}) {
    FailureOr<std::vector<Change>> changes =
        findChanges(machine, chosen, *choices, findChoice, range, step);
    if (failed(changes))
      return failure();
    for (const Change &change : *changes)
      parts.push_back(describeChange(machine, range, change));
  }
  if (parts.empty()) {
    double most = std::ldexp(1, range.maxPower);
    parts.push_back(llvm::formatv(
        "the choice is the same from {0} to {1} (tried in doublings, {2})",
        describeLinks(machine, range, 1 / most),
        describeLinks(machine, range, most),
        describeAnew(range)));
  }
  llvm::append_range(decision.changes, parts);
  decision.changesBy = range.doneAnew == DoneAnew::All ? "compiled anew"
                       : range.doneAnew == DoneAnew::Planned
                           ? range.planned.str()
                           : "as planned";
  return success();
}
