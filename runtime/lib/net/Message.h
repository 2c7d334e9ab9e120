// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between ranks and the hub.

#ifndef MOERT_NET_MESSAGE_H
#define MOERT_NET_MESSAGE_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace moert {

/// A message begins with three 32-bit numbers: the magic number, the type and
/// the length of the body, which follows. All machines must have the same byte
/// order.
enum class MessageType : uint32_t {
  Hello = 1, ///< rank to hub: version, world size, rank, token
  Welcome,   ///< hub to rank: all ranks have joined
  Refused,   ///< hub to rank: text; the connection ends
  Meet,      ///< rank to hub: meeting name, ranks, position, data
  Met,       ///< hub to rank: meeting name, number, everyone's data
  Call,      ///< rank to hub: group, position, number, description, and the
             ///< digest of the sizes of a ragged collective
  Stuck,     ///< rank to hub: the wait whose deadline has passed
  Fail,      ///< both ways: code, concerned ranks or a flag, text
  Leave,     ///< both ways: the sender no longer takes part
  Exchange,  ///< like Meet, for an exchange without a group
  Sizes      ///< hub to rank: request for sizes of group and number; rank to
             ///< hub: the same with the sizes, none if they are no longer kept
};

constexpr uint32_t kMessageMagic = 0x54524f4d;
constexpr uint32_t kProtocolVersion = 3;
/// Maximum body size; longer messages are rejected.
constexpr uint32_t kLongestBody = 1 << 20;
/// Maximum body size before the peer has shown the token.
constexpr uint32_t kLongestHello = 4096;
/// Maximum token size; fits into a Hello.
constexpr uint32_t kLongestToken = 1024;

/// Builds the body of a message.
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
  /// Returns the message with its header.
  std::string finish(MessageType type) const {
    uint32_t head[3] = {kMessageMagic, static_cast<uint32_t>(type),
                        static_cast<uint32_t>(bytes.size())};
    return std::string(reinterpret_cast<const char *>(head), sizeof(head)) +
           bytes;
  }

private:
  std::string bytes;
};

/// Parses a body. Any mismatch marks it as bad, and then reads return zeros.
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
  /// Returns true if all reads succeeded and no bytes remain.
  bool isWhole() const { return !bad && at == bytes.size(); }

private:
  std::string bytes;
  size_t at = 0;
  bool bad = false;
};

/// Splits a stream of bytes into messages.
class MessageBuffer {
public:
  void append(const char *data, size_t size) {
    // Remove the consumed bytes when they are the greater part.
    if (at > bytes.size() / 2) {
      bytes.erase(0, at);
      at = 0;
    }
    bytes.append(data, size);
  }
  /// Returns 1 for a message, 0 if more bytes are needed, and -1 for invalid
  /// bytes, including a body longer than `longest`.
  int next(MessageType &type, std::string &body,
           uint32_t longest = kLongestBody) {
    const char *data = bytes.data() + at;
    size_t size = bytes.size() - at;
    uint32_t head[3];
    if (size < sizeof(head))
      // Reject invalid data early, by the first bytes.
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
  /// Returns true if no part of an incomplete message has arrived.
  bool isBetweenMessages() const { return at == bytes.size(); }

private:
  std::string bytes;
  /// Number of consumed bytes.
  size_t at = 0;
};

} // namespace moert

#endif // MOERT_NET_MESSAGE_H
