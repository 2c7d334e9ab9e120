// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of layers over pipeline stages.

#include "moe/Planning/StageSplit.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace llvm;
using namespace moe;
using namespace moe::planning;

/// Returns the layers of the first, each middle, and the last piece.
static std::array<int64_t, 3> findSizes(int64_t layers, int64_t pieces) {
  if (layers % pieces == 0)
    return {layers / pieces, layers / pieces, layers / pieces};
  std::array<int64_t, 3> best{};
  std::pair<int64_t, int64_t> least{layers + 1, 0};
  for (int64_t between = 1; between <= layers; ++between) {
    int64_t rest = layers - (pieces - 2) * between;
    if (rest < 2)
      break;
    int64_t first = rest / 2, last = rest - first;
    std::pair<int64_t, int64_t> now{last, -first};
    if (pieces > 2)
      now = {std::max(last, between), -std::min(first, between)};
    if (now < least) {
      least = now;
      best = {first, between, last};
    }
  }
  return best;
}

/// Returns the layers of each piece with sizes that differ by at most one. The
/// last piece, the first one, and then the pieces before the last get the
/// smaller size.
static std::vector<int64_t> splitEvenly(int64_t layers, int64_t pieces) {
  int64_t larger = layers % pieces, smaller = pieces - larger;
  std::vector<int64_t> sizes(size_t(pieces), layers / pieces + 1);
  auto take = [&](int64_t piece) {
    if (smaller-- > 0)
      --sizes[size_t(piece)];
  };
  take(pieces - 1);
  take(0);
  for (int64_t piece = pieces - 2; piece > 0; --piece)
    take(piece);
  return sizes;
}

std::vector<LayerCount> moe::planning::splitLayers(const ModelConfig &config,
                                                   int64_t pieces) {
  assert(pieces >= 1 && pieces <= config.numLayers &&
         "expected a layer for each piece");
  auto [first, between, last] = findSizes(config.numLayers, pieces);
  std::vector<int64_t> sizes(size_t(pieces), between);
  sizes.front() = first;
  sizes.back() = last;
  int64_t least = (config.numLayers + pieces - 1) / pieces;
  if (std::max(last, pieces > 2 ? between : 0) > least)
    sizes = splitEvenly(config.numLayers, pieces);
  std::vector<LayerCount> counts;
  auto moe = config.moeLayers.begin();
  int64_t end = 0;
  for (int64_t size : sizes) {
    end += size;
    LayerCount count;
    for (; moe != config.moeLayers.end() && *moe < end; ++moe)
      ++count.moe;
    count.dense = size - count.moe;
    counts.push_back(count);
  }
  return counts;
}

bool moe::planning::areAlike(ArrayRef<LayerCount> pieces) {
  return llvm::all_equal(pieces);
}

LayerCount moe::planning::countOfStage(ArrayRef<LayerCount> pieces,
                                       int64_t stages, int64_t stage) {
  LayerCount all;
  for (size_t i = size_t(stage); i < pieces.size(); i += size_t(stages)) {
    all.moe += pieces[i].moe;
    all.dense += pieces[i].dense;
  }
  return all;
}

std::string moe::planning::describePieces(ArrayRef<LayerCount> pieces) {
  std::string text;
  for (size_t i = 0, next = 0; i < pieces.size(); i = next) {
    while (next < pieces.size() && pieces[next].getAll() == pieces[i].getAll())
      ++next;
    text += text.empty() ? "" : ", ";
    if (next - i > 1)
      text += std::to_string(next - i) + " x ";
    text += std::to_string(pieces[i].getAll());
  }
  return text + " layers";
}
