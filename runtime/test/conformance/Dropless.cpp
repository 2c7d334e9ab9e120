// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests dropless layers.

#include "Operands.h"
#include <algorithm>

using namespace conformance;

// Runs all steps of a dropless layer: assignments are counted and sorted,
// counts are gathered, all ranks plan with them, and rows are sent to their
// experts and back.

namespace {

/// The routings, by name.
const char *const kChoices[] = {"random",      "one hot",
                                "own experts", "a rank that sends nothing",
                                "skewed",      "not all sent"};

/// One rank's tokens. All ranks know the tokens of their whole group.
struct Tokens {
  size_t S, k, M;
  Bytes x, ids;
};

} // namespace

static int64_t draw(size_t choice, uint64_t seed, size_t position, size_t n,
                    size_t E, size_t at) {
  uint64_t hash = mix({seed, position, at});
  switch (choice) {
  case 1:
    return static_cast<int64_t>(seed % E);
  case 2:
    return static_cast<int64_t>(position * (E / n) + hash % (E / n));
  case 4:
    return static_cast<int64_t>(hash % 4 ? hash % (E / 2 + 1) : hash % E);
  case 5:
    return hash % (E + 2) < E ? static_cast<int64_t>(hash % (E + 2)) : -1;
  default:
    return static_cast<int64_t>(hash % E);
  }
}

static Tokens drawTokens(moert_type type, moert_type idsType, size_t choice,
                         uint64_t seed, size_t position, size_t n, size_t S,
                         size_t k, size_t E, size_t M) {
  Tokens tokens{choice == 3 && position == seed % n ? 0 : S, k, M, {}, {}};
  tokens.x = randomBits(type, tokens.S * M, mix({seed, position, 7}));
  tokens.ids.resize(tokens.S * k * moert_type_size(idsType));
  for (size_t at = 0; at < tokens.S * k; ++at)
    storeInteger(idsType, tokens.ids, at,
                 draw(choice, seed, position, n, E, at));
  return tokens;
}

/// Returns the assignments in the order of their rows, as indices of the ids.
/// Assignments that are not sent have no row.
static std::vector<size_t> sortCopies(const Tokens &tokens, moert_type idsType,
                                      moert_order_kind kind) {
  std::vector<size_t> copies;
  size_t experts = 0;
  for (size_t at = 0; at < tokens.S * tokens.k; ++at)
    experts =
        std::max<size_t>(experts, loadInteger(idsType, tokens.ids, at) + 1);
  for (size_t expert = 0; expert < experts; ++expert)
    for (size_t step = 0; step < tokens.S * tokens.k; ++step) {
      size_t at = kind == MOERT_ORDER_TOKEN
                      ? step
                      : step % tokens.S * tokens.k + step / tokens.S;
      if (loadInteger(idsType, tokens.ids, at) == static_cast<int64_t>(expert))
        copies.push_back(at);
    }
  return copies;
}

static Bytes gather(const Tokens &tokens, const std::vector<size_t> &copies,
                    size_t unit) {
  Bytes rows;
  for (size_t at : copies)
    rows.insert(rows.end(), tokens.x.begin() + at / tokens.k * unit,
                tokens.x.begin() + (at / tokens.k + 1) * unit);
  return rows;
}

/// Bytes after the sent rows are undefined.
static Bytes getFirst(Bytes bytes, size_t count) {
  bytes.resize(count);
  return bytes;
}

namespace {
/// One rank's tokens, sorted by the runtime.
struct Sorted {
  Sorted(Rank &rank, Stream &stream, const Tokens &tokens, moert_type type,
         moert_type idsType, moert_order_kind kind, size_t E)
      : x(rank, stream, tokens.x.size()), ids(rank, stream, tokens.ids.size()),
        rows(rank, stream, tokens.x.size() * tokens.k),
        slots(rank, stream, tokens.ids.size()),
        counts(rank, stream, E * sizeof(int32_t)) {
    x.write(tokens.x);
    ids.write(tokens.ids);
    rows.poison();
    slots.poison();
    moert_expert_counts_args count = {};
    count.size = sizeof(count);
    count.parts = 1;
    count.tokens = tokens.S;
    count.top_k = tokens.k;
    count.experts = E;
    count.ids = ids.data();
    count.counts = counts.data();
    count.ids_type = idsType;
    count.counts_type = MOERT_I32;
    REQUIRE(rank, moert_expert_counts(stream, &count));
    moert_order_rows_args order = {};
    order.size = sizeof(order);
    order.kind = kind;
    order.tokens = tokens.S;
    order.hidden = tokens.M;
    order.top_k = tokens.k;
    order.experts = E;
    order.x = x.data();
    order.ids = ids.data();
    order.rows = rows.data();
    order.slots = slots.data();
    order.type = type;
    order.ids_type = idsType;
    REQUIRE(rank, moert_order_rows(stream, &order));
  }
  Array x, ids, rows, slots, counts;
};
} // namespace

