// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of `conflicts`, `expand`, `flags` and `limits` as text.

#include "Printing.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;

void moe::plan::printConflictsText(raw_ostream &os, const ConflictsInput &,
                                   const ConflictsAnswer &answer) {
  os << "axis  ranks  stride  links\n";
  for (const ConflictAxis &axis : answer.axes)
    os << left_justify(axis.name, 6)
       << right_justify(std::to_string(axis.size), 5)
       << right_justify(std::to_string(axis.stride), 8) << "  "
       << (axis.links.empty() ? "-" : join(axis.links, ", ")) << "\n";
  os << "\n";
  for (const ExchangePair &pair : answer.pairs) {
    os << pair.phase << "  " << pair.first << " (" << pair.what << ") and "
       << pair.second << " (" << pair.other << "): ";
    if (pair.whyNot.empty())
      os << "meet on " << join(pair.links, ", ") << "; " << pair.goesFirst
         << " goes first\n";
    else
      os << "no conflict, " << pair.whyNot << "\n";
  }
  os << "\nIn a program: moe-opt --moe-compile=\"to=schedule priorities="
     << answer.priorities << "\"\n";
}

void moe::plan::printExpandText(raw_ostream &os, const ExpandInput &,
                                const ExpandAnswer &answer) {
  os << answer.getExpansion() << ": " << answer.why << "\n"
     << "ranks          " << answer.ranks << "\n"
     << "switch ports   " << answer.ports
     << ", for each place in a tensor-parallel "
     << "group\n\naxis  ranks of the group of rank 0\n";
  for (const RankStride &group : answer.groups) {
    os << group.axis << "   ";
    for (int64_t i = 0; i < std::min<int64_t>(group.size, 4); ++i)
      os << " " << i * group.stride;
    if (group.size > 5)
      os << " ...";
    if (group.size > 4)
      os << " " << (group.size - 1) * group.stride;
    os << "\n";
  }
}

void moe::plan::printFlagsText(raw_ostream &os, const FlagsInput &,
                               const FlagsAnswer &answer) {
  for (ParallelismPreset framework : answer.frameworks) {
    os << (framework == answer.frameworks.front() ? "" : "\n") << "| "
       << getFrameworkName(framework) << " | ours |\n|---|---|\n";
    for (const FrameworkFlag &flag : getFrameworkFlags(framework))
      os << "| `" << formatFlag(flag) << "` | " << flag.ours << " |\n";
  }
}

void moe::plan::printLimitsText(raw_ostream &os, const LimitsInput &,
                                const LimitsAnswer &answer) {
  os << "| of | jobs | left out |\n|---|---|---|\n";
  for (const Limit &limit : answer.limits)
    os << "| " << getEnumName(limit.of) << " | " << limit.jobs << " | "
       << limit.what << " |\n";
}
