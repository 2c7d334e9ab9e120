// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan conflicts.
//
// What runs beside what is MoNTA's Fig. 11; which links it crosses follows from
// where the ranks of an axis lie.

#include "Commands.h"
#include "ConfigJob.h"
#include "moe/Cost/Collectives.h"
#include "moe/Support/EnumNames.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

/// Whether somebody waits for an exchange before anything else is done.
enum class Waiting { Sync, Async };

} // namespace

template <> struct moe::EnumNames<Waiting> {
  static constexpr EnumName<Waiting> all[] = {
      {Waiting::Async, "async",
       "concurrently with the following work (default)"},
      {Waiting::Sync, "sync", "before the following work"}};
};

namespace {

class ConflictsCommand : public Command {
public:
  ConflictsCommand()
      : Command("conflicts", "Find exchanges of a training step that share "
                             "links, and their priorities") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform{table};
  /// Without --config, degrees alone.
  ConfigJob job{table,
                {JobOptions::Missing::Command, JobOptions::Missing::One}};
  WordOption<Waiting> sends{table, "stage-sends",
                            "When pipeline stages send to each other",
                            Waiting::Async};
  WordOption<Waiting> gradients{table, "gradient-sums",
                                "When gradients are all-reduced over dp, "
                                "relative to the backward pass",
                                Waiting::Async};
  TextOption priorities{
      table, "priorities",
      "Parallelism axes, highest priority first (default: ep,pp,cp,dp)", "AXES",
      "ep,pp,cp,dp"};
  AnswerOptions answers{subCommand};
};

/// A kind of parallelism, the axes of the mesh [dp, pp, cp, ep, tp] that its
/// groups are over, and the levels that they cross.
struct Axis {
  StringRef name;
  std::vector<unsigned> places;
  int64_t size = 1, stride = 1;
  std::vector<unsigned> levels = {};
};

/// Two exchanges of one phase that would run at once. Each on its axis, and
/// what the second one waits for where it does not run beside the first.
struct Pair {
  const char *phase;
  const char *first, *what, *second, *other;
  bool needsSends;
};

} // namespace

/// SPEC MO-12.
static constexpr Pair kPairs[] = {
    {"fwd", "cp", "keys and values of an attention", "pp",
     "tokens of the micro-batch before", /*needsSends=*/true},
    {"bwd", "ep", "the experts' exchanges", "dp", "gradients of W1 and W3",
     /*needsSends=*/false},
    {"bwd", "cp", "keys and values of an attention", "dp",
     "gradient of Postlinear", /*needsSends=*/false},
    {"bwd", "pp", "gradient of the tokens", "dp", "gradients of QKV",
     /*needsSends=*/false}};

/// The levels that messages between ranks of a group cross: of stages those to
/// the next one only.
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

