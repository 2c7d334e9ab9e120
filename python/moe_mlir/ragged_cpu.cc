//===- ragged_cpu.cc - JAX's ragged all-to-all on CPUs ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler of XLA's FFI. The devices of a process are threads: those of a group
// meet under the run, the call and the group, and each takes what the others
// have for it from their own buffers. Nobody leaves before all have taken. A
// device that never comes ends in an error before XLA ends the process for it
// (40 s). Compiled by moe_mlir.enable_ragged_on_cpu.
//
//===----------------------------------------------------------------------===//

#include "xla/ffi/api/ffi.h"
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace ffi = xla::ffi;

namespace {

/// Rows a device has, and which of them go where: by the place in the group.
struct Member {
  const char *rows = nullptr;
  int64_t numRows = 0;
  std::vector<int64_t> offsets, sizes, places;
};

/// One exchange of one group.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  size_t arrived = 0, done = 0;
  std::vector<Member> members;
};

using Key = std::tuple<int64_t, int64_t, int64_t>;

std::mutex meetingsMutex;
std::map<Key, std::shared_ptr<Meeting>> meetings;

/// Reads offsets or sizes of 32 or 64 bits; false for other types.
bool readIntegers(const ffi::AnyBuffer &buffer, std::vector<int64_t> &values) {
  size_t count = buffer.element_count();
  values.resize(count);
  if (buffer.element_type() == ffi::S32) {
    auto *from = static_cast<const int32_t *>(buffer.untyped_data());
    values.assign(from, from + count);
    return true;
  }
  if (buffer.element_type() != ffi::S64)
    return false;
  auto *from = static_cast<const int64_t *>(buffer.untyped_data());
  values.assign(from, from + count);
  return true;
}

ffi::Error fail(ffi::ErrorCode code, const std::string &message) {
  return ffi::Error(code, "ragged_all_to_all: " + message);
}

