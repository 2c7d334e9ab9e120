// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of context-parallel ranks relative to expert-parallel ranks.

#include "moe/Planning/Expand.h"
#include "moe/Planning/Answers.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

Result<ExpandAnswer> moe::planning::planExpand(ExpandInput &in) {
  Result<MeshDegrees> degrees = in.job.readDegrees({"tp", "ep", "cp"});
  if (!degrees)
    return degrees.getFailure();
  auto [outer, inner, c, e, t] = degrees->shape;
  // SPEC MO-13.
  std::optional<int64_t> most;
  if (auto failure = in.ports.readIfSet(most))
    return *failure;
  int64_t across = 0;
  bool overflows = MulOverflow(c, e, across);
  bool fits = !overflows && (!most || across <= *most);
  bool isHorizontal = c < e && fits;
  int64_t along = std::max(c, e);
  std::string why =
      isHorizontal ? "fewer context-parallel ranks than expert-parallel ones"
      : c < e      ? "a switch for " + std::to_string(c) + " x " +
                    std::to_string(e) + " ranks is wanted beside each other"
              : "as many context-parallel ranks as expert-parallel ones, "
                "or more";
  if (!isHorizontal) {
    if (along % std::min(c, e) != 0)
      return makeFailure("--cp: expected a divisor or a multiple of --ep " +
                         Twine(e) + ", as both lie along the same ranks, got " +
                         Twine(c));
    if (most && along > *most)
      return makeFailure("--switch-ports: expected at least " + Twine(along) +
                         ", as many as the larger of --ep and --cp, got " +
                         Twine(*most));
  }
  int64_t width = isHorizontal ? across : along, total = t;
  for (int64_t factor : {width, inner, outer})
    if (MulOverflow(total, factor, total) || total > IntegerRange::kMaxSize)
      return makeFailure("--tp: expected at most " +
                         Twine(IntegerRange::kMaxSize) +
                         " ranks in all, got more");
  ExpandAnswer answer;
  answer.isHorizontal = isHorizontal;
  answer.why = std::move(why);
  answer.ports = width;
  answer.ranks = total;
  answer.groups = {{"tp", t, 1},
                   {"ep", e, t},
                   {"cp", c, isHorizontal ? t * e : t},
                   {"pp", inner, t * width},
                   {"dp", outer, t * width * inner}};
  if (degrees->stagesOutermost)
    std::swap(answer.groups[3].axis, answer.groups[4].axis);
  return answer;
}

std::string moe::planning::getTitle(const ExpandAnswer &) {
  return "Context- beside expert-parallel ranks";
}

void moe::planning::printJSON(json::OStream &out, const ExpandAnswer &answer) {
  out.attribute("expansion", answer.getExpansion());
  out.attribute("why", answer.why);
  out.attribute("ports", answer.ports);
  out.attribute("ranks", answer.ranks);
  out.attributeArray("groups", [&] {
    for (const RankStride &group : answer.groups)
      out.object([&] {
        out.attribute("axis", group.axis);
        out.attribute("size", group.size);
        out.attribute("stride", group.stride);
      });
  });
}
