// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that the caller's functions connect.

#include "net/CallbackMember.h"
#include "core/Hash.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>

using namespace moert;

constexpr uint32_t kFrameMagic = 0x424f4f54;
constexpr uint32_t kFrameVersion = 1;

namespace {
enum class Purpose : uint32_t { Join = 1, Meet, Exchange };

/// Settings that must be equal on all ranks, in addition to their number.
struct Terms {
  uint64_t token;
  char backend[16];
};
} // namespace

/// One message of an all-gather, in the byte order of the machines, which must
/// be equal.
struct CallbackMember::Frame {
  uint32_t magic = kFrameMagic, version = kFrameVersion;
  /// Number of this `all_gather` in the job.
  uint64_t round = 0;
  int32_t rank = 0, worldSize = 0;
  Purpose purpose = Purpose::Join;
  /// Only for Meet: a hash of the members in their order, their number, and the
  /// position of this one.
  int32_t groupSize = 0;
  uint64_t group = 0;
  int32_t position = 0;
  /// Size of the data in this frame, and in all frames of the exchange.
  uint32_t bytes = 0;
  uint64_t allBytes = 0;
  /// Purpose, truncated.
  char what[192] = "";
  char data[256] = "";
  /// Checksum of all members above.
  uint64_t checksum = 0;

  uint64_t computeChecksum() const {
    return hashBytes(this, offsetof(Frame, checksum));
  }
};

CallbackMember::CallbackMember(const moert_config &config)
    : rank(config.rank), worldSize(config.world_size),
      bootstrap(Bootstrap::start(config)) {}

CallbackMember::~CallbackMember() { bootstrap->stop(); }

Status CallbackMember::join(const moert_config &config, Deadline deadline,
                            std::unique_ptr<Member> &member) {
  std::unique_ptr<CallbackMember> made(new CallbackMember(config));
  Status status = made->verifyConfigs(config, deadline);
  if (status.ok())
    member = std::move(made);
  return status;
}

void CallbackMember::fail(const Status &status,
                          const std::vector<int32_t> &concerned) {
  (void)bootstrap->fail(status, concerned);
}