ffi::Error exchange(ffi::RunId run, ffi::AnyBuffer rows, ffi::AnyBuffer output,
                    ffi::AnyBuffer inputOffsets, ffi::AnyBuffer sendSizes,
                    ffi::AnyBuffer outputOffsets, ffi::AnyBuffer receiveSizes,
                    ffi::Buffer<ffi::U32> device,
                    ffi::Result<ffi::AnyBuffer> result, int64_t call,
                    int64_t groupSize, int64_t timeoutMs,
                    ffi::Span<const int64_t> groups) {
  int64_t own = device.typed_data()[0], group = -1, place = -1;
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i] == own) {
      group = static_cast<int64_t>(i) / groupSize;
      place = static_cast<int64_t>(i) % groupSize;
    }
  if (group < 0)
    return fail(ffi::ErrorCode::kInvalidArgument,
                "expected device " + std::to_string(own) +
                    " in a group, found it in none");
  Member member;
  std::vector<int64_t> receive;
  if (!readIntegers(inputOffsets, member.offsets) ||
      !readIntegers(sendSizes, member.sizes) ||
      !readIntegers(outputOffsets, member.places) ||
      !readIntegers(receiveSizes, receive))
    return fail(ffi::ErrorCode::kInvalidArgument,
                "expected offsets and sizes of 32 or 64 bits");
  auto peers = static_cast<size_t>(groupSize);
  if (member.offsets.size() != peers || member.sizes.size() != peers ||
      member.places.size() != peers || receive.size() != peers)
    return fail(ffi::ErrorCode::kInvalidArgument,
                "expected offsets and sizes for " + std::to_string(peers) +
                    " devices, got " + std::to_string(member.sizes.size()));
  auto getRowBytes = [](const ffi::AnyBuffer &buffer) {
    size_t bytes = ffi::ByteWidth(buffer.element_type());
    for (size_t i = 1; i < buffer.dimensions().size(); ++i)
      bytes *= static_cast<size_t>(buffer.dimensions()[i]);
    return bytes;
  };
  size_t rowBytes = getRowBytes(rows);
  int64_t outputRows = output.dimensions()[0];
  member.rows = static_cast<const char *>(rows.untyped_data());
  member.numRows = rows.dimensions()[0];

  // What is not received stays what it was.
  auto *target = static_cast<char *>(result->untyped_data());
  if (target != output.untyped_data() && output.size_bytes() > 0)
    std::memcpy(target, output.untyped_data(), output.size_bytes());

  Key key(run.run_id, call, group);
  std::shared_ptr<Meeting> meeting;
  auto until = std::chrono::steady_clock::now() +
               std::chrono::milliseconds(timeoutMs);
  {
    std::lock_guard<std::mutex> all(meetingsMutex);
    std::shared_ptr<Meeting> &entry = meetings[key];
    if (!entry) {
      entry = std::make_shared<Meeting>();
      entry->members.resize(peers);
    }
    meeting = entry;
    std::lock_guard<std::mutex> lock(meeting->mutex);
    meeting->members[static_cast<size_t>(place)] = std::move(member);
    // The next exchange of this call, in a loop, is another meeting.
    if (++meeting->arrived == peers) {
      meetings.erase(key);
      meeting->changed.notify_all();
    }
  }
  std::unique_lock<std::mutex> lock(meeting->mutex);
  if (!meeting->changed.wait_until(
          lock, until, [&] { return meeting->arrived >= peers; })) {
    std::string met = std::to_string(meeting->arrived);
    lock.unlock();
    std::lock_guard<std::mutex> all(meetingsMutex);
    meetings.erase(key);
    return fail(ffi::ErrorCode::kDeadlineExceeded,
                "device " + std::to_string(own) + " met " + met + " of " +
                    std::to_string(peers) + " devices of its group in " +
                    std::to_string(timeoutMs) + " ms");
  }
  lock.unlock();

  std::string problem;
  for (size_t peer = 0; peer < peers && problem.empty(); ++peer) {
    const Member &from = meeting->members[peer];
    auto mine = static_cast<size_t>(place);
    int64_t size = from.sizes[mine], offset = from.offsets[mine],
            at = from.places[mine];
    std::string who = "from place " + std::to_string(peer) + " to place " +
                      std::to_string(place) + " of the group: ";
    if (size != receive[peer])
      problem = who + "expected " + std::to_string(receive[peer]) +
                " rows, as the receiver says, got " + std::to_string(size);
    else if (size < 0 || offset < 0 || at < 0 ||
             offset + size > from.numRows || at + size > outputRows)
      problem = who + "expected rows of the operand and the output, got " +
                std::to_string(size) + " from row " + std::to_string(offset) +
                " of " + std::to_string(from.numRows) + " to row " +
                std::to_string(at) + " of " + std::to_string(outputRows);
    else if (size > 0)
      std::memcpy(target + static_cast<size_t>(at) * rowBytes,
                  from.rows + static_cast<size_t>(offset) * rowBytes,
                  static_cast<size_t>(size) * rowBytes);
  }

  lock.lock();
  if (++meeting->done == peers)
    meeting->changed.notify_all();
  bool left = meeting->changed.wait_until(
      lock, until, [&] { return meeting->done >= peers; });
  if (!problem.empty())
    return fail(ffi::ErrorCode::kInvalidArgument, problem);
  if (!left)
    return fail(ffi::ErrorCode::kDeadlineExceeded,
                "a device of the group did not take its rows in time");
  return ffi::Error::Success();
}

} // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    MoeRaggedAllToAll, exchange,
    ffi::Ffi::Bind()
        .Ctx<ffi::RunId>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::Buffer<ffi::U32>>()
        .Ret<ffi::AnyBuffer>()
        .Attr<int64_t>("call")
        .Attr<int64_t>("group_size")
        .Attr<int64_t>("timeout_ms")
        .Attr<ffi::Span<const int64_t>>("groups"));
