// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests every collective with every type and group shape.

#include "Rank.h"
#include <algorithm>
#include <limits>

using namespace conformance;

namespace {

/// The cases of one communicator. `id` identifies a case, equally on all ranks.
class Cases {
public:
  Cases(Rank &rank, Stream &stream, Comm &comm, std::string where,
        uint64_t seed)
      : rank(rank), stream(stream), comm(comm), where(std::move(where)),
        seed(seed) {}

  void allToAll(moert_type type, size_t block) {
    std::string name = begin("all_to_all", type, block);
    auto inputs = draw(randomBits, type, block * comm.size());
    size_t unit = block * moert_type_size(type);
    Bytes expected(unit * comm.size());
    for (size_t i = 0; i < comm.size(); ++i)
      std::copy_n(inputs[i].begin() + comm.position() * unit, unit,
                  expected.begin() + i * unit);
    Array send(rank, stream, inputs[0].size());
    Array receive(rank, stream, expected.size());
    send.write(inputs[comm.position()]);
    REQUIRE(rank,
            moert_all_to_all(comm, send.data(), receive.data(), block, type));
    rank.check(name, type, expected, receive.read());
    rank.check(name + ", sent", type, inputs[comm.position()], send.read());
  }

  void allGather(moert_type type, size_t count, bool inPlace) {
    std::string name =
        begin(inPlace ? "all_gather in place" : "all_gather", type, count);
    auto inputs = draw(randomBits, type, count);
    Bytes expected;
    for (const Bytes &input : inputs)
      expected.insert(expected.end(), input.begin(), input.end());
    const Bytes &own = inputs[comm.position()];
    Array send(rank, stream, own.size());
    Array receive(rank, stream, expected.size());
    void *from = send.data();
    if (inPlace) {
      Bytes whole(expected.size(), 0xa5);
      std::copy(own.begin(), own.end(),
                whole.begin() + comm.position() * own.size());
      receive.write(whole);
      from = receive.data(comm.position() * own.size());
    } else {
      send.write(own);
    }
    REQUIRE(rank, moert_all_gather(comm, from, receive.data(), count, type));
    rank.check(name, type, expected, receive.read());
  }

  void reduceScatter(moert_type type, moert_reduction reduction, size_t block,
                     bool special = false) {
    std::string name =
        begin("reduce_scatter " + nameOf(reduction), type, block);
    auto inputs = draw(
        [&](moert_type t, size_t n, uint64_t s) {
          return randomNumbers(t, n, s, kindOf(special));
        },
        type, block * comm.size());
    size_t unit = block * moert_type_size(type);
    Bytes all = reduce(type, reduction, inputs, rank.onDevice());
    Bytes expected(all.begin() + comm.position() * unit,
                   all.begin() + (comm.position() + 1) * unit);
    Array send(rank, stream, inputs[0].size());
    Array receive(rank, stream, unit);
    send.write(inputs[comm.position()]);
    REQUIRE(rank, moert_reduce_scatter(comm, send.data(), receive.data(), block,
                                       type, reduction));
    rank.check(name, type, expected, receive.read(),
               toleranceOf(type, special));
  }

  void allReduce(moert_type type, moert_reduction reduction, size_t count,
                 bool inPlace, bool special = false) {
    std::string name = begin(
        (inPlace ? "all_reduce in place " : "all_reduce ") + nameOf(reduction),
        type, count);
    auto inputs = draw(
        [&](moert_type t, size_t n, uint64_t s) {
          return randomNumbers(t, n, s, kindOf(special));
        },
        type, count);
    Bytes expected = reduce(type, reduction, inputs, rank.onDevice());
    Array send(rank, stream, expected.size());
    Array receive(rank, stream, expected.size());
    send.write(inputs[comm.position()]);
    void *to = inPlace ? send.data() : receive.data();
    REQUIRE(rank,
            moert_all_reduce(comm, send.data(), to, count, type, reduction));
    rank.check(name, type, expected, (inPlace ? send : receive).read(),
               toleranceOf(type, special));
  }

  void barrier() {
    begin("barrier", MOERT_I8, 0);
    REQUIRE(rank, moert_barrier(comm));
    stream.synchronize();
  }

private:
  std::string begin(const std::string &kind, moert_type type, size_t count) {
    ++id;
    return kind + " of " + std::to_string(count) + " " + nameOf(type) + " on " +
           where;
  }

  /// Devices reduce in another order, so their numbers must not depend on the
  /// order.
  Numbers kindOf(bool special) const {
    return special           ? Numbers::Special
           : rank.onDevice() ? Numbers::Tame
                             : Numbers::Many;
  }

  /// A reduction of a single rank's data does not change it. A minimum or
  /// maximum is one of the numbers, but devices may choose the sign of a zero
  /// and the NaN.
  double toleranceOf(moert_type type, bool special) const {
    if (comm.size() == 1)
      return 0;
    return special && rank.onDevice()
               ? std::numeric_limits<double>::denorm_min()
               : rank.tolerance(type);
  }

  template <typename Draw>
  std::vector<Bytes> draw(Draw draw, moert_type type, size_t count) {
    std::vector<Bytes> inputs;
    for (int32_t member : comm.ranks)
      inputs.push_back(
          draw(type, count, mix({seed, id, static_cast<uint64_t>(member)})));
    return inputs;
  }

  Rank &rank;
  Stream &stream;
  Comm &comm;
  std::string where;
  uint64_t seed, id = 0;
};

} // namespace

void conformance::testCollectives(Rank &rank) {
  Stream stream(rank, "collectives");
  const moert_reduction reductions[] = {MOERT_SUM, MOERT_PROD, MOERT_MIN,
                                        MOERT_MAX};
  uint64_t key = 100;
  for (const Partition &partition : makePartitions(rank.worldSize())) {
    Comm comm(rank, stream, partition, ++key);
    if (!comm)
      continue;
    Cases cases(rank, stream, comm, partition.name, key);
    bool isWhole = partition.name == "whole";
    for (moert_type type : allTypes()) {
      // Sizes: none, one, odd, more than a page, and for the whole group also
      // more than the eager messages and caches of any transport.
      std::vector<size_t> counts = {1, 1031};
      if (isWhole)
        counts = {0, 1, 7, 64, 1031, 40000};
      for (size_t count : counts) {
        cases.allToAll(type, count);
        cases.allGather(type, count, false);
        cases.allGather(type, count, true);
        for (moert_reduction reduction : reductions) {
          // Large sizes run with one reduction only, because their oracle is
          // slow.
          if (count > 2000 && reduction != MOERT_SUM)
            continue;
          size_t some = std::min<size_t>(count, 5000);
          cases.reduceScatter(type, reduction, some);
          cases.allReduce(type, reduction, some, false);
          cases.allReduce(type, reduction, some, true);
        }
      }
      // NaN, infinities and zeros. On devices, their sums and products depend
      // on the order.
      for (moert_reduction reduction : reductions)
        if (isFloat(type) && (!rank.onDevice() || reduction == MOERT_MIN ||
                              reduction == MOERT_MAX)) {
          cases.reduceScatter(type, reduction, 200, true);
          cases.allReduce(type, reduction, 200, false, true);
        }
      cases.barrier();
    }
  }
}