static void checkSort(Rank &rank, const Tokens &tokens, const Sorted &sorted,
                      moert_type type, moert_type idsType,
                      moert_order_kind kind, size_t E,
                      const std::string &where) {
  std::vector<size_t> copies = sortCopies(tokens, idsType, kind);
  // All bits set is -1: an assignment that is not sent.
  Bytes slots(tokens.ids.size(), Bytes::value_type(0xff));
  Bytes counts(E * sizeof(int32_t), 0);
  for (size_t row = 0; row < copies.size(); ++row) {
    storeInteger(idsType, slots, copies[row], row);
    int64_t e = loadInteger(idsType, tokens.ids, copies[row]);
    storeInteger(MOERT_I32, counts, e, loadInteger(MOERT_I32, counts, e) + 1);
  }
  rank.check("expert_counts, " + where, MOERT_I32, counts,
             sorted.counts.read());
  rank.check("order_rows, slots, " + where, idsType, slots,
             sorted.slots.read());
  Bytes expected = gather(tokens, copies, tokens.M * moert_type_size(type));
  rank.check("order_rows, rows, " + where, type, expected,
             getFirst(sorted.rows.read(), expected.size()));
}

/// Tests counts of parts of the tokens, each part separately.
static void testParts(Rank &rank, Stream &stream, moert_type idsType,
                      moert_type countsType, size_t n, size_t S, size_t k,
                      size_t E) {
  Bytes ids(n * S * k * moert_type_size(idsType)),
      expected(n * E * moert_type_size(countsType), 0);
  for (size_t at = 0; at < n * S * k; ++at) {
    int64_t e = draw(4, 11, 0, 1, E, at);
    storeInteger(idsType, ids, at, e);
    size_t cell = at / (S * k) * E + e;
    storeInteger(countsType, expected, cell,
                 loadInteger(countsType, expected, cell) + 1);
  }
  Array own(rank, stream, ids.size()), counts(rank, stream, expected.size());
  own.write(ids);
  counts.poison();
  moert_expert_counts_args args = {};
  args.size = sizeof(args);
  args.parts = n;
  args.tokens = S;
  args.top_k = k;
  args.experts = E;
  args.ids = own.data();
  args.counts = counts.data();
  args.ids_type = idsType;
  args.counts_type = countsType;
  REQUIRE(rank, moert_expert_counts(stream, &args));
  rank.check("expert_counts of " + std::to_string(n) + " parts of " +
                 std::to_string(S) + " tokens",
             countsType, expected, counts.read());
}

/// Tests the nodes of each token's experts; some tokens have none.
static void testNodes(Rank &rank, Stream &stream, moert_type idsType, size_t S,
                      size_t k, size_t E, size_t N, uint64_t seed) {
  size_t width = std::min(k, N), size = moert_type_size(idsType);
  Bytes ids(S * k * size), expected(S * width * size, Bytes::value_type(0xff));
  for (size_t s = 0; s < S; ++s) {
    std::vector<int64_t> found;
    for (size_t at = s * k; at < (s + 1) * k; ++at) {
      int64_t expert = draw(5, seed, 0, 1, E, at);
      storeInteger(idsType, ids, at, expert);
      int64_t node = expert / static_cast<int64_t>(E / N);
      if (expert >= 0 && std::count(found.begin(), found.end(), node) == 0)
        found.push_back(node);
    }
    for (size_t i = 0; i < found.size(); ++i)
      storeInteger(idsType, expected, s * width + i, found[i]);
  }
  Array own(rank, stream, ids.size()), nodes(rank, stream, expected.size());
  own.write(ids);
  nodes.poison();
  moert_distinct_nodes_args args = {};
  args.size = sizeof(args);
  args.tokens = S;
  args.top_k = k;
  args.experts = E;
  args.nodes = N;
  args.width = width;
  args.ids = own.data();
  args.result = nodes.data();
  args.ids_type = idsType;
  REQUIRE(rank, moert_distinct_nodes(stream, &args));
  rank.check("distinct_nodes of " + std::to_string(S) + " tokens on " +
                 std::to_string(N) + " nodes",
             idsType, expected, nodes.read());
}

