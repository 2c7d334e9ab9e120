// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of protocol buffers.

#include "moe/Support/Protobuf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

using namespace moe::support;

/// Encodings of fields.
enum WireType { kVarint = 0, kFixed64 = 1, kDelimited = 2 };

static void addVarint(std::string &bytes, uint64_t value) {
  llvm::raw_string_ostream os(bytes);
  llvm::encodeULEB128(value, os);
}

static void addTag(std::string &bytes, unsigned field, WireType type) {
  addVarint(bytes, uint64_t(field) << 3 | type);
}

void ProtoMessage::addNumber(unsigned field, uint64_t value) {
  addTag(bytes, field, kVarint);
  addVarint(bytes, value);
}

void ProtoMessage::addNumbers(unsigned field, llvm::ArrayRef<uint64_t> values) {
  if (values.empty())
    return;
  std::string packed;
  for (uint64_t value : values)
    addVarint(packed, value);
  addText(field, packed);
}

void ProtoMessage::addDouble(unsigned field, double value) {
  addTag(bytes, field, kFixed64);
  char raw[sizeof(uint64_t)];
  llvm::support::endian::write64le(raw, llvm::bit_cast<uint64_t>(value));
  bytes.append(raw, sizeof(raw));
}

void ProtoMessage::addText(unsigned field, llvm::StringRef value) {
  addTag(bytes, field, kDelimited);
  addVarint(bytes, value.size());
  bytes += value;
}

void ProtoMessage::addMessage(unsigned field, const ProtoMessage &value) {
  addText(field, value.bytes);
}

void ProtoMessage::writeDelimited(llvm::raw_ostream &os) const {
  llvm::encodeULEB128(bytes.size(), os);
  os << bytes;
}
