// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of rows through delegates.
//
// Rows of uneven runs are sent to other servers through delegates (SPEC MF-9).
// From counts that all ranks know, each rank determines the rows to send and
// receive in each exchange. The destinations of a delegate are the ranks of
// other servers that it forwards rows of its own server to. Delegates hold rows
// by destination, and the destinations of one receiving delegate are adjacent,
// so that each message is contiguous.

#ifndef MOE_FABRIC_DELEGATEDROWS_H
#define MOE_FABRIC_DELEGATEDROWS_H

#include "moe/Cost/Matrix.h"
#include "moe/Cost/Traffic.h"
#include "moe/Fabric/Delegates.h"

namespace moe::fabric {

/// Rows that the ranks of a region send each other; servers are the slowest
/// dim.
struct RankRows {
  /// Reads counts [G, E] of G ranks, where expert e is on rank e / (E/G). Fails
  /// for counts below 0, and if they do not add up to a 64-bit number.
  static cost::Result<RankRows> read(const std::vector<int64_t> &counts,
                                     int64_t servers, int64_t places);

  int64_t at(int64_t from, int64_t to) const { return rows.at(from, to); }

  int64_t servers, places;
  /// [G, G].
  cost::Matrix<int64_t> rows;
};

/// Plans delegates for rows: at the ends of circuits from the fast search, each
/// with at most `turns` destinations; excess destinations move to the delegate
/// with the fewest. Fails for fewer than N - 1 turns or one EPS NIC, and like
/// `mapDelegates`.
cost::Result<DelegateMap> planDelegates(const RankRows &rows,
                                        const Ports &ports, int64_t numaNodes,
                                        int64_t turns);

/// Offsets and sizes that one rank sends, then the ones that it receives: [4,
/// ...].
struct DelegatedRuns {
  /// [4, turns, B]: exchanges with the ranks of the server.
  std::vector<int64_t> gather;
  /// [4, N * B]: exchange with the ranks of the region.
  std::vector<int64_t> between;
  /// [4, N - 1, B]: exchanges with the ranks of the server, for the rows from
  /// each other server, starting with the next one.
  std::vector<int64_t> scatter;
  /// [4, B]: rows that stay on the server.
  std::vector<int64_t> own;
};

/// The exchanges of a path through delegates. Gather and scatter have several
/// turns.
enum class DelegatedStep { Gather, Between, Scatter, Own };

/// Lists the messages of one exchange, by the positions of ranks in its group:
/// the group of the region for exchanges between servers, otherwise the server
/// with the rank that sends or receives the most. `turn` is 0 for steps without
/// turns.
std::vector<cost::Message> listDelegatedMessages(const RankRows &rows,
                                                 const DelegateMap &map,
                                                 DelegatedStep step,
                                                 int64_t turn);

/// Plans the rows that `rank` sends and receives.
DelegatedRuns planDelegatedRuns(const RankRows &rows, const DelegateMap &map,
                                int64_t turns, int64_t rank);

} // namespace moe::fabric

#endif // MOE_FABRIC_DELEGATEDROWS_H
