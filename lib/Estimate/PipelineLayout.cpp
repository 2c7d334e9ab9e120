// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipeline layouts in Megatron's syntax.

#include "moe/Estimate/Step.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::estimate;

using Text = cost::Result<std::string>;

/// More letters than any layout has.
static constexpr size_t kMostLetters = 1 << 16;

static cost::Failure fail(const Twine &problem) {
  return {("--pipeline-layout: " + problem).str()};
}

/// Expands repetitions up to a closing bracket or the end.
static Text expand(StringRef text, size_t &at, int depth) {
  std::string all;
  while (at < text.size() && text[at] != ')') {
    std::string item;
    char letter = text[at];
    if (letter == '(') {
      ++at;
      if (depth > 8)
        return fail("expected at most 8 brackets in each other");
      Text inner = expand(text, at, depth + 1);
      if (!inner)
        return inner;
      if (at == text.size())
        return fail("expected ')' behind '" + text + "'");
      item = *inner;
    } else if (StringRef("EtmL|").contains(letter)) {
      item = letter;
    } else {
      return fail("expected E, t, m, L, '|', brackets or *N, got '" +
                  Twine(letter) + "' in '" + text + "'");
    }
    ++at;
    if (at < text.size() && text[at] == '*') {
      StringRef rest = text.substr(at + 1);
      StringRef digits = rest.take_while(isDigit);
      size_t times = 0;
      if (digits.getAsInteger(10, times) || times < 1 ||
          times * item.size() > kMostLetters)
        return fail("expected a number from 1 to 65536 behind '*' in '" + text +
                    "'");
      std::string one = item;
      for (size_t i = 1; i < times; ++i)
        item += one;
      at += 1 + digits.size();
    }
    all += item;
    if (all.size() > kMostLetters)
      return fail("expected at most 65536 letters");
  }
  return all;
}

cost::Result<std::vector<Piece>>
moe::estimate::parsePipelineLayout(StringRef text, const ModelConfig &config,
                                   int64_t stages, int64_t &virtualStages) {
  size_t at = 0;
  Text all = expand(text, at, 0);
  if (!all)
    return all.getFailure();
  if (at != text.size())
    return fail("expected '(' before ')' in '" + text + "'");
  SmallVector<StringRef> words;
  StringRef(*all).split(words, '|');
  // Megatron ignores a bar at the end.
  if (words.size() > 1 && words.back().empty())
    words.pop_back();
  std::vector<Piece> pieces;
  auto moe = config.moeLayers.begin();
  int64_t layers = 0;
  for (StringRef word : words) {
    Piece piece;
    for (char letter : word) {
      if (letter == 'm')
        ++piece.furtherTokens;
      piece.hasOutput |= letter == 'L';
      if (letter != 't')
        continue;
      if (moe != config.moeLayers.end() && *moe == layers) {
        ++moe;
        ++piece.moe;
      } else {
        ++piece.dense;
      }
      ++layers;
    }
    pieces.push_back(piece);
  }
  if (layers != config.numLayers)
    return fail("expected the " + Twine(config.numLayers) +
                " layers of the model, got " + Twine(layers) + " in '" + text +
                "'");
  if (!pieces.back().hasOutput)
    return fail("expected L, the output layer, in the last piece of '" + text +
                "'");
  auto number = int64_t(pieces.size());
  if (number % stages != 0)
    return fail("expected a multiple of --pp pieces, " + Twine(stages) +
                ", got " + Twine(number) + " in '" + text + "'");
  virtualStages = number / stages;
  return pieces;
}
