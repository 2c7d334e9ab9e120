// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows on their way through delegates.
//
// Rows of uneven runs go to other servers through delegates (SPEC MF-9): by
// counts that all ranks know each finds what it sends and receives in each
// exchange. A destination of a delegate is a rank of another server that it
// sends rows of its own server for. Delegates hold rows by destination, those
// of one receiving delegate one after the other, so that each message is one
// piece.

#ifndef MOE_FABRIC_DELEGATEDROWS_H
#define MOE_FABRIC_DELEGATEDROWS_H

#include "moe/Cost/Traffic.h"
#include "moe/Fabric/Delegates.h"

namespace moe::fabric {

/// Rows that the ranks of a region send each other, servers slowest.
struct RankRows {
  /// Takes counts [G, E] of G ranks, expert e being on rank e / (E/G). Fails
  /// for counts below 0, and such as do not add up to a number of 64 bits.
  static cost::Result<RankRows> read(const std::vector<int64_t> &counts,
                                     int64_t servers, int64_t places);

  int64_t getNumRanks() const { return servers * places; }
  int64_t at(int64_t from, int64_t to) const {
    return rows[static_cast<size_t>(from * getNumRanks() + to)];
  }

  int64_t servers, places;
  /// [G, G].
  std::vector<int64_t> rows;
};

/// Delegates for rows: at the ends of circuits that the fast search plans for
/// them, each with at most `turns` destinations; further ones go to the
/// delegate with the fewest. Fails for less than N - 1 turns or one EPS NIC,
/// and as `mapDelegates` does.
cost::Result<DelegateMap> planDelegates(const RankRows &rows,
                                        const Ports &ports, int64_t numaNodes,
                                        int64_t turns);

/// Offsets and sizes of what one rank sends, then of what it receives: [4,
/// ...].
struct DelegatedRuns {
  /// [4, turns, B]: with the ranks of the server.
  std::vector<int64_t> gather;
  /// [4, N * B]: with those of the region.
  std::vector<int64_t> between;
  /// [4, N - 1, B]: with the ranks of the server, what came from each other
  /// server, the next one first.
  std::vector<int64_t> scatter;
  /// [4, B]: what stays on the server.
  std::vector<int64_t> own;
};

/// The exchanges of a way through delegates, of which gather and scatter take
/// turns.
enum class DelegatedStep { Gather, Between, Scatter, Own };

/// What ranks send each other in one exchange, by their places in its group: of
/// the region between servers; else of the server whose busiest rank sends or
/// receives the most. `turn` is 0 where there are none.
std::vector<cost::Message> listDelegatedMessages(const RankRows &rows,
                                                 const DelegateMap &map,
                                                 DelegatedStep step,
                                                 int64_t turn);

/// What `rank` sends and receives.
DelegatedRuns planDelegatedRuns(const RankRows &rows, const DelegateMap &map,
                                int64_t turns, int64_t rank);

} // namespace moe::fabric

#endif // MOE_FABRIC_DELEGATEDROWS_H
