// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX's ragged all-to-all on CPUs.
//
// A handler of XLA's FFI. The devices of a process meet under the op, the run
// and the group, and each copies its rows from the buffers of the others. No
// device finishes before all have copied. If a device never comes, the others
// fail before XLA ends the process (40 s). Compiled by
// moe_mlir.enable_ragged_on_cpu.
//
//===----------------------------------------------------------------------===//

#include "cpu_handlers.h"
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

/// One exchange of one group. `meetingsMutex` guards the numbers.
struct Meeting {
  std::condition_variable changed;
  size_t arrived = 0, done = 0;
  std::vector<Member> members;
};

using Key = std::tuple<const ExecutableOp *, int64_t, int64_t>;

// Never destroyed: a thread may be at work when the process ends.
std::mutex meetingsMutex;
auto &meetings = *new std::map<Key, std::shared_ptr<Meeting>>;

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

/// One device's part of an exchange. XLA keeps the buffers until the exchange
/// is done, but not the call that describes them.
struct Part {
  Key key;
  size_t place, peers;
  int64_t device;
  std::vector<int64_t> receive;
  char *target;
  int64_t targetRows;
  size_t rowBytes;
  std::chrono::steady_clock::time_point until;
  int64_t timeoutMs;
};

/// Copies the rows that the others have for this device; the first problem.
std::string take(const Part &own, const Meeting &meeting) {
  for (size_t peer = 0; peer < own.peers; ++peer) {
    const Member &from = meeting.members[peer];
    int64_t size = from.sizes[own.place], offset = from.offsets[own.place],
            at = from.places[own.place];
    std::string who = "from place " + std::to_string(peer) + " to place " +
                      std::to_string(own.place) + " of the group: ";
    if (size != own.receive[peer])
      return who + "expected " + std::to_string(own.receive[peer]) +
             " rows, as the receiver says, got " + std::to_string(size);
    if (size < 0 || offset < 0 || at < 0 || offset + size > from.numRows ||
        at + size > own.targetRows)
      return who + "expected rows of the operand and the output, got " +
             std::to_string(size) + " from row " + std::to_string(offset) +
             " of " + std::to_string(from.numRows) + " to row " +
             std::to_string(at) + " of " + std::to_string(own.targetRows);
    if (size > 0)
      std::memcpy(own.target + static_cast<size_t>(at) * own.rowBytes,
                  from.rows + static_cast<size_t>(offset) * own.rowBytes,
                  static_cast<size_t>(size) * own.rowBytes);
  }
  return "";
}

/// Meets the other devices of the group, and copies.
ffi::Error meet(const Part &own, const Member &member) {
  std::unique_lock<std::mutex> lock(meetingsMutex);
  std::shared_ptr<Meeting> &entry = meetings[own.key];
  if (!entry) {
    entry = std::make_shared<Meeting>();
    entry->members.resize(own.peers);
  }
  std::shared_ptr<Meeting> meeting = entry;
  meeting->members[own.place] = member;
  // The next exchange of this op, in a loop, is another meeting.
  if (++meeting->arrived == own.peers) {
    meetings.erase(own.key);
    meeting->changed.notify_all();
  }
  if (!meeting->changed.wait_until(
          lock, own.until, [&] { return meeting->arrived >= own.peers; })) {
    meetings.erase(own.key);
    return fail(ffi::ErrorCode::kDeadlineExceeded,
                "device " + std::to_string(own.device) + " met " +
                    std::to_string(meeting->arrived) + " of " +
                    std::to_string(own.peers) + " devices of its group in " +
                    std::to_string(own.timeoutMs) + " ms");
  }
  lock.unlock();
  std::string problem = take(own, *meeting);

  lock.lock();
  if (++meeting->done == own.peers)
    meeting->changed.notify_all();
  // Without a deadline, because the others are copying already.
  meeting->changed.wait(lock, [&] { return meeting->done >= own.peers; });
  if (!problem.empty())
    return fail(ffi::ErrorCode::kInvalidArgument, problem);
  return ffi::Error::Success();
}

/// The bytes of one row.
size_t getRowBytes(const ffi::AnyBuffer &buffer) {
  size_t bytes = ffi::ByteWidth(buffer.element_type());
  for (size_t i = 1; i < buffer.dimensions().size(); ++i)
    bytes *= static_cast<size_t>(buffer.dimensions()[i]);
  return bytes;
}

ffi::Future exchange(ffi::RunId run, ExecutableOp *op, ffi::AnyBuffer rows,
                     ffi::AnyBuffer output, ffi::AnyBuffer inputOffsets,
                     ffi::AnyBuffer sendSizes, ffi::AnyBuffer outputOffsets,
                     ffi::AnyBuffer receiveSizes, ffi::Buffer<ffi::U32> device,
                     ffi::Result<ffi::AnyBuffer> result, int64_t groupSize,
                     int64_t timeoutMs, ffi::Span<const int64_t> groups) {
  Part own;
  own.device = device.typed_data()[0];
  int64_t group = -1;
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i] == own.device) {
      group = static_cast<int64_t>(i) / groupSize;
      own.place = i % static_cast<size_t>(groupSize);
    }
  auto refuse = [](ffi::ErrorCode code, const std::string &message) {
    return refuseCall(fail(code, message));
  };
  if (group < 0)
    return refuse(ffi::ErrorCode::kInvalidArgument,
                  "expected device " + std::to_string(own.device) +
                      " in a group, found it in none");
  Member member;
  if (!readIntegers(inputOffsets, member.offsets) ||
      !readIntegers(sendSizes, member.sizes) ||
      !readIntegers(outputOffsets, member.places) ||
      !readIntegers(receiveSizes, own.receive))
    return refuse(ffi::ErrorCode::kInvalidArgument,
                  "expected offsets and sizes of 32 or 64 bits");
  own.peers = static_cast<size_t>(groupSize);
  if (member.offsets.size() != own.peers || member.sizes.size() != own.peers ||
      member.places.size() != own.peers || own.receive.size() != own.peers)
    return refuse(ffi::ErrorCode::kInvalidArgument,
                  "expected offsets and sizes for " +
                      std::to_string(own.peers) + " devices, got " +
                      std::to_string(member.sizes.size()));
  member.rows = static_cast<const char *>(rows.untyped_data());
  member.numRows = rows.dimensions()[0];
  own.rowBytes = getRowBytes(rows);
  own.target = static_cast<char *>(result->untyped_data());
  own.targetRows = output.dimensions()[0];
  own.key = Key(op, run.run_id, group);
  own.timeoutMs = timeoutMs;
  own.until =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(timeoutMs);

  // Rows that no device sends keep their values.
  if (own.target != output.untyped_data() && output.size_bytes() > 0)
    std::memcpy(own.target, output.untyped_data(), output.size_bytes());
  return runOnThread([own, member] { return meet(own, member); });
}

} // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(MoeRaggedAllToAll, exchange,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::RunId>()
                                  .Ctx<ffi::State<ExecutableOp>>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Arg<ffi::Buffer<ffi::U32>>()
                                  .Ret<ffi::AnyBuffer>()
                                  .Attr<int64_t>("group_size")
                                  .Attr<int64_t>("timeout_ms")
                                  .Attr<ffi::Span<const int64_t>>("groups"));

MOE_DEFINE_EXECUTABLE_OP()
