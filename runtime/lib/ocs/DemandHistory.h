// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demand of earlier exchanges.

#ifndef MOERT_OCS_DEMANDHISTORY_H
#define MOERT_OCS_DEMANDHISTORY_H

#include "ocs/Planner.h"
#include <map>
#include <optional>
#include <string>

namespace moert {

/// The demands of exchanges by name, and a prediction of the next demand of a
/// name. The prediction is either the last demand, or the last demand with the
/// amount that each server receives predicted from the last demand of any name
/// (mFabric's Copilot, SPEC MF-11). The relation between the two is fitted to
/// earlier steps. The more accurate alternative is chosen by the errors of
/// earlier steps, each measured before the fit included that step.
class DemandHistory {
public:
  explicit DemandHistory(int32_t numServers)
      : numServers(static_cast<size_t>(numServers)) {}

  /// Stores a demand [servers, servers] of at least 0.
  void note(const std::string &name, std::vector<double> demand);

  /// Returns the expected next demand; none if no demand was noted. The next
  /// demand noted under the name measures the error.
  std::optional<std::vector<double>> predict(const std::string &name);

  /// Returns the last demand noted under a name, or null.
  const std::vector<double> *findLast(const std::string &name) const {
    auto it = names.find(name);
    return it == names.end() ? nullptr : &it->second.last;
  }

  /// Mean errors of the receivers' shares, from 0 to 2, of the last demand and
  /// of the fit, over the same predictions. None if fewer than `kLeastJudged`
  /// predictions had both.
  struct Errors {
    double last = 0, fitted = 0;
  };
  std::optional<Errors> getErrors(const std::string &name) const;

  /// Maximum number of recent steps for the fit.
  static constexpr size_t kMostSamples = 32;
  static constexpr size_t kLeastJudged = 4;

private:
  using Shares = std::vector<double>;
  struct Named {
    std::vector<double> last;
    /// Samples for one preceding name: the known shares at the prediction, and
    /// the shares that followed.
    std::string nameBefore;
    std::vector<ShareSample> samples;
    /// Since the last demand: the known shares, and the shares predicted from
    /// them.
    std::optional<Shares> known;
    std::optional<Shares> fitted;
    std::vector<Errors> errors;
  };

  /// Returns the share that each server receives; none if all demand is 0.
  std::optional<Shares> getShares(const std::vector<double> &demand) const;

  size_t numServers;
  std::map<std::string, Named> names;
  /// Name of the last demand.
  std::string nameOfLast;
};

} // namespace moert

#endif // MOERT_OCS_DEMANDHISTORY_H
