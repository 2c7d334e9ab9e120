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

/// Thrown after the failure of a required call, because the rank cannot
/// continue.
struct Stop {};

/// Groups of ranks, each in group order.
struct Partition {
  std::string name;
  std::vector<std::vector<int32_t>> groups;
};

/// Returns group shapes over `worldSize` ranks: whole, reversed, contiguous and
/// strided groups of every size, single ranks, groups of different sizes, and
/// one group that excludes some ranks.
std::vector<Partition> makePartitions(int32_t worldSize);

/// A rank of the job and the failures that it found.
class Rank {
public:
  explicit Rank(moert_context *context, std::string backend)
      : context(context), backend(std::move(backend)) {}

  int32_t number() const { return moert_rank(context); }
  int32_t worldSize() const { return moert_world_size(context); }
  /// Returns the allowed relative error of reductions; 0 for bit for bit.
  double tolerance(moert_type type) const;
  /// Returns the allowed relative error of kernel results that only differ by
  /// rounding; 0 for bit for bit.
  double kernelTolerance(moert_type type) const;
  /// Returns true for devices, whose kernels compute in 32-bit floats.
  bool onDevice() const { return backend == "nccl"; }

  /// Records a failure and continues.
  void fail(const std::string &what);
  /// Records the failure of `call` and stops the rank.
  void require(moert_status status, const char *call);
  /// Compares the results of one case and counts it.
  void check(const std::string &name, moert_type type, const Bytes &expected,
             const Bytes &got, double tolerance = 0);

  moert_context *context;
  std::string backend;
  size_t numCases = 0;
  /// A hash of all compared results, in order.
  uint64_t digest = 0;
  std::vector<std::string> failures;
};

#define REQUIRE(rank, call) (rank).require((call), #call)

/// Device memory with margins that must not be written.
class Array {
public:
  Array(Rank &rank, moert_stream *stream, size_t bytes);
  ~Array();
  Array(const Array &) = delete;

  void *data(size_t offset = 0) const;
  void write(const Bytes &bytes);
  /// Waits for the stream. Stops the rank if a margin was written.
  Bytes read() const;
  /// Fills the array with a constant, to detect missing writes.
  void poison();

private:
  static constexpr size_t kMargin = 64;
  Rank &rank;
  moert_stream *stream;
  moert_buffer *buffer = nullptr;
  size_t bytes;
};

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

/// The communicator of this rank's group in a partition; null if the partition
/// excludes the rank.
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
