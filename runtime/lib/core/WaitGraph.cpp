// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that a wait depends on.

#include "core/WaitGraph.h"
#include <algorithm>
#include <map>

using namespace moert;

std::string
moert::describeBlame(const std::vector<int32_t> &waitedFor,
                     const std::function<Whereabouts(int32_t)> &find) {
  std::map<int32_t, Whereabouts> known;
  std::vector<int32_t> queue = waitedFor, missing, waiting;
  for (size_t i = 0; i < queue.size(); ++i) {
    int32_t rank = queue[i];
    if (known.count(rank))
      continue;
    const Whereabouts &found = known[rank] = find(rank);
    (found.waitsFor.empty() ? missing : waiting).push_back(rank);
    queue.insert(queue.end(), found.waitsFor.begin(), found.waitsFor.end());
  }
  auto print = [](std::vector<int32_t> &ranks) {
    std::sort(ranks.begin(), ranks.end());
    return printRanks(ranks.data(), ranks.size());
  };
  std::string text;
  if (!missing.empty())
    text = "missing are ranks " + print(missing);
  if (!waiting.empty())
    text += missing.empty()
                ? "ranks " + print(waiting) + " wait for each other"
                : ", for which ranks " + print(waiting) + " wait as well";
  // Describe the missing ranks first, and limit the length of the message.
  constexpr size_t kMostDescribed = 8;
  std::vector<int32_t> described = missing;
  described.insert(described.end(), waiting.begin(), waiting.end());
  described.resize(std::min(described.size(), kMostDescribed));
  for (int32_t rank : described)
    text += format("; rank %d %s", rank, known[rank].words.c_str());
  return text;
}