void CallbackMember::reportStuck(uint64_t group, uint64_t number,
                                 const std::string &words) {
  std::string name;
  {
    std::lock_guard<std::mutex> lock(namesMutex);
    name = group < names.size() ? names[group] : "no group";
  }
  fail(error(MOERT_DEADLINE_EXCEEDED,
             "%s #%" PRIu64 " of %s did not end before the deadline; who is "
             "missing, or calls something else, is not known: the job has an "
             "all_gather of its caller's in place of an address",
             words.c_str(), number, name.c_str()),
       {rank});
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

Status CallbackMember::verify(const Frame &own, const Frame &other,
                              int32_t from) const {
  std::string here = format("all_gather #%" PRIu64 ", %s", own.round, own.what);
  auto wrong = [&](const std::string &got) {
    return error(MOERT_BACKEND_ERROR,
                 "%s: expected of the caller's all_gather the %zu bytes that "
                 "rank %d gave at place %d, got %s",
                 here.c_str(), sizeof(Frame), from, from, got.c_str());
  };
  if (other.magic != kFrameMagic)
    return wrong("bytes that no rank gives");
  if (other.version != kFrameVersion)
    return error(MOERT_BACKEND_ERROR,
                 "%s: expected version %u of what ranks tell each other, got "
                 "version %u of rank %d: the ranks have different libraries",
                 here.c_str(), kFrameVersion, other.version, from);
  if (other.checksum != other.computeChecksum() ||
      other.bytes > sizeof(other.data))
    return wrong("torn ones");
  if (other.rank != from)
    return wrong(format("those of rank %d", other.rank));
  if (other.worldSize != worldSize)
    return error(MOERT_INVALID_ARGUMENT,
                 "%s: expected world_size %d on all ranks, got %d on rank %d",
                 here.c_str(), worldSize, other.worldSize, from);
  if (other.round != own.round)
    return wrong(format("those of its all_gather #%" PRIu64 ", %.*s",
                        other.round, int(sizeof(other.what)), other.what));
  if (other.purpose != own.purpose ||
      (own.purpose != Purpose::Meet &&
       std::memcmp(other.what, own.what, sizeof(own.what)) != 0))
    return error(MOERT_MISMATCH,
                 "all_gather #%" PRIu64 ": expected all ranks to come to the "
                 "same, got rank %d in %s and rank %d in %.*s",
                 own.round, rank, own.what, from, int(sizeof(other.what)),
                 other.what);
  if (own.purpose == Purpose::Exchange && other.allBytes != own.allBytes)
    return error(MOERT_MISMATCH,
                 "%s: expected %" PRIu64 " bytes of every rank, got %" PRIu64
                 " of rank %d",
                 own.what, own.allBytes, other.allBytes, from);
  return {};
}

Status CallbackMember::gather(Frame own, const std::string &what,
                              const std::string &data, Deadline deadline,
                              std::vector<Frame> &frames,
                              std::vector<std::string> &all) {
  std::unique_lock<std::timed_mutex> lock(turn, deadline.getTime());
  if (!lock)
    return bootstrap->fail(
        error(MOERT_DEADLINE_EXCEEDED,
              "%s: expected another thread's call of the caller's all_gather "
              "to end before the deadline",
              what.c_str()),
        {rank});
  own.rank = rank;
  own.worldSize = worldSize;
  own.allBytes = data.size();
  std::snprintf(own.what, sizeof(own.what), "%s", what.c_str());
  frames.assign(worldSize, Frame());
  all.assign(worldSize, "");
  size_t done = 0;
  do {
    own.round = round++;
    own.bytes =
        static_cast<uint32_t>(std::min(data.size() - done, sizeof(own.data)));
    std::memcpy(own.data, data.data() + done, own.bytes);
    own.checksum = own.computeChecksum();
    std::string everyones;
    Status status = bootstrap->gather(
        std::string(reinterpret_cast<const char *>(&own), sizeof(own)), what,
        deadline, everyones);
    for (int32_t from = 0; status.ok() && from < worldSize; ++from) {
      Frame &frame = frames[from];
      std::memcpy(static_cast<void *>(&frame),
                  everyones.data() + sizeof(Frame) * from, sizeof(Frame));
      status = verify(own, frame, from);
      if (!status.ok())
        status = bootstrap->fail(std::move(status), {rank});
      else
        all[from].append(frame.data, frame.bytes);
    }
    if (!status.ok())
      return status;
    done += own.bytes;
  } while (done < data.size());
  return {};
}

Status CallbackMember::exchange(const std::string &name,
                                const std::string &data, Deadline deadline,
                                std::vector<std::string> &all) {
  Frame own;
  own.purpose = Purpose::Exchange;
  std::vector<Frame> frames;
  return gather(own, name, data, deadline, frames, all);
}

//===----------------------------------------------------------------------===//
// Agreement of ranks
//===----------------------------------------------------------------------===//

Status CallbackMember::verifyConfigs(const moert_config &config,
                                     Deadline deadline) {
  Terms own{};
  std::string token = config.token ? config.token : "";
  own.token = hashBytes(token.data(), token.size());
  std::snprintf(own.backend, sizeof(own.backend), "%s", config.backend);
  std::vector<Frame> frames;
  std::vector<std::string> all;
  Status status =
      gather(Frame(), "the start of the job",
             std::string(reinterpret_cast<const char *>(&own), sizeof(own)),
             deadline, frames, all);
  for (int32_t from = 0; status.ok() && from < worldSize; ++from) {
    Terms other{};
    std::memcpy(&other, all[from].data(),
                std::min(sizeof(other), all[from].size()));
    if (std::strncmp(other.backend, own.backend, sizeof(own.backend)) != 0)
      status = error(MOERT_INVALID_ARGUMENT,
                     "expected one backend on all ranks, got '%s' on rank %d "
                     "and '%.*s' on rank %d",
                     own.backend, rank, int(sizeof(other.backend)),
                     other.backend, from);
    else if (other.token != own.token)
      status = error(MOERT_INVALID_ARGUMENT,
                     "expected one token on all ranks, got another one on "
                     "rank %d than on rank %d",
                     from, rank);
    if (!status.ok())
      status = bootstrap->fail(std::move(status), {rank});
  }
  return status;
}

Status CallbackMember::verifyGroups(const std::vector<Frame> &frames,
                                    const std::vector<int32_t> &ranks,
                                    std::vector<int32_t> &concerned) const {
  // Check this rank's group first, because this rank can describe it; it knows
  // the other groups only by number.
  concerned = {rank};
  for (size_t i = 0; i < ranks.size(); ++i) {
    const Frame &own = frames[rank], &other = frames[ranks[i]];
    if (other.group != own.group || other.groupSize != own.groupSize ||
        other.position != static_cast<int32_t>(i))
      return error(MOERT_MISMATCH,
                   "all_gather #%" PRIu64 ": expected all members to make %s "
                   "together and to list the same order, got rank %d at place "
                   "%d of %d in %.*s",
                   own.round, own.what, ranks[i], other.position,
                   other.groupSize, int(sizeof(other.what)), other.what);
  }
  concerned.clear();
  std::map<std::pair<uint64_t, int32_t>, std::vector<int32_t>> groups;
  for (const Frame &frame : frames)
    groups[{frame.group, frame.groupSize}].push_back(frame.position);
  for (auto &[group, positions] : groups) {
    std::sort(positions.begin(), positions.end());
    bool isWhole = static_cast<int32_t>(positions.size()) == group.second;
    for (size_t i = 0; isWhole && i < positions.size(); ++i)
      isWhole = positions[i] == static_cast<int32_t>(i);
    if (isWhole)
      continue;
    const Frame &one =
        *std::find_if(frames.begin(), frames.end(), [&](const Frame &frame) {
          return frame.group == group.first;
        });
    return error(MOERT_MISMATCH,
                 "all_gather #%" PRIu64 ": expected all %d members to make "
                 "%.*s together and to list the same order, got %zu of them",
                 one.round, group.second, int(sizeof(one.what)), one.what,
                 positions.size());
  }
  return {};
}

Status CallbackMember::meet(const std::string &name,
                            const std::vector<int32_t> &ranks, int32_t position,
                            const std::string &data, Deadline deadline,
                            std::vector<std::string> &all, uint64_t &group) {
  Frame own;
  if (data.size() > sizeof(own.data))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected at most %zu bytes to make a group with, got %zu",
                 sizeof(own.data), data.size());
  own.purpose = Purpose::Meet;
  own.group =
      hashBytes(name.data(), name.size(),
                hashBytes(ranks.data(), ranks.size() * sizeof(int32_t)));
  own.groupSize = static_cast<int32_t>(ranks.size());
  own.position = position;
  std::vector<Frame> frames;
  std::vector<std::string> everyones;
  Status status = gather(own, "the communicator of " + name, data, deadline,
                         frames, everyones);
  if (!status.ok())
    return status;
  std::vector<int32_t> concerned;
  status = verifyGroups(frames, ranks, concerned);
  if (!status.ok())
    return bootstrap->fail(std::move(status), std::move(concerned));
  all.clear();
  for (int32_t member : ranks)
    all.push_back(everyones[member]);
  std::lock_guard<std::mutex> lock(namesMutex);
  group = names.size();
  names.push_back(name);
  return {};
}
