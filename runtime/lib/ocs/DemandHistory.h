// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exchanges carried before.

#ifndef MOERT_OCS_DEMANDHISTORY_H
#define MOERT_OCS_DEMANDHISTORY_H

#include "ocs/Planner.h"
#include <map>
#include <optional>
#include <string>

namespace moert {

/// Demands of exchanges by name, and what the next one of a name may be: the
/// last, or, where that would have been nearer, its senders' shares with what
/// each server receives as the last demand of any name tells it (mFabric's
/// Copilot, SPEC MF-11). How the one follows from the other is fitted to the
/// steps before; which of the two is nearer is judged on each step before it is
/// fitted to.
class DemandHistory {
public:
  explicit DemandHistory(int32_t numServers)
      : numServers(static_cast<size_t>(numServers)) {}

  /// Keeps a demand [servers, servers] of at least 0.
  void note(const std::string &name, std::vector<double> demand);

  /// The demand that is expected next; none where none was noted. What is noted
  /// under the name next is what it is judged by.
  std::optional<std::vector<double>> predict(const std::string &name);

  /// The demand that was noted last under a name; null where none was.
  const std::vector<double> *findLast(const std::string &name) const {
    auto it = names.find(name);
    return it == names.end() ? nullptr : &it->second.last;
  }

  /// How far shares of what servers receive were off on average, from 0 to 2:
  /// by the last demand, and as fitted, over the same predictions. None where
  /// fewer than `kLeastJudged` were both made.
  struct Errors {
    double last = 0, fitted = 0;
  };
  std::optional<Errors> getErrors(const std::string &name) const;

  /// Steps that are fitted to, the last ones.
  static constexpr size_t kMostSamples = 32;
  static constexpr size_t kLeastJudged = 4;

private:
  using Shares = std::vector<double>;
  struct Named {
    std::vector<double> last;
    /// Of one name of the demand before: what was known when asked, and what
    /// came.
    std::string nameBefore;
    std::vector<ShareSample> samples;
    /// Since the last demand: what was known, and what was expected of it.
    std::optional<Shares> known;
    std::optional<Shares> fitted;
    std::vector<Errors> errors;
  };

  /// What servers receive, as shares; none where nobody receives anything.
  std::optional<Shares> getShares(const std::vector<double> &demand) const;

  size_t numServers;
  std::map<std::string, Named> names;
  /// The demand that was noted last.
  std::string nameOfLast;
};

} // namespace moert

#endif // MOERT_OCS_DEMANDHISTORY_H