/// Tests the assignments within the limits of their experts, in the order of
/// choices or tokens.
static void testLimits(Rank &rank, Stream &stream, moert_type idsType,
                       moert_order_kind kind, size_t S, size_t k, size_t E,
                       size_t L, uint64_t seed) {
  size_t size = moert_type_size(idsType);
  Bytes ids(S * k * size), expected(S * k * size, Bytes::value_type(0xff));
  Bytes limits(L * sizeof(int16_t));
  std::vector<size_t> left(L);
  for (size_t i = 0; i < L; ++i) {
    // From 0 to more than all assignments.
    left[i] = i % 4 == 3 ? S * k : S * k * (i % 4) / (2 * L);
    storeInteger(MOERT_I16, limits, i, static_cast<int64_t>(left[i]));
  }
  for (size_t at = 0; at < S * k; ++at)
    storeInteger(idsType, ids, at, draw(5, seed, 0, 1, E, at));
  for (size_t i = 0; i < S * k; ++i) {
    size_t at = kind == MOERT_ORDER_CHOICE ? i % S * k + i / S : i;
    int64_t expert = loadInteger(idsType, ids, at);
    if (expert < 0 || left[expert / (E / L)] == 0)
      continue;
    --left[expert / (E / L)];
    storeInteger(idsType, expected, at, expert);
  }
  Array own(rank, stream, ids.size()), some(rank, stream, limits.size());
  Array sent(rank, stream, expected.size());
  own.write(ids);
  some.write(limits);
  sent.poison();
  moert_limit_choices_args args = {};
  args.size = sizeof(args);
  args.kind = kind;
  args.tokens = S;
  args.top_k = k;
  args.experts = E;
  args.groups = L;
  args.ids = own.data();
  args.limits = some.data();
  args.result = sent.data();
  args.ids_type = idsType;
  args.limits_type = MOERT_I16;
  REQUIRE(rank, moert_limit_choices(stream, &args));
  rank.check("limit_choices of " + std::to_string(S) + " tokens by " +
                 std::to_string(L) + " limits",
             idsType, expected, sent.read());
}

static void testLayer(Rank &rank, Stream &stream, Comm &comm, moert_type type,
                      moert_order_kind kind, size_t choice, uint64_t seed,
                      size_t S, size_t k, size_t own, size_t M,
                      const std::string &where) {
  moert_type idsType = kind == MOERT_ORDER_TOKEN ? MOERT_I64 : MOERT_I32;
  size_t n = comm.size(), me = comm.position(), E = n * own;
  size_t unit = M * moert_type_size(type);
  std::vector<Tokens> tokens;
  for (size_t i = 0; i < n; ++i)
    tokens.push_back(drawTokens(type, idsType, choice, seed, i, n, S, k, E, M));
  Sorted sorted(rank, stream, tokens[me], type, idsType, kind, E);
  checkSort(rank, tokens[me], sorted, type, idsType, kind, E, where);

  // The only exchange of sizes, and the only wait of the host.
  Array all(rank, stream, n * E * sizeof(int32_t));
  REQUIRE(rank, moert_all_gather(comm, sorted.counts.data(), all.data(), E,
                                 MOERT_I32));
  Bytes counts = all.read();
  int64_t limit = 0;
  std::vector<int64_t> received(n, 0);
  for (size_t i = 0; i < n; ++i)
    for (size_t e = 0; e < E; ++e)
      received[e / own] += loadInteger(MOERT_I32, counts, i * E + e);
  limit = *std::max_element(received.begin(), received.end());
  std::vector<int64_t> so(n), ss(n), ro(n), rs(n), po(n * own), ps(n * own);
  REQUIRE(rank, moert_ragged_plan(rank.context, me, n, 0, 1, comm.ranks.data(),
                                  E, limit, counts.data(), MOERT_I32, so.data(),
                                  ss.data(), ro.data(), rs.data(), po.data(),
                                  ps.data(), MOERT_I64));
  int64_t rows = tokens[me].S * k;
  Array in(rank, stream, limit * unit), back(rank, stream, rows * unit);
  in.write(Bytes(limit * unit, 0));
  REQUIRE(rank, moert_ragged_all_to_all(comm, sorted.rows.data(), rows,
                                        in.data(), limit, M, so.data(),
                                        ss.data(), ro.data(), rs.data(), type));
  Bytes expected(limit * unit, 0);
  for (size_t i = 0; i < n; ++i) {
    Bytes theirs =
        gather(tokens[i], sortCopies(tokens[i], idsType, kind), unit);
    int64_t before = 0;
    for (size_t e = 0; e < E; ++e) {
      int64_t count = loadInteger(MOERT_I32, counts, i * E + e);
      if (e / own == me)
        std::copy_n(theirs.begin() + before * unit, count * unit,
                    expected.begin() + po[i * own + e % own] * unit);
      before += count;
    }
  }
  rank.check("rows of experts, " + where, type, expected, in.read());
  REQUIRE(rank, moert_ragged_all_to_all(comm, in.data(), limit, back.data(),
                                        rows, M, ro.data(), rs.data(),
                                        so.data(), ss.data(), type));
  size_t sent = sortCopies(tokens[me], idsType, kind).size() * unit;
  rank.check("rows that come back, " + where, type,
             getFirst(sorted.rows.read(), sent), getFirst(back.read(), sent));

  // With a limit of one row less, all ranks must fail with the same message.
  if (limit == 0)
    return;
  size_t full =
      std::max_element(received.begin(), received.end()) - received.begin();
  moert_status status = moert_ragged_plan(
      rank.context, me, n, 0, 1, comm.ranks.data(), E, limit - 1, counts.data(),
      MOERT_I32, so.data(), ss.data(), ro.data(), rs.data(), po.data(),
      ps.data(), MOERT_I64);
  std::string words = moert_last_error(rank.context);
  std::string wanted = "expected at most " + std::to_string(limit - 1) +
                       " rows for a rank, got " + std::to_string(limit) +
                       " for rank " + std::to_string(comm.ranks[full]) +
                       ", position " + std::to_string(full) + " of its group";
  ++rank.numCases;
  if (status != MOERT_INVALID_ARGUMENT ||
      words.find(wanted) == std::string::npos)
    rank.fail("ragged_plan, " + where + ": expected '" + wanted + "', got '" +
              words + "'");
}

