// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the reuse of buffers, streams and events.

#include "Rank.h"
#include <algorithm>
#include <memory>

using namespace conformance;

/// Sends data back and forth by all-to-alls, many times with the same two
/// buffers and without waits in between. The data must return to their rank.
static void testReuse(Rank &rank, const Partition &whole) {
  constexpr size_t kBlock = 3000, kRounds = 60;
  Stream stream(rank, "reuse");
  Comm comm(rank, stream, whole, 300);
  size_t count = kBlock * comm.size();
  Bytes own = randomBits(MOERT_F32, count, 77 + rank.number());
  Array a(rank, stream, own.size()), b(rank, stream, own.size());
  a.write(own);
  for (size_t round = 0; round < kRounds; ++round) {
    REQUIRE(rank,
            moert_all_to_all(comm, a.data(), b.data(), kBlock, MOERT_F32));
    REQUIRE(rank, moert_fill_zero(stream, a.data(), round % 5 ? 0 : count,
                                  MOERT_F32));
    REQUIRE(rank,
            moert_all_to_all(comm, b.data(), a.data(), kBlock, MOERT_F32));
  }
  rank.check("all_to_all there and back", MOERT_F32, own, a.read());
}

/// Reduces in place, many times: every rank's integers follow the same
/// sequence.
static void testRepeatedReduction(Rank &rank, const Partition &whole) {
  constexpr size_t kCount = 1500, kRounds = 20;
  Stream stream(rank, "repeated");
  Comm comm(rank, stream, whole, 301);
  std::vector<Bytes> all;
  for (size_t i = 0; i < comm.size(); ++i)
    all.push_back(randomNumbers(MOERT_I32, kCount, 500 + i));
  Array x(rank, stream, all[0].size());
  x.write(all[comm.position()]);
  for (size_t round = 0; round < kRounds; ++round) {
    REQUIRE(rank, moert_all_reduce(comm, x.data(), x.data(), kCount, MOERT_I32,
                                   MOERT_SUM));
    Bytes sum = reduce(MOERT_I32, MOERT_SUM, all);
    std::fill(all.begin(), all.end(), sum);
  }
  rank.check("all_reduce repeated in place", MOERT_I32, all[0], x.read());
}

/// Three streams pass data around in a circle with events only, and the host
/// only waits at the end. The communicators have groups of two shapes.
static void testCircle(Rank &rank, const Partition &whole,
                       const Partition &parts) {
  constexpr size_t kBlock = 700, kRounds = 25;
  Stream first(rank, "first"), second(rank, "second"), third(rank, "third");
  Comm exchange(rank, first, whole, 302), gather(rank, second, parts, 303);
  if (!gather)
    return;
  size_t n = exchange.size(), count = kBlock * n, g = gather.size();
  moert_event *exchanged, *gathered, *copied;
  for (moert_event **event : {&exchanged, &gathered, &copied})
    REQUIRE(rank, moert_event_create_timed(rank.context, event));
  std::vector<Bytes> model;
  for (size_t r = 0; r < n; ++r)
    model.push_back(randomBits(MOERT_BF16, count, 900 + r));
  size_t bytes = model[0].size(), unit = kBlock * 2;
  Array a(rank, first, bytes), b(rank, first, bytes),
      c(rank, second, bytes * g);
  a.write(model[rank.number()]);
  for (size_t round = 0; round < kRounds; ++round) {
    REQUIRE(rank, moert_stream_wait_event(first, copied));
    REQUIRE(rank,
            moert_all_to_all(exchange, a.data(), b.data(), kBlock, MOERT_BF16));
    REQUIRE(rank, moert_event_record(exchanged, first));
    REQUIRE(rank, moert_stream_wait_event(second, exchanged));
    REQUIRE(rank,
            moert_all_gather(gather, b.data(), c.data(), count, MOERT_BF16));
    REQUIRE(rank, moert_event_record(gathered, second));
    REQUIRE(rank, moert_stream_wait_event(third, gathered));
    // The last member's part is the next input of all.
    REQUIRE(rank, moert_copy(third, a.data(), c.data((g - 1) * bytes), bytes));
    REQUIRE(rank, moert_event_record(copied, third));

    std::vector<Bytes> after(n, Bytes(bytes));
    for (size_t r = 0; r < n; ++r)
      for (size_t i = 0; i < n; ++i)
        std::copy_n(model[i].begin() + r * unit, unit,
                    after[r].begin() + i * unit);
    for (const std::vector<int32_t> &group : parts.groups)
      for (int32_t member : group)
        model[member] = after[group.back()];
  }
  first.synchronize();
  second.synchronize();
  REQUIRE(rank, moert_event_synchronize(copied, MOERT_DEADLINE_DEFAULT));
  int reached = 0;
  REQUIRE(rank, moert_event_query(copied, &reached));
  if (!reached)
    rank.fail("an event that was waited for says it was not reached");
  double elapsed = -1;
  REQUIRE(rank, moert_event_elapsed(exchanged, copied, &elapsed));
  if (!(elapsed >= 0))
    rank.fail("the time between two events is " + std::to_string(elapsed));
  rank.check("circle of streams with " + parts.name, MOERT_BF16,
             model[rank.number()], a.read());
  for (moert_event *event : {exchanged, gathered, copied})
    REQUIRE(rank, moert_event_destroy(event));
}