std::optional<Failure> ConflictsCommand::run(raw_ostream &os) {
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  Result<MeshDegrees> degrees = job.readDegrees({"tp", "ep"});
  if (!degrees)
    return degrees.getFailure();
  const auto &shape = degrees->shape;
  Axis axes[] = {{"dp", {degrees->getPlaceOfDp()}},
                 {"pp", {degrees->getPlaceOfPp()}},
                 {"cp", {2}},
                 {"ep", degrees->expertAxes},
                 {"tp", {4}}};
  for (Axis &axis : axes) {
    for (unsigned place : axis.places)
      axis.size *= shape[place];
    for (size_t i = axis.places.back() + 1; i < shape.size(); ++i)
      axis.stride *= shape[i];
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
  }

  SmallVector<StringRef> order;
  StringRef(priorities).split(order, ',');
  for (auto [i, name] : enumerate(order))
    if (!is_contained({"ep", "pp", "cp", "dp"}, name) ||
        is_contained(ArrayRef(order).take_front(i), name))
      return makeFailure("--priorities: expected some of ep, pp, cp and dp, "
                         "each once, got '" +
                         Twine(priorities) + "'");

  struct Answer {
    const Pair &pair;
    std::vector<StringRef> links;
    StringRef goesFirst;
    std::string whyNot;
  };
  std::vector<Answer> answers;
  for (const Pair &pair : kPairs) {
    Answer answer{pair, {}, "", ""};
    auto find = [&](StringRef name) -> const Axis & {
      return *llvm::find_if(
          axes, [&](const Axis &axis) { return axis.name == name; });
    };
    const Axis &first = find(pair.first), &second = find(pair.second);
    for (unsigned level : first.levels)
      if (is_contained(second.levels, level))
        answer.links.push_back(machine.levels[level].name);
    for (const Axis *axis : {&first, &second})
      if (axis->size == 1 && answer.whyNot.empty())
        answer.whyNot = (axis->name + " has one rank").str();
    if (answer.whyNot.empty() && pair.needsSends && sends == Waiting::Sync)
      answer.whyNot = "stages wait for what they send";
    if (answer.whyNot.empty() && !pair.needsSends && gradients == Waiting::Sync)
      answer.whyNot = "gradients are summed behind the backward pass";
    if (answer.whyNot.empty() && answer.links.empty())
      answer.whyNot = "no links in common";
    // An axis that nobody names goes with the first.
    auto getPlace = [&](StringRef name) {
      auto it = llvm::find(order, name);
      return it == order.end() ? 0 : it - order.begin();
    };
    if (answer.whyNot.empty())
      answer.goesFirst = getPlace(pair.second) < getPlace(pair.first)
                             ? pair.second
                             : pair.first;
    answers.push_back(std::move(answer));
  }

  auto nameLevels = [&](const Axis &axis) {
    std::vector<StringRef> names;
    for (unsigned level : axis.levels)
      names.push_back(machine.levels[level].name);
    return names;
  };
  Result<bool> isAnswered = this->answers.answer(
      os, "Conflicts on " + machine.name, [&](json::OStream &out) {
        out.attributeArray("axes", [&] {
          for (const Axis &axis : reverse(axes))
            out.object([&] {
              out.attribute("axis", axis.name);
              out.attribute("size", axis.size);
              out.attribute("stride", axis.stride);
              out.attribute("links", json::Array(nameLevels(axis)));
            });
        });
        out.attributeArray("pairs", [&] {
          for (const Answer &answer : answers)
            out.object([&] {
              out.attribute("phase", answer.pair.phase);
              out.attribute("first", answer.pair.first);
              out.attribute("first_what", answer.pair.what);
              out.attribute("second", answer.pair.second);
              out.attribute("second_what", answer.pair.other);
              out.attribute("conflict", answer.whyNot.empty());
              if (!answer.whyNot.empty()) {
                out.attribute("why_not", answer.whyNot);
                return;
              }
              out.attribute("links", json::Array(answer.links));
              out.attribute("goes_first", answer.goesFirst);
            });
        });
        out.attribute("priorities", StringRef(priorities));
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << "axis  ranks  stride  links\n";
  for (const Axis &axis : reverse(axes))
    os << left_justify(axis.name, 6)
       << right_justify(std::to_string(axis.size), 5)
       << right_justify(std::to_string(axis.stride), 8) << "  "
       << (axis.levels.empty() ? "-" : join(nameLevels(axis), ", ")) << "\n";
  os << "\n";
  for (const Answer &answer : answers) {
    const Pair &pair = answer.pair;
    os << pair.phase << "  " << pair.first << " (" << pair.what << ") and "
       << pair.second << " (" << pair.other << "): ";
    if (answer.whyNot.empty())
      os << "meet on " << join(answer.links, ", ") << "; " << answer.goesFirst
         << " goes first\n";
    else
      os << "no conflict, " << answer.whyNot << "\n";
  }
  os << "\nIn a program: moe-opt --moe-compile=\"to=schedule priorities="
     << priorities << "\"\n";
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createConflictsCommand() {
  return std::make_unique<ConflictsCommand>();
}
