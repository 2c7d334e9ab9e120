// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank of the conformance suite.

#ifndef MOERT_TEST_CONFORMANCE_RANK_H
#define MOERT_TEST_CONFORMANCE_RANK_H

#include "Oracle.h"
#include "moert.h"
#include <string>
#include <vector>

namespace conformance {

/// Thrown when a call failed that had to succeed: the rank cannot go on.
struct Stop {};

/// Ranks of a group in group order, as many groups as there are.
struct Partition {
  std::string name;
  std::vector<std::vector<int32_t>> groups;
};

/// Group shapes over `worldSize` ranks: whole, reversed, contiguous and strided
/// groups of every size, single ranks, groups of different sizes, and one
/// group that leaves ranks out.
std::vector<Partition> makePartitions(int32_t worldSize);

/// A rank's place in the job and what it found wrong.
class Rank {
public:
  explicit Rank(moert_context *context, std::string backend)
      : context(context), backend(std::move(backend)) {}

  int32_t number() const { return moert_rank(context); }
  int32_t worldSize() const { return moert_world_size(context); }
  /// Relative error that reductions may have; 0 for bit for bit.
  double tolerance(moert_type type) const;
  /// Relative error of results of a type that kernels may have which differ
  /// by their rounding alone; 0 for bit for bit.
  double kernelTolerance(moert_type type) const;
  /// Kernels on devices compute in 32-bit floats.
  bool onDevice() const { return backend == "nccl"; }

  /// Notes a failure and goes on.
  void fail(const std::string &what);
  /// Notes a failure of a call and stops the rank.
  void require(moert_status status, const char *call);
  /// Compares and counts one case.
  void check(const std::string &name, moert_type type, const Bytes &expected,
             const Bytes &got, double tolerance = 0);

  moert_context *context;
  std::string backend;
  size_t numCases = 0;
  /// A hash of all results that were compared, in their order.
  uint64_t digest = 0;
  std::vector<std::string> failures;
};

#define REQUIRE(rank, call) (rank).require((call), #call)

/// Device memory with margins around it that nothing may write.
class Array {
public:
  Array(Rank &rank, moert_stream *stream, size_t bytes);
  ~Array();
  Array(const Array &) = delete;

  void *data(size_t offset = 0) const;
  void write(const Bytes &bytes);
  /// Waits for the stream; stops the rank when a margin was written.
  Bytes read() const;
  /// The same content everywhere, to see what is not written.
  void poison();

private:
  static constexpr size_t kMargin = 64;
  Rank &rank;
  moert_stream *stream;
  moert_buffer *buffer = nullptr;
  size_t bytes;
};

/// A stream of its own.
class Stream {
public:
  Stream(Rank &rank, const char *name) : rank(rank) {
    REQUIRE(rank, moert_stream_create(rank.context, name, 0, &handle));
  }
  ~Stream() { moert_stream_destroy(handle); }
  Stream(const Stream &) = delete;
  operator moert_stream *() const { return handle; }
  void synchronize() {
    REQUIRE(rank, moert_stream_synchronize(handle, MOERT_DEADLINE_DEFAULT));
  }

private:
  Rank &rank;
  moert_stream *handle = nullptr;
};

/// The communicator of this rank's group in a partition; none when the
/// partition leaves it out.
class Comm {
public:
  Comm(Rank &rank, moert_stream *stream, const Partition &partition,
       uint64_t key);
  ~Comm() { moert_comm_destroy(handle); }
  Comm(const Comm &) = delete;
  operator moert_comm *() const { return handle; }
  size_t size() const { return ranks.size(); }
  size_t position() const { return place; }

  std::vector<int32_t> ranks;

private:
  moert_comm *handle = nullptr;
  size_t place = 0;
};

// The parts of the suite.
void testCollectives(Rank &rank);
void testRagged(Rank &rank);
void testStreams(Rank &rank);
void testCopies(Rank &rank);
void testKernels(Rank &rank);
void testGates(Rank &rank);
void testGateGradients(Rank &rank, Stream &stream);
void testGradients(Rank &rank);
void testUneven(Rank &rank);
void testDropless(Rank &rank);
void testQuantize(Rank &rank);
void testMixes(Rank &rank);
void testExchanges(Rank &rank);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_RANK_H
