// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/DelegatedRows.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::fabric;

namespace {

/// The rows in a rank's buffer: each is a number, -1 if not written.
using Buffer = std::vector<int64_t>;
using Ranks = std::vector<Buffer>;

/// A region and the rows that its ranks send each other.
struct Case {
  int64_t servers, places, turns;
  RankRows rows;
  DelegateMap map;
  std::vector<DelegatedRuns> runs;

  int64_t getNumRanks() const { return servers * places; }
};

std::vector<int64_t> drawCounts(std::mt19937 &random, int64_t ranks,
                                int64_t experts) {
  std::vector<int64_t> counts(ranks * experts);
  for (int64_t &count : counts)
    count = random() % 4 == 0 ? random() % 20 : random() % 3;
  return counts;
}

Case makeCase(std::mt19937 &random, int64_t servers, int64_t places,
              const Ports &ports, int64_t numaNodes, int64_t turns) {
  int64_t ranks = servers * places;
  auto rows =
      RankRows::read(drawCounts(random, ranks, 2 * ranks), servers, places);
  EXPECT_TRUE(rows);
  auto map = planDelegates(*rows, ports, numaNodes, turns);
  EXPECT_TRUE(map);
  Case made{servers, places, turns, *rows, *map, {}};
  for (int64_t rank = 0; rank < ranks; ++rank)
    made.runs.push_back(planDelegatedRuns(*rows, *map, turns, rank));
  return made;
}

/// One of the exchanges that `runs` has for a rank, with `peers` peers each.
struct Numbers {
  const std::vector<int64_t> &all;
  int64_t exchanges, exchange, peers;

  int64_t get(int64_t kind, int64_t peer) const {
    return all[(kind * exchanges + exchange) * peers + peer];
  }
};

/// Runs one exchange of groups of `peers` consecutive ranks, with both
/// directions swapped if `isBack`. Both sides must agree, and no row may be
/// written twice or read before it is written.
template <typename Get>
void exchange(const Ranks &from, Ranks &to, int64_t peers, bool isBack,
              Get getNumbers) {
  auto ranks = static_cast<int64_t>(from.size());
  int64_t sent = isBack ? 2 : 0, came = isBack ? 0 : 2;
  for (int64_t rank = 0; rank < ranks; ++rank)
    for (int64_t q = 0; q < peers; ++q) {
      int64_t peer = rank / peers * peers + q;
      Numbers own = getNumbers(rank), others = getNumbers(peer);
      int64_t size = own.get(sent + 1, q);
      ASSERT_EQ(size, others.get(came + 1, rank % peers));
      for (int64_t row = 0; row < size; ++row) {
        int64_t source = own.get(sent, q) + row,
                target = others.get(came, rank % peers) + row;
        ASSERT_LT(source, int64_t(from[rank].size()));
        ASSERT_GE(from[rank][source], 0);
        if (int64_t(to[peer].size()) <= target)
          to[peer].resize(target + 1, -1);
        ASSERT_EQ(to[peer][target], -1);
        to[peer][target] = from[rank][source];
      }
    }
}

/// Runs all exchanges of a case, forward or back.
Ranks deliver(const Case &made, const Ranks &x, bool isBack) {
  Ranks first(x.size()), second(x.size()), result(x.size());
  auto inTurns = [&](const Ranks &from, Ranks &to, bool gathers) {
    int64_t turns = gathers ? made.turns : made.servers - 1;
    for (int64_t turn = 0; turn < turns; ++turn)
      exchange(from, to, made.places, isBack, [&](int64_t rank) {
        const DelegatedRuns &runs = made.runs[rank];
        return Numbers{gathers ? runs.gather : runs.scatter, turns, turn,
                       made.places};
      });
  };
  inTurns(x, first, !isBack);
  exchange(first, second, made.getNumRanks(), isBack, [&](int64_t rank) {
    return Numbers{made.runs[rank].between, 1, 0, made.getNumRanks()};
  });
  exchange(x, result, made.places, isBack, [&](int64_t rank) {
    return Numbers{made.runs[rank].own, 1, 0, made.places};
  });
  inTurns(second, result, isBack);
  return result;
}

/// Fills rows as ranks send them, and as they arrive without any delegate.
void fillDirectly(const Case &made, Ranks &sent, Ranks &received) {
  int64_t ranks = made.getNumRanks(), number = 0;
  sent.assign(ranks, {});
  received.assign(ranks, {});
  for (int64_t from = 0; from < ranks; ++from)
    for (int64_t to = 0; to < ranks; ++to)
      for (int64_t row = 0; row < made.rows.at(from, to); ++row) {
        sent[from].push_back(number);
        received[to].push_back(number++);
      }
}

} // namespace

TEST(DelegatedRows, DeliverWhatDirectExchangesDo) {
  std::mt19937 random(7);
  struct {
    int64_t servers, places;
    Ports ports;
    int64_t numaNodes;
  } regions[] = {{4, 8, {6, 2}, 2}, // mFabric's
                 {4, 8, {1, 1}, 1}, // one card
                 {3, 2, {6, 4}, 3}, // more cards than ranks
                 {2, 3, {0, 1}, 1}, // no circuits
                 {5, 3, {2, 1, Routing::Exclusive}, 1},
                 {3, 1, {2, 1}, 1}}; // a rank a server
  for (int seed = 0; seed < 40; ++seed)
    for (const auto &[servers, places, ports, numaNodes] : regions)
      for (int64_t turns : {servers - 1, 2 * (servers - 1)}) {
        Case made = makeCase(random, servers, places, ports, numaNodes, turns);
        Ranks sent, received;
        fillDirectly(made, sent, received);
        EXPECT_EQ(deliver(made, sent, /*isBack=*/false), received);
        EXPECT_EQ(deliver(made, received, /*isBack=*/true), sent);
        if (HasFatalFailure())
          return;
      }
}

