// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sensitivity of decisions to link speeds.

#include "moe/Compiler/LinkSensitivity.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace moe;

/// Returns the levels with scaled links.
template <typename Levels>
static auto getVaried(Levels levels, const LinkRange &range) {
  return range.varied == VariedLinks::Inside ? levels.take_front()
                                             : levels.drop_front();
}

/// Returns a machine with links that are `factor` times as fast.
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

/// Formats four significant digits, for small test machines and real ones,
/// without an exponent for numbers that are easy to read.
static std::string formatSpeed(double number) {
  std::string text = cost::formatDigits(number, 4);
  return number >= 1e4 && number < 1e9
             ? cost::formatFixed(std::strtod(text.c_str(), nullptr), 0)
             : text;
}

/// Describes the changes of `scaleLinks` with the keys of a platform file: the
/// bandwidth if only one level changes, otherwise the factor and its keys. A
/// measured curve replaces the bandwidth for its collective.
static std::string describeLinks(const cost::Machine &machine,
                                 const LinkRange &range, double factor) {
  auto describeOne = [&](StringRef name, double value, StringRef unit) {
    return llvm::formatv("{0} at {1}{2} instead of {3}", name,
                         formatSpeed(value * factor), unit, formatSpeed(value))
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
                       llvm::join(names, " and "), formatSpeed(factor),
                       hasPort ? " and port_GBps" : "",
                       isMeasured ? ", beta_us_per_byte of measured lines over "
                                    "as much"
                                  : "");
}

namespace {

/// A link speed that changes the choice.
struct Change {
  double factor;
  LinkChoice choice;
};

class SpeedScan {
public:
  SpeedScan(const cost::Machine &machine, StringRef chosen,
            FindChoice findChoice, const LinkRange &range)
      : machine(machine), chosen(chosen), findChoice(findChoice), range(range) {
  }

  /// Finds the changes from the machine's own links to faster ones (`step` 1)
  /// or slower ones (-1).
  FailureOr<std::vector<Change>> findChanges(int step);

  /// Evaluates the choice for all powers, beginning with the fastest links:
  /// candidates that are slow with these are no faster with slower links.
  LogicalResult makeAll();

private:
  FailureOr<LinkChoice> choose(double factor, ArrayRef<StringRef> kinds = {}) {
    return findChoice(scaleLinks(machine, range, factor), factor, kinds);
  }
  /// Returns the choice with links 2^power times as fast.
  FailureOr<LinkChoice> chooseAtPower(int power);
  /// Bisects between a speed with the choice `kind` and one with another
  /// choice, comparing only these two kinds.
  LogicalResult narrow(StringRef kind, double &near, Change &far);
  FailureOr<Change> findChange(StringRef kind, double near, Change far);

  const cost::Machine &machine;
  StringRef chosen;
  FindChoice findChoice;
  const LinkRange &range;
  std::map<int, LinkChoice> byPower;
};

FailureOr<LinkChoice> SpeedScan::chooseAtPower(int power) {
  auto known = byPower.find(power);
  if (known != byPower.end())
    return known->second;
  FailureOr<LinkChoice> choice = choose(std::ldexp(1, power));
  if (succeeded(choice))
    byPower[power] = *choice;
  return choice;
}

LogicalResult SpeedScan::makeAll() {
  for (int power = range.maxPower; power >= -range.maxPower; --power)
    if (power != 0 && failed(chooseAtPower(power)))
      return failure();
  return success();
}

LogicalResult SpeedScan::narrow(StringRef kind, double &near, Change &far) {
  const std::string other = far.choice.kind;
  while (std::max(near / far.factor, far.factor / near) >
         1 + 1 / range.precision) {
    double middle = std::sqrt(near * far.factor);
    FailureOr<LinkChoice> choice = choose(middle, {kind, other});
    if (failed(choice))
      return failure();
    if (choice->kind == kind)
      near = middle;
    else
      far = {middle, *choice};
  }
  return success();
}

/// Returns the speed between two speeds that changes the choice from `kind` to
/// another one; only the first has `kind`. The bisection compares few kinds, so
/// both ends are then checked against all kinds, and another kind found there
/// is searched for in turn.
FailureOr<Change> SpeedScan::findChange(StringRef kind, double near,
                                        Change far) {
  while (true) {
    const double knownNear = near;
    const Change known = far;
    if (failed(narrow(kind, near, far)))
      return failure();
    if (near != knownNear) {
      FailureOr<LinkChoice> choice = choose(near);
      if (failed(choice))
        return failure();
      if (choice->kind != kind) {
        far = {near, *choice};
        near = knownNear;
        continue;
      }
    }
    if (far.factor == known.factor)
      return far;
    FailureOr<LinkChoice> choice = choose(far.factor);
    if (failed(choice))
      return failure();
    if (choice->kind != kind) {
      far.choice = *choice;
      return far;
    }
    // Among all choices, the first kind is still chosen there.
    near = far.factor;
    far = known;
  }
}

FailureOr<std::vector<Change>> SpeedScan::findChanges(int step) {
  std::vector<Change> changes;
  double near = 1;
  std::string kind = chosen.str();
  for (int power = step; std::abs(power) <= range.maxPower; power += step) {
    FailureOr<LinkChoice> choice = chooseAtPower(power);
    if (failed(choice))
      return failure();
    Change far{std::ldexp(1, power), *choice};
    // Other kinds between the two are found on the way.
    while (far.choice.kind != kind) {
      FailureOr<Change> change = findChange(kind, near, far);
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

} // namespace

/// Returns a description of the repeated work.
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

static bool hasVaried(const cost::Machine &machine, const LinkRange &range) {
  return range.number ? range.number->get(machine).has_value()
                      : machine.levels.size() > 1;
}

/// Returns, for example, "OTHER would be chosen with LINKS (compiled anew)".
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
  SpeedScan scan(machine, chosen, findChoice, range);
  // A list of several changes needs most powers anyway.
  if (range.maxChanges > 1 && failed(scan.makeAll()))
    return failure();
  std::vector<std::string> parts;
  for (int step : {-1, 1}) {
    FailureOr<std::vector<Change>> changes = scan.findChanges(step);
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
