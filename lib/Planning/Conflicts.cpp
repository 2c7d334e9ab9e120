// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of a training step that share links.
//
// The pairs are from MoNTA's Fig. 11. The positions of an axis's ranks
// determine its links.

#include "moe/Planning/Conflicts.h"
#include "moe/Cost/Collectives.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Planning/Answers.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

namespace {

/// Two exchanges of one phase that may run concurrently. `needsSends` selects
/// the option that prevents this: waiting for stage sends, or for gradients.
struct PossiblePair {
  const char *phase;
  const char *first, *what, *second, *other;
  bool needsSends;
};

} // namespace

/// SPEC MO-12.
static constexpr PossiblePair kPairs[] = {
    {"fwd", "cp", "keys and values of an attention", "pp",
     "tokens of the micro-batch before", /*needsSends=*/true},
    {"bwd", "ep", "the experts' exchanges", "dp", "gradients of W1 and W3",
     /*needsSends=*/false},
    {"bwd", "cp", "keys and values of an attention", "dp",
     "gradient of Postlinear", /*needsSends=*/false},
    {"bwd", "pp", "gradient of the tokens", "dp", "gradients of QKV",
     /*needsSends=*/false}};

/// Returns the levels that messages between ranks of a group cross. Stages send
/// to the next stage only.
static std::vector<unsigned> findLevels(const cost::Machine &machine,
                                        const cost::RankGroups &groups,
                                        bool neighboursOnly) {
  SmallSet<unsigned, 4> crossed;
  auto add = [&](int64_t a, int64_t b) {
    for (auto [i, level] : enumerate(machine.levels))
      if (a / level.ranks == b / level.ranks) {
        crossed.insert(i);
        return;
      }
  };
  for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
    std::span<const int64_t> members = groups.getGroup(g);
    for (size_t i = 0; i < members.size(); ++i) {
      size_t end =
          neighboursOnly ? std::min(i + 2, members.size()) : members.size();
      for (size_t j = i + 1; j < end; ++j)
        add(members[i], members[j]);
    }
  }
  std::vector<unsigned> levels(crossed.begin(), crossed.end());
  sort(levels);
  return levels;
}

Result<ConflictsAnswer> moe::planning::planConflicts(ConflictsInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  Result<MeshDegrees> degrees = in.job.readDegrees({"tp", "ep"});
  if (!degrees)
    return degrees.getFailure();
  const auto &shape = degrees->shape;
  std::vector<ConflictAxis> axes = {{"dp", {degrees->getPlaceOfDp()}},
                                    {"pp", {degrees->getPlaceOfPp()}},
                                    {"cp", {2}},
                                    {"ep", degrees->expertAxes},
                                    {"tp", {4}}};
  for (ConflictAxis &axis : axes) {
    axis.size = cost::getGroupSize(shape, axis.places);
    axis.stride = cost::getStride(shape, axis.places.back());
    Result<cost::RankGroups> groups =
        cost::RankGroups::fromMesh(shape, axis.places);
    if (!groups)
      return groups.getFailure();
    if (groups->getRankLimit() > machine.getNumRanks())
      return makeFailure("--platform: expected a machine of at least " +
                         Twine(groups->getRankLimit()) +
                         " ranks, as many as the axes have together, got " +
                         machine.name + " of " + Twine(machine.getNumRanks()));
    axis.levels = findLevels(machine, *groups, axis.name == "pp");
    for (unsigned level : axis.levels)
      axis.links.push_back(machine.levels[level].name);
  }

  SmallVector<StringRef> order;
  StringRef(in.priorities.get()).split(order, ',');
  for (auto [i, name] : enumerate(order))
    if (!is_contained({"ep", "pp", "cp", "dp"}, name) ||
        is_contained(ArrayRef(order).take_front(i), name))
      return makeFailure("--priorities: expected some of ep, pp, cp and dp, "
                         "each once, got '" +
                         Twine(in.priorities) + "'");

  ConflictsAnswer answer;
  answer.machine = machine.name;
  answer.priorities = in.priorities;
  for (const PossiblePair &pair : kPairs) {
    ExchangePair met{pair.phase, pair.first, pair.what, pair.second,
                     pair.other, {},         "",        ""};
    auto find = [&](StringRef name) -> const ConflictAxis & {
      return *llvm::find_if(
          axes, [&](const ConflictAxis &axis) { return axis.name == name; });
    };
    const ConflictAxis &first = find(pair.first), &second = find(pair.second);
    for (unsigned level : first.levels)
      if (is_contained(second.levels, level))
        met.links.push_back(machine.levels[level].name);
    for (const ConflictAxis *axis : {&first, &second})
      if (axis->size == 1 && met.whyNot.empty())
        met.whyNot = axis->name + " has one rank";
    if (met.whyNot.empty() && pair.needsSends && in.sends == Waiting::Sync)
      met.whyNot = "stages wait for what they send";
    if (met.whyNot.empty() && !pair.needsSends && in.gradients == Waiting::Sync)
      met.whyNot = "gradients are summed behind the backward pass";
    if (met.whyNot.empty() && met.links.empty())
      met.whyNot = "no links in common";
    // An axis missing from the priorities has the highest one.
    auto getPlace = [&](StringRef name) {
      auto it = llvm::find(order, name);
      return it == order.end() ? 0 : it - order.begin();
    };
    if (met.whyNot.empty())
      met.goesFirst = getPlace(pair.second) < getPlace(pair.first) ? pair.second
                                                                   : pair.first;
    answer.pairs.push_back(std::move(met));
  }
  answer.axes.assign(axes.rbegin(), axes.rend());
  return answer;
}

std::string moe::planning::getTitle(const ConflictsAnswer &answer) {
  return "Conflicts on " + answer.machine;
}

void moe::planning::printJSON(json::OStream &out,
                              const ConflictsAnswer &answer) {
  out.attributeArray("axes", [&] {
    for (const ConflictAxis &axis : answer.axes)
      out.object([&] {
        out.attribute("axis", axis.name);
        out.attribute("size", axis.size);
        out.attribute("stride", axis.stride);
        printTexts(out, "links", axis.links);
      });
  });
  out.attributeArray("pairs", [&] {
    for (const ExchangePair &pair : answer.pairs)
      out.object([&] {
        out.attribute("phase", pair.phase);
        out.attribute("first", pair.first);
        out.attribute("first_what", pair.what);
        out.attribute("second", pair.second);
        out.attribute("second_what", pair.other);
        out.attribute("conflict", pair.whyNot.empty());
        if (!pair.whyNot.empty()) {
          out.attribute("why_not", pair.whyNot);
          return;
        }
        printTexts(out, "links", pair.links);
        out.attribute("goes_first", pair.goesFirst);
      });
  });
  out.attribute("priorities", answer.priorities);
}