/// Communicators of one group run concurrently on several streams.
static void testSideBySide(Rank &rank, const Partition &whole) {
  constexpr size_t kStreams = 4, kBlock = 900, kRounds = 10;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Comm>> comms;
  std::vector<std::unique_ptr<Array>> from, to;
  for (size_t s = 0; s < kStreams; ++s) {
    streams.push_back(std::make_unique<Stream>(rank, "side"));
    comms.push_back(std::make_unique<Comm>(rank, *streams[s], whole, 310 + s));
    Bytes own = randomBits(MOERT_I64, kBlock * comms[s]->size(),
                           mix({s, static_cast<uint64_t>(rank.number())}));
    from.push_back(std::make_unique<Array>(rank, *streams[s], own.size()));
    to.push_back(std::make_unique<Array>(rank, *streams[s], own.size()));
    from[s]->write(own);
  }
  for (size_t round = 0; round < kRounds; ++round)
    for (size_t s = 0; s < kStreams; ++s)
      REQUIRE(rank, moert_all_to_all(*comms[s], from[s]->data(), to[s]->data(),
                                     kBlock, MOERT_I64));
  for (size_t s = 0; s < kStreams; ++s) {
    size_t n = comms[s]->size(), unit = kBlock * 8;
    Bytes expected(n * unit);
    for (size_t i = 0; i < n; ++i) {
      Bytes peer = randomBits(MOERT_I64, kBlock * n, mix({s, i}));
      std::copy_n(peer.begin() + rank.number() * unit, unit,
                  expected.begin() + i * unit);
    }
    rank.check("all_to_all on stream " + std::to_string(s), MOERT_I64, expected,
               to[s]->read());
  }
}

/// Gathers the numbers of ranks in the job's communicators of all partitions
/// into groups of equal size.
static void testSplits(Rank &rank, const std::vector<Partition> &partitions) {
  Stream staging(rank, "staging");
  moert_stream *stream = nullptr;
  REQUIRE(rank, moert_stream_get(rank.context, "split", 0, &stream));
  for (const Partition &partition : partitions) {
    std::vector<int32_t> all, own;
    size_t size = partition.groups[0].size();
    bool isEven = true;
    for (const std::vector<int32_t> &group : partition.groups) {
      isEven &= group.size() == size;
      all.insert(all.end(), group.begin(), group.end());
      if (std::find(group.begin(), group.end(), rank.number()) != group.end())
        own = group;
    }
    if (!isEven || static_cast<int32_t>(all.size()) != rank.worldSize())
      continue;
    moert_comm *comm = nullptr, *again = nullptr;
    for (moert_comm **made : {&comm, &again})
      REQUIRE(rank, moert_comm_split(stream, all.data(),
                                     static_cast<int32_t>(size),
                                     MOERT_DEADLINE_DEFAULT, made));
    if (again != comm)
      rank.fail("expected one communicator of a partition, got two");
    int32_t number = rank.number();
    Array from(rank, staging, sizeof(number));
    Array to(rank, staging, sizeof(number) * size);
    auto bytesOf = [](const int32_t *numbers, size_t count) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(numbers);
      return Bytes(bytes, bytes + count * sizeof(int32_t));
    };
    from.write(bytesOf(&number, 1));
    staging.synchronize();
    REQUIRE(rank, moert_all_gather(comm, from.data(), to.data(), 1, MOERT_I32));
    REQUIRE(rank, moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
    rank.check("all_gather of the split " + partition.name, MOERT_I32,
               bytesOf(own.data(), size), to.read());
  }
}

/// Launches a kernel that the backend cannot load: CPU backends have no
/// kernels, and no driver accepts this image. The job continues, as the other
/// tests show.
static void testForeignKernel(Rank &rank) {
  Stream stream(rank, "foreign");
  moert_kernel_args kernel = {};
  kernel.size = sizeof(kernel);
  kernel.name = "no_such_kernel";
  kernel.image = "this is no image";
  kernel.image_bytes = 17;
  std::fill_n(kernel.grid, 3, 1);
  std::fill_n(kernel.block, 3, 1);
  for (int i = 0; i < 2; ++i) {
    if (moert_launch_kernel(stream, &kernel) != MOERT_UNAVAILABLE)
      rank.fail("a kernel that is not there: expected UNAVAILABLE");
    std::string words = moert_last_error(rank.context);
    if (words.find("'no_such_kernel'") == std::string::npos)
      rank.fail("expected the kernel's name in: " + words);
  }
}

void conformance::testStreams(Rank &rank) {
  std::vector<Partition> partitions = makePartitions(rank.worldSize());
  testForeignKernel(rank);
  testReuse(rank, partitions[0]);
  testRepeatedReduction(rank, partitions[0]);
  for (const Partition &partition : partitions)
    if (partition.name != "outer two")
      testCircle(rank, partitions[0], partition);
  testSideBySide(rank, partitions[0]);
  testSplits(rank, partitions);
}
