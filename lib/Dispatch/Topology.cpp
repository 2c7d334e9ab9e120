// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Topologies that connect devices.

#include "moe/Dispatch/Topology.h"
#include <algorithm>
#include <charconv>

using namespace moe;
using namespace moe::dispatch;

//===----------------------------------------------------------------------===//
// Reading and printing
//===----------------------------------------------------------------------===//

class Topology::Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  cost::Result<Switch> parseAll() {
    cost::Result<Switch> top = parseSwitch(/*depth=*/1);
    skipSpace();
    if (top && at != text.size())
      return fail("expected the end");
    return top;
  }

  cost::Result<int64_t> parseDevices() {
    int64_t number = 0;
    const char *begin = text.data() + at, *end = text.data() + text.size();
    auto [next, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || number < 1 || number > kMostDevices)
      return fail("expected 1 to " + std::to_string(kMostDevices) + " devices");
    at += static_cast<size_t>(next - begin);
    return number;
  }

private:
  void skipSpace() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool consume(char c) {
    skipSpace();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  cost::Failure fail(const std::string &expected) const {
    constexpr size_t kShown = 20;
    std::string got = at == text.size()
                          ? "the end"
                          : "'" + std::string(text.substr(at, kShown)) + "'";
    return {"topology: " + expected + " at character " +
            std::to_string(at + 1) + ", got " + got};
  }

  cost::Result<Switch> parseSwitch(int64_t depth) {
    skipSpace();
    Switch result;
    if (!consume('[')) {
      cost::Result<int64_t> devices = parseDevices();
      if (!devices)
        return devices.getFailure();
      result.devices = *devices;
      total += *devices;
      if (total > kMostDevices)
        return fail("expected at most " + std::to_string(kMostDevices) +
                    " devices in all, before here");
      return result;
    }
    if (depth == kMostLevels)
      return fail("expected at most " + std::to_string(kMostLevels) +
                  " levels of switches, got more");
    do {
      cost::Result<Switch> subtree = parseSwitch(depth + 1);
      if (!subtree)
        return subtree;
      result.subtrees.push_back(std::move(*subtree));
    } while (consume(','));
    if (!consume(']'))
      return fail("expected ',' or ']'");
    return result;
  }

  std::string_view text;
  size_t at = 0;
  int64_t total = 0;
};

cost::Result<Topology> Topology::parse(std::string_view text) {
  Topology topology;
  constexpr std::string_view kRing = "ring:";
  if (text.starts_with(kRing)) {
    text.remove_prefix(kRing.size());
    topology.ring = true;
    if (text.find_first_not_of("0123456789") != std::string_view::npos)
      return cost::Failure{"topology: expected ring:DEVICES, got 'ring:" +
                           std::string(text) + "'"};
  }
  cost::Result<Switch> root = Parser(text).parseAll();
  if (!root)
    return root.getFailure();
  topology.root = std::move(*root);
  topology.complete();
  return topology;
}

std::string Topology::Switch::print(bool padded) const {
  if (subtrees.empty())
    return std::to_string(devices);
  int64_t largest = 0;
  for (const Switch &subtree : subtrees)
    largest = subtree.subtrees.empty() ? std::max(largest, subtree.devices)
                                       : INT64_MAX;
  std::string text = "[";
  for (const Switch &subtree : subtrees) {
    text += text.size() > 1 ? "," : "";
    text += padded && largest != INT64_MAX && subtree.subtrees.empty()
                ? std::to_string(largest)
                : subtree.print(padded);
  }
  return text + "]";
}

std::string Topology::print() const {
  return (ring ? "ring:" : "") + root.print();
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

void Topology::complete() {
  if (ring) {
    numDevices = root.devices;
    numLevels = numDevices / 2;
    return;
  }
  auto measure = [](auto &&self, Switch &current) -> int64_t {
    current.height = 1;
    for (Switch &subtree : current.subtrees)
      current.height = std::max(current.height, self(self, subtree) + 1);
    return current.height;
  };
  numLevels = measure(measure, root);
  std::vector<int32_t> way;
  auto visit = [&](auto &&self, const Switch &current) -> void {
    for (int64_t i = 0; i < current.devices; ++i, ++numDevices) {
      ways.insert(ways.end(), way.begin(), way.end());
      ways.resize(static_cast<size_t>((numDevices + 1) * numLevels));
      ways[ways.size() - 1] = static_cast<int32_t>(i);
    }
    for (size_t i = 0; i < current.subtrees.size(); ++i) {
      way.push_back(static_cast<int32_t>(i));
      self(self, current.subtrees[i]);
      way.pop_back();
    }
  };
  visit(visit, root);
}

int64_t Topology::getLevel(int64_t i, int64_t j) const {
  if (i == j)
    return 0;
  if (ring) {
    int64_t hops = std::abs(i - j);
    return std::min(hops, numDevices - hops);
  }
  // The lowest common switch of a pair is the last one on both paths; its
  // height is the number of switches down to the lowest node below it.
  const Switch *common = &root;
  const int32_t *a = &ways[static_cast<size_t>(i * numLevels)];
  const int32_t *b = &ways[static_cast<size_t>(j * numLevels)];
  for (int64_t l = 0; !common->subtrees.empty() && a[l] == b[l]; ++l)
    common = &common->subtrees[static_cast<size_t>(a[l])];
  return common->height;
}

//===----------------------------------------------------------------------===//
// Symmetric trees
//===----------------------------------------------------------------------===//

bool Topology::isSymmetric() const {
  std::vector<std::string> notes;
  Switch copy = root;
  symmetrize(copy, notes);
  return notes.empty();
}

void Topology::symmetrize(Switch &top, std::vector<std::string> &notes) {
  for (Switch &subtree : top.subtrees)
    symmetrize(subtree, notes);
  auto isNode = [](const Switch &subtree) { return subtree.subtrees.empty(); };
  auto isLike = [&](const Switch &other) {
    return other.print(true) == top.subtrees.front().print(true);
  };
  while (!std::all_of(top.subtrees.begin(), top.subtrees.end(), isLike)) {
    std::string before = top.print();
    if (std::all_of(top.subtrees.begin(), top.subtrees.end(), isNode)) {
      // The padding contains no devices, because only levels are queried.
      notes.push_back("nodes of unequal size in " + before +
                      " count as such of the largest");
      return;
    }
    // A node next to switches is treated as a switch with one node.
    Switch merged;
    for (Switch &subtree : top.subtrees) {
      if (isNode(subtree))
        merged.subtrees.push_back(std::move(subtree));
      else
        for (Switch &inner : subtree.subtrees)
          merged.subtrees.push_back(std::move(inner));
    }
    symmetrize(merged, notes);
    top.subtrees.clear();
    top.subtrees.push_back(std::move(merged));
    notes.push_back("unequal subtrees of " + before +
                    " are merged: " + top.print());
  }
}

Topology Topology::symmetrize(std::vector<std::string> &notes) const {
  Topology result;
  result.ring = ring;
  result.root = root;
  symmetrize(result.root, notes);
  result.complete();
  return result;
}
