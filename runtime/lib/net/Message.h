// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks and the hub say to each other.

#ifndef MOERT_NET_MESSAGE_H
#define MOERT_NET_MESSAGE_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace moert {

/// On the wire: magic, type and length of the body as three 32-bit words, then
/// the body; all in the byte order of the machines, which are alike.
enum class MessageType : uint32_t {
  Hello = 1, ///< rank to hub: version, world size, rank, token
  Welcome,   ///< hub to rank: all have joined
  Refused,   ///< hub to rank: text; the connection ends
  Meet,      ///< rank to hub: meeting name, ranks, position, data
  Met,       ///< hub to rank: meeting name, number, everyone's data
  Call,      ///< rank to hub: group, position, number, words, sizes
  Stuck,     ///< rank to hub: what it waits for, deadline has passed
  Fail,      ///< either way: code, concerned ranks or a flag, text
  Leave,     ///< either way: takes part in nothing any more
  Exchange   ///< as Meet, of ranks that only tell each other something
};

constexpr uint32_t kMessageMagic = 0x54524f4d;
constexpr uint32_t kProtocolVersion = 2;
/// Nobody has more to say.
constexpr uint32_t kLongestBody = 1 << 20;
/// Nor has somebody who has not shown the token.
constexpr uint32_t kLongestHello = 4096;
/// Fits into a hello.
constexpr uint32_t kLongestToken = 1024;

/// Builds a body.
class MessageWriter {
public:
  MessageWriter &number(uint64_t value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  MessageWriter &text(const std::string &value) {
    number(value.size());
    bytes += value;
    return *this;
  }
  MessageWriter &ranks(const std::vector<int32_t> &values) {
    number(values.size());
    for (int32_t value : values)
      number(static_cast<uint64_t>(value));
    return *this;
  }
  MessageWriter &numbers(const std::vector<int64_t> &values) {
    number(values.size());
    for (int64_t value : values)
      number(static_cast<uint64_t>(value));
    return *this;
  }
  /// The message with its head.
  std::string finish(MessageType type) const {
    uint32_t head[3] = {kMessageMagic, static_cast<uint32_t>(type),
                        static_cast<uint32_t>(bytes.size())};
    return std::string(reinterpret_cast<const char *>(head), sizeof(head)) +
           bytes;
  }

private:
  std::string bytes;
};

/// Takes a body apart; whatever does not fit makes it bad and reads as zeros.
class MessageReader {
public:
  explicit MessageReader(std::string bytes) : bytes(std::move(bytes)) {}
  uint64_t number() {
    uint64_t value = 0;
    if (bytes.size() - at < sizeof(value)) {
      bad = true;
      return 0;
    }
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    at += sizeof(value);
    return value;
  }
  std::string text() {
    uint64_t size = number();
    if (bad || size > bytes.size() - at) {
      bad = true;
      return "";
    }
    std::string value = bytes.substr(at, size);
    at += size;
    return value;
  }
  std::vector<int64_t> numbers() {
    uint64_t size = number();
    if (bad || size > (bytes.size() - at) / sizeof(uint64_t)) {
      bad = true;
      return {};
    }
    std::vector<int64_t> values(size);
    for (int64_t &value : values)
      value = static_cast<int64_t>(number());
    return values;
  }
  std::vector<int32_t> ranks() {
    std::vector<int64_t> values = numbers();
    return {values.begin(), values.end()};
  }
  /// All that was asked for was there, and nothing is left.
  bool isWhole() const { return !bad && at == bytes.size(); }

private:
  std::string bytes;
  size_t at = 0;
  bool bad = false;
};

/// Cuts a stream of bytes into messages.
class MessageBuffer {
public:
  void append(const char *data, size_t size) {
    // What was taken out goes when it is the greater part.
    if (at > bytes.size() / 2) {
      bytes.erase(0, at);
      at = 0;
    }
    bytes.append(data, size);
  }
  /// 1 with a message, 0 when more bytes are needed, -1 for garbage, which a
  /// body longer than `longest` is.
  int next(MessageType &type, std::string &body,
           uint32_t longest = kLongestBody) {
    const char *data = bytes.data() + at;
    size_t size = bytes.size() - at;
    uint32_t head[3];
    if (size < sizeof(head))
      // Garbage shows in its first bytes.
      return std::memcmp(data, &kMessageMagic,
                         std::min(size, sizeof(kMessageMagic))) == 0
                 ? 0
                 : -1;
    std::memcpy(head, data, sizeof(head));
    if (head[0] != kMessageMagic || head[2] > longest)
      return -1;
    if (size < sizeof(head) + head[2])
      return 0;
    type = static_cast<MessageType>(head[1]);
    body.assign(data + sizeof(head), head[2]);
    at += sizeof(head) + head[2];
    return 1;
  }
  /// Nothing has come of a message that is not complete.
  bool isBetweenMessages() const { return at == bytes.size(); }

private:
  std::string bytes;
  /// Bytes that were taken out.
  size_t at = 0;
};

} // namespace moert

#endif // MOERT_NET_MESSAGE_H
