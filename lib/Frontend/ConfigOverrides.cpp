// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that override a config's.

#include "ModelFamily.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;

/// Performs the checks of the router's verifier. An error has the config's
/// position if no size of the router was replaced, and otherwise names the
/// option that helps.
static Error checkRouter(const ModelConfig &config,
                         const SizeOverrides &overrides) {
  bool isOwn = !overrides.numExperts && !overrides.topK &&
               !overrides.numGroups && !overrides.topGroups;
  auto fail = [&](const ConfigPlace &place, StringRef option,
                  const Twine &message) -> Error {
    if (isOwn && !place.file.empty())
      return make_error<ImportError>(place, message);
    return makeImportError(option + ": " + message);
  };
  auto failTopK = [&](const Twine &message) {
    return fail(config.topKPlace, "--top-k", message);
  };
  auto failCount = [&](const Twine &message) {
    return fail(config.groupCountPlace, "--num-groups", message);
  };
  auto failChosen = [&](const Twine &message) {
    return fail(config.chosenGroupsPlace, "--top-groups", message);
  };
  if (config.topK > config.getScoredExperts())
    return failTopK("expected at most the " + Twine(config.getScoredExperts()) +
                    " experts, got " + Twine(config.topK));
  if (config.getGate() == GateModule::Switch && config.topK != 1)
    return makeImportError("--gate=switch: expected one expert for each token, "
                           "got " +
                           Twine(config.topK) + "; --top-k=1 makes it one");
  if (!config.groups)
    return Error::success();
  auto [count, chosen] = *config.groups;
  if (count > 1 && config.identityExperts > 0)
    return failCount("expected 1 with " + Twine(config.identityExperts) +
                     " experts that give tokens back, which are of no group, "
                     "got " +
                     Twine(count));
  if (config.getGate() > GateModule::SqrtSoftplus && count > 1)
    return makeImportError(
        "--gate=" + getGateName(config.getGate()) +
        ": expected experts that form no groups, got " + Twine(count) +
        " groups of which " + Twine(chosen) +
        " are chosen from, as only softmax, sigmoid and sqrtsoftplus gates do; "
        "--num-groups=1 --top-groups=1 makes it one");
  if (config.numExperts % count != 0)
    return failCount("expected a divisor of the " + Twine(config.numExperts) +
                     " experts, got " + Twine(count));
  if (chosen > count)
    return failChosen("expected at most the " + Twine(count) +
                      " groups of experts, got " + Twine(chosen));
  int64_t groupSize = config.numExperts / count;
  if (chosen * groupSize < config.topK)
    return failChosen("expected groups that hold the top-k of " +
                      Twine(config.topK) + " experts, got " + Twine(chosen) +
                      " groups of " + Twine(groupSize));
  if (config.scores != ScoreFunction::Softmax && count > 1 && groupSize < 2)
    return failCount("expected groups of at least 2 experts, which a group's "
                     "score is the sum of, got " +
                     Twine(count) + " groups of 1");
  return Error::success();
}

Error moe::applyOverrides(ModelConfig &config, const SizeOverrides &overrides) {
  if (overrides.sharedFFNSize && config.sharedFFNSize == 0)
    return makeImportError("--shared-ffn-size: expected a model with a shared "
                           "expert, got " +
                           config.modelType + " without one");
  if ((overrides.numGroups || overrides.topGroups) && !config.groups)
    return makeImportError(
        Twine(overrides.numGroups ? "--num-groups" : "--top-groups") +
        ": expected a model that chooses experts by groups, got " +
        config.modelType + " that does not");

  auto replace = [](int64_t &size, std::optional<int64_t> by) {
    if (by)
      size = *by;
  };
  if (overrides.hiddenSize) {
    int64_t before = config.hiddenSize;
    auto follow = [&](int64_t &width) {
      // Both are below 2^31, so the product fits.
      width = std::min<int64_t>(
          llvm::divideCeil(width * *overrides.hiddenSize, before), kMaxSize);
    };
    for (std::optional<AttentionWidths> *widths :
         {&config.attention, &config.slidingAttention})
      if (*widths)
        for (int64_t *width :
             {&(*widths)->query, &(*widths)->keyValue, &(*widths)->value,
              &(*widths)->output, &(*widths)->queryLatent, &(*widths)->latent,
              &(*widths)->rotary})
          follow(*width);
    follow(config.denseFFNSize);
    follow(config.expertWidth);
  }
  replace(config.hiddenSize, overrides.hiddenSize);
  replace(config.expertFFNSize, overrides.expertFFNSize);
  replace(config.numExperts, overrides.numExperts);
  replace(config.topK, overrides.topK);
  if (config.groups) {
    replace(config.groups->count, overrides.numGroups);
    replace(config.groups->chosen, overrides.topGroups);
  }
  if (overrides.sharedFFNSize) {
    config.sharedFFNSize = *overrides.sharedFFNSize;
  } else if (overrides.expertFFNSize && config.numSharedExperts > 0) {
    if (MulOverflow(config.numSharedExperts, config.expertFFNSize,
                    config.sharedFFNSize) ||
        config.sharedFFNSize > kMaxSize)
      return makeImportError(
          "--expert-ffn-size: expected shared experts of at most " +
          Twine(kMaxSize) + " hidden elements together, got " +
          Twine(config.numSharedExperts) + " of " +
          Twine(config.expertFFNSize));
  }
  return checkRouter(config, overrides);
}