TEST(DelegatedRows, MessagesAreThoseOfRuns) {
  std::mt19937 random(9);
  constexpr int64_t kServers = 4, kPlaces = 3, kTurns = 5;
  for (int seed = 0; seed < 20; ++seed) {
    Case made = makeCase(random, kServers, kPlaces, {6, 2}, 1, kTurns);
    // Checks the runs of an exchange by [rank][peer].
    auto check = [&](DelegatedStep step, int64_t turn, int64_t peers,
                     auto getNumbers) {
      int64_t busiest = 0, most = -1;
      for (int64_t rank = 0; rank < made.getNumRanks(); ++rank) {
        int64_t sent = 0, received = 0;
        for (int64_t q = 0; q < peers; ++q)
          if (q != rank % peers) {
            sent += getNumbers(rank).get(1, q);
            received += getNumbers(rank).get(3, q);
          }
        if (std::max(sent, received) > most) {
          most = std::max(sent, received);
          busiest = rank / peers;
        }
      }
      std::vector<int64_t> bytes(peers * peers);
      for (const cost::Message &message :
           listDelegatedMessages(made.rows, made.map, step, turn))
        bytes[message.from * peers + message.to] += message.bytes;
      for (int64_t p = 0; p < peers; ++p)
        for (int64_t q = 0; q < peers; ++q)
          EXPECT_EQ(bytes[p * peers + q],
                    getNumbers(busiest * peers + p).get(1, q))
              << int(step) << " turn " << turn;
    };
    for (int64_t turn = 0; turn < kTurns; ++turn)
      check(DelegatedStep::Gather, turn, kPlaces, [&](int64_t rank) {
        return Numbers{made.runs[rank].gather, kTurns, turn, kPlaces};
      });
    for (int64_t turn = 0; turn < kServers - 1; ++turn)
      check(DelegatedStep::Scatter, turn, kPlaces, [&](int64_t rank) {
        return Numbers{made.runs[rank].scatter, kServers - 1, turn, kPlaces};
      });
    check(DelegatedStep::Between, 0, made.getNumRanks(), [&](int64_t rank) {
      return Numbers{made.runs[rank].between, 1, 0, made.getNumRanks()};
    });
    check(DelegatedStep::Own, 0, kPlaces, [&](int64_t rank) {
      return Numbers{made.runs[rank].own, 1, 0, kPlaces};
    });
  }
}

TEST(DelegatedRows, DelegatesHaveAFewDestinations) {
  std::mt19937 random(8);
  for (int64_t turns : {3, 4, 6, 24}) {
    Case made = makeCase(random, 4, 8, {1, 1}, 1, turns);
    for (int64_t i = 0; i < 4; ++i) {
      std::vector<int64_t> load(8);
      for (int64_t j = 0; j < 4; ++j)
        for (int64_t q = 0; q < 8 && j != i; ++q)
          ++load[made.map.at(i, j, q).sends];
      int64_t most = *std::max_element(load.begin(), load.end());
      // One rank has both NICs, as far as its turns allow.
      EXPECT_EQ(most, turns);
      EXPECT_EQ(load[0], turns);
    }
  }
}

TEST(DelegatedRows, DelegatesAreAtTheEndsOfCircuits) {
  // Two servers have much demand for each other and therefore get all circuits.
  std::vector<int64_t> counts(8 * 8);
  for (int64_t from = 0; from < 2; ++from)
    for (int64_t to = 2; to < 4; ++to)
      counts[from * 8 + to] = 1000;
  auto rows = RankRows::read(counts, 4, 2);
  ASSERT_TRUE(rows);
  auto map = planDelegates(*rows, {2, 1}, 1, 6);
  ASSERT_TRUE(map);
  EXPECT_NE(map->at(0, 1, 0).sends, map->at(0, 1, 1).sends);
  // Other pairs use the rank with the NIC on EPS.
  EXPECT_EQ(map->at(2, 3, 0).sends, 0);
  EXPECT_EQ(map->at(2, 3, 1).sends, 0);
}

TEST(DelegatedRows, RefuseWhatTheyCannotPlan) {
  std::vector<int64_t> counts(4 * 4, 1);
  EXPECT_EQ(
      RankRows::read({1, 2, 3, -4}, 2, 1).getError(),
      "expected counts of at least 0, got -4 of expert 1 from position 1");
  EXPECT_EQ(RankRows::read({INT64_MAX, 1, 0, 0}, 2, 1).getError(),
            "expected counts that add up to a number of 64 bits, got 1 of "
            "expert 1 from position 0");
  auto rows = RankRows::read(counts, 4, 1);
  ASSERT_TRUE(rows);
  EXPECT_EQ(planDelegates(*rows, {2, 1}, 1, 2).getError(),
            "expected at least 3 turns, as many as there are other servers, "
            "got 2");
  EXPECT_EQ(planDelegates(*rows, {3, 0}, 1, 3).getError(),
            "expected an EPS NIC for servers that no circuit joins, got none");
}
