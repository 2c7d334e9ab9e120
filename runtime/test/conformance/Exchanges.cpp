// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests exchanges between ranks on the host.

#include "Rank.h"
#include "moert_extend.h"

using namespace conformance;

static Bytes makeWords(int32_t rank, size_t bytes, size_t round) {
  Bytes words(bytes);
  for (size_t i = 0; i < bytes; ++i)
    words[i] = static_cast<unsigned char>(31 * rank + 7 * i + round);
  return words;
}

/// Exchanges messages of many lengths, including empty ones, in the same order
/// on all ranks, while a stream has work that does not wait for them.
void conformance::testExchanges(Rank &rank) {
  Stream stream(rank, "beside");
  Comm comm(rank, stream, makePartitions(rank.worldSize())[0], 1);
  size_t n = static_cast<size_t>(rank.worldSize()), round = 0;
  for (size_t bytes : {0, 1, 8, 1000, 1, 0, MOERT_MAX_EXCHANGE}) {
    REQUIRE(rank, moert_barrier(comm));
    Bytes own = makeWords(rank.number(), bytes, round), all(n * bytes),
          expected;
    for (size_t i = 0; i < n; ++i) {
      Bytes words = makeWords(static_cast<int32_t>(i), bytes, round);
      expected.insert(expected.end(), words.begin(), words.end());
    }
    std::string name = "exchange " + std::to_string(round++);
    REQUIRE(rank, moert_exchange(rank.context, name.c_str(), own.data(), bytes,
                                 all.data(), MOERT_DEADLINE_DEFAULT));
    rank.check(name, MOERT_I8, expected, all);
  }
  char byte = 0;
  if (moert_exchange(rank.context, "too long", &byte, MOERT_MAX_EXCHANGE + 1,
                     &byte, MOERT_DEADLINE_DEFAULT) != MOERT_INVALID_ARGUMENT)
    rank.fail("an exchange of too many bytes");
  stream.synchronize();
}