void conformance::testDropless(Rank &rank) {
  Stream stream(rank, "dropless");
  testParts(rank, stream, MOERT_I32, MOERT_I32, 3, 50, 2, 7);
  testParts(rank, stream, MOERT_I8, MOERT_I64, 1, 700, 8, 128);
  testParts(rank, stream, MOERT_I64, MOERT_I16, 5, 0, 1, 4);
  testParts(rank, stream, MOERT_I16, MOERT_I32, 2, 1, 1, 1);
  testParts(rank, stream, MOERT_I32, MOERT_I32, 0, 9, 1, 3);
  testNodes(rank, stream, MOERT_I32, 50, 8, 64, 8, 3);
  testNodes(rank, stream, MOERT_I8, 700, 3, 4, 2, 4);
  testNodes(rank, stream, MOERT_I64, 9, 1, 6, 6, 5);
  testNodes(rank, stream, MOERT_I16, 7, 12, 12, 1, 6);
  testNodes(rank, stream, MOERT_I32, 0, 2, 4, 2, 7);
  for (moert_order_kind kind : {MOERT_ORDER_CHOICE, MOERT_ORDER_TOKEN}) {
    testLimits(rank, stream, MOERT_I32, kind, 700, 3, 16, 16, 8);
    testLimits(rank, stream, MOERT_I64, kind, 50, 8, 64, 8, 9);
    testLimits(rank, stream, MOERT_I8, kind, 9, 1, 6, 2, 10);
    testLimits(rank, stream, MOERT_I16, kind, 5, 2, 3, 1, 11);
    testLimits(rank, stream, MOERT_I32, kind, 0, 2, 4, 2, 12);
  }
  uint64_t key = 400;
  for (const Partition &partition : makePartitions(rank.worldSize())) {
    Comm comm(rank, stream, partition, ++key);
    if (!comm)
      continue;
    for (moert_order_kind kind : {MOERT_ORDER_CHOICE, MOERT_ORDER_TOKEN})
      for (size_t choice = 0; choice < std::size(kChoices); ++choice)
        for (size_t own : {1, 3}) {
          moert_type type = allTypes()[(choice + own) % allTypes().size()];
          // The larger sizes take several tiles on devices.
          size_t S = choice == 4 ? 333 : 21, M = own == 1 ? 5 : 16;
          testLayer(rank, stream, comm, type, kind, choice,
                    key * 100 + choice * 10 + own, S, 2, own, M,
                    std::string(kChoices[choice]) + ", rows of " +
                        std::to_string(M) + " " + nameOf(type) + " on " +
                        partition.name);
        }
  }
}
