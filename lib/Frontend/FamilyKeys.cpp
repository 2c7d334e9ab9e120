// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of a family.

#include "FamilyConfigReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;

void FamilyConfigReader::forEachTerm(
    function_ref<void(ArrayRef<std::string> keys)> visit) const {
  const ModelFamily &f = family;
  for (const ConfigTerm<int64_t> *term : {&f.hiddenSize,
                                          &f.numLayers,
                                          &f.topK,
                                          &f.numExperts,
                                          &f.expertFFNSize,
                                          &f.denseFFNSize,
                                          &f.expertFFNFactor,
                                          &f.sharedFFNSize,
                                          &f.sharedExperts,
                                          &f.sharedExpertSize,
                                          &f.identityExperts,
                                          &f.expertWidth,
                                          &f.firstMoELayer,
                                          &f.lastMoELayer,
                                          &f.moeLayerStep,
                                          &f.moeLayerOffset,
                                          &f.attentions,
                                          &f.denseNetworks,
                                          &f.groups,
                                          &f.topGroups,
                                          &f.normalizePower,
                                          &f.heads,
                                          &f.kvHeads,
                                          &f.headDim,
                                          &f.valueHeadDim,
                                          &f.slidingHeads,
                                          &f.slidingKVHeads,
                                          &f.slidingHeadDim,
                                          &f.slidingValueHeadDim})
    visit(term->keys);
  for (const ConfigTerm<bool> *term :
       {&f.sharedGate, &f.gated, &f.selectionBias, &f.routerBias,
        &f.expertBiases, &f.weighsInputs, &f.normalize, &f.normalizeSingle,
        &f.scaleNormalized, &f.hasAttention, &f.isLatent})
    visit(term->keys);
  for (const ConfigTerm<std::string> *term :
       {&f.activation, &f.scores, &f.method})
    visit(term->keys);
  for (const ConfigTerm<double> *term : {&f.activationLimit, &f.scale})
    visit(term->keys);
}

void FamilyConfigReader::markKnown() {
  auto mark = [&](ArrayRef<std::string> keys) {
    for (const std::string &key : keys)
      in.markRead(key);
  };
  forEachTerm(mark);
  // If the latent width has a default, the family also reads the other keys of
  // latent attention. Other families read them only if the config has the
  // width.
  mark(family.latent.keys);
  if (family.latent.constant)
    for (const ConfigTerm<int64_t> *term :
         {&family.queryLatent, &family.nopeHeadDim, &family.rotaryHeadDim,
          &family.latentValueHeadDim})
      mark(term->keys);
  for (const auto *list :
       {&family.moeLayers, &family.moeLayerFlags, &family.denseLayers,
        &family.layerPattern.keys, &family.slidingLayerFlags, &family.ignored})
    mark(*list);
  for (const FixedKey &key : family.fixed)
    in.markRead(key.key);
  for (const ModelFamily::ConditionalPhrase &phrase : family.leavesOutIf)
    mark(phrase.keys);
}

bool FamilyConfigReader::areEqual(const JsonValue &a, const JsonValue &b) {
  return a.kind == b.kind &&
         moe::support::formatJson(a) == moe::support::formatJson(b);
}

void FamilyConfigReader::checkSynonyms() {
  // A key that several terms use is not a synonym. For example, an expert may
  // have the size of a dense network if no other key has its size.
  llvm::StringMap<int> uses;
  forEachTerm([&](ArrayRef<std::string> keys) {
    for (const std::string &key : keys)
      ++uses[key];
  });
  forEachTerm([&](ArrayRef<std::string> keys) {
    const JsonValue *first = nullptr;
    StringRef firstKey;
    for (const std::string &key : keys) {
      const JsonValue *value = in.find(key);
      if (!value || uses[key] > 1)
        continue;
      if (first && !areEqual(*first, *value))
        in.fail(key, "expected the value of '" + firstKey +
                         "', which stands for the same, " + first->describe() +
                         ", got " + value->describe());
      if (!first) {
        first = value;
        firstKey = key;
      }
    }
  });
}

void FamilyConfigReader::checkFixed() {
  for (const auto &[key, values] : family.fixed) {
    const JsonValue *value = in.find(key);
    if (!value || llvm::any_of(values, [&](const JsonValue &known) {
          return areEqual(known, *value);
        }))
      continue;
    std::vector<std::string> known;
    for (const JsonValue &one : values)
      known.push_back(moe::support::formatJson(one));
    in.fail(key, "expected " + llvm::join(known, " or ") +
                     ", the only case that is known here, got " +
                     value->describe());
  }
}
