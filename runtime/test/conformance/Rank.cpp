// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank of the conformance suite.

#include "Rank.h"
#include <algorithm>
#include <numeric>

using namespace conformance;

std::vector<Partition> conformance::makePartitions(int32_t n) {
  std::vector<Partition> partitions;
  auto range = [](int32_t begin, int32_t end, int32_t step) {
    std::vector<int32_t> ranks;
    for (int32_t r = begin; r < end; r += step)
      ranks.push_back(r);
    return ranks;
  };
  partitions.push_back({"whole", {range(0, n, 1)}});
  if (n == 1)
    return partitions;
  std::vector<int32_t> reversed = range(0, n, 1);
  std::reverse(reversed.begin(), reversed.end());
  partitions.push_back({"reversed", {reversed}});
  for (int32_t size = 1; size < n; ++size) {
    if (n % size)
      continue;
    Partition blocks{"blocks of " + std::to_string(size), {}};
    for (int32_t begin = 0; begin < n; begin += size)
      blocks.groups.push_back(range(begin, begin + size, 1));
    partitions.push_back(blocks);
    if (size == 1)
      continue;
    Partition strided{"strided by " + std::to_string(n / size), {}};
    for (int32_t begin = 0; begin < n / size; ++begin)
      strided.groups.push_back(range(begin, n, n / size));
    partitions.push_back(strided);
  }
  Partition uneven{"uneven", {}};
  for (int32_t begin = 0, size = 1; begin < n; begin += size, ++size)
    uneven.groups.push_back(range(begin, std::min(n, begin + size), 1));
  partitions.push_back(uneven);
  partitions.push_back({"outer two", {{n - 1, 0}}});
  return partitions;
}

double Rank::tolerance(moert_type type) const {
  if (backend != "nccl" || !isFloat(type))
    return 0;
  // Allows a few roundings, in any order and with sums of higher precision.
  switch (type) {
  case MOERT_F64:
    return 1e-13;
  case MOERT_F32:
    return 1e-5;
  case MOERT_F16:
    return 1e-2;
  default:
    return 8e-2;
  }
}

double Rank::kernelTolerance(moert_type type) const {
  if (!onDevice())
    return 0;
  // Allows one unit in the last place, or several of 32-bit sums.
  return type == MOERT_F64   ? 1e-12
         : type == MOERT_F32 ? 1e-5
         : type == MOERT_F16 ? 1e-3
                             : 8e-3;
}

void Rank::fail(const std::string &what) {
  failures.push_back("rank " + std::to_string(number()) + ": " + what);
}

void Rank::require(moert_status status, const char *call) {
  if (status == MOERT_OK)
    return;
  fail(std::string(call) + ": " + moert_status_name(status) + ": " +
       moert_last_error(context));
  throw Stop();
}

void Rank::check(const std::string &name, moert_type type,
                 const Bytes &expected, const Bytes &got, double tolerance) {
  ++numCases;
  for (uint8_t byte : got)
    digest = (digest ^ byte) * 0x100000001b3;
  std::string difference = compare(type, expected, got, tolerance);
  if (!difference.empty())
    fail(name + ": " + difference);
}

Array::Array(Rank &rank, moert_stream *stream, size_t bytes)
    : rank(rank), stream(stream), bytes(bytes) {
  REQUIRE(rank, moert_buffer_create(rank.context, bytes + 2 * kMargin,
                                    MOERT_MEMORY_DEVICE, &buffer));
  poison();
}

Array::~Array() {
  if (buffer)
    moert_buffer_destroy(buffer);
}

void *Array::data(size_t offset) const {
  return static_cast<char *>(moert_buffer_data(buffer)) + kMargin + offset;
}

void Array::write(const Bytes &content) {
  REQUIRE(rank, moert_copy(stream, data(), content.data(), content.size()));
  REQUIRE(rank, moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
}

void Array::poison() {
  Bytes all(bytes + 2 * kMargin, 0xa5);
  REQUIRE(rank, moert_copy(stream, moert_buffer_data(buffer), all.data(),
                           all.size()));
  REQUIRE(rank, moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
}

Bytes Array::read() const {
  Bytes all(bytes + 2 * kMargin);
  REQUIRE(rank, moert_copy(stream, all.data(), moert_buffer_data(buffer),
                           all.size()));
  REQUIRE(rank, moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
  auto untouched = [](uint8_t byte) { return byte == 0xa5; };
  if (!std::all_of(all.begin(), all.begin() + kMargin, untouched) ||
      !std::all_of(all.end() - kMargin, all.end(), untouched)) {
    rank.fail("something was written beside a buffer");
    throw Stop();
  }
  return {all.begin() + kMargin, all.end() - kMargin};
}

Comm::Comm(Rank &rank, moert_stream *stream, const Partition &partition,
           uint64_t key) {
  for (const std::vector<int32_t> &group : partition.groups) {
    auto it = std::find(group.begin(), group.end(), rank.number());
    if (it == group.end())
      continue;
    ranks = group;
    place = it - group.begin();
    REQUIRE(rank, moert_comm_create(stream, ranks.data(),
                                    static_cast<int32_t>(ranks.size()), key,
                                    MOERT_DEADLINE_DEFAULT, &handle));
  }
}
