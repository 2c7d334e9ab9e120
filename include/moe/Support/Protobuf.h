// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of protocol buffers.

#ifndef MOE_SUPPORT_PROTOBUF_H
#define MOE_SUPPORT_PROTOBUF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace moe::support {

/// A message in the wire format of protocol buffers
/// (protobuf.dev/programming-guides/encoding): fields, identified by their
/// numbers, in the order of their addition.
class ProtoMessage {
public:
  /// Adds a nonnegative integer, a boolean or a value of an enum.
  void addNumber(unsigned field, uint64_t value);
  /// Adds repeated integers in packed form; adds nothing if there are none.
  void addNumbers(unsigned field, llvm::ArrayRef<uint64_t> values);
  void addDouble(unsigned field, double value);
  void addText(unsigned field, llvm::StringRef value);
  void addMessage(unsigned field, const ProtoMessage &value);

  /// Writes the message after its size, as in files with several messages.
  void writeDelimited(llvm::raw_ostream &os) const;

private:
  std::string bytes;
};

} // namespace moe::support

#endif // MOE_SUPPORT_PROTOBUF_H
