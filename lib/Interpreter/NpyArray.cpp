// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in NumPy's file format.

#include "moe/Interpreter/NpyArray.h"
#include "mlir/IR/BuiltinTypes.h"
#include "moe/Interpreter/ElementBytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace mlir;
using namespace moe;
using cost::Failure;
using cost::Result;

static constexpr StringRef kMagic("\x93NUMPY", 6);

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// Returns the dtypes, without byte order, that an element type is read from;
/// the first one is written.
static SmallVector<std::string> getDtypes(Type type) {
  if (type.isIndex())
    return {"i8", "u8"};
  if (type.isBF16())
    return {"V2", "u2"};
  if (type.isInteger(1))
    return {"b1"};
  if (!isa<IntegerType, FloatType>(type))
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  std::string bytes = std::to_string(width / 8);
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (!llvm::is_contained({8, 16, 32, 64}, width))
      return {};
    if (integer.isUnsigned())
      return {"u" + bytes};
    return integer.isSigned()
               ? SmallVector<std::string>{"i" + bytes}
               : SmallVector<std::string>{"i" + bytes, "u" + bytes};
  }
  if (type.isF64() || type.isF32() || type.isF16())
    return {"f" + bytes};
  if (width == 8)
    return {"V1", "u1", "f1"};
  return {};
}

static std::string addByteOrder(StringRef dtype) {
  return (dtype.ends_with("1") ? "|" : "<") + dtype.str();
}

static Failure getNoDtype(Type elementType) {
  std::string text;
  llvm::raw_string_ostream(text) << elementType;
  return {"elements of type " + text +
          " have no dtype: expected f64, f32, f16, bf16, a float of 8 bits, "
          "i1, index or an integer of 8, 16, 32 or 64 bits"};
}

Result<bool> NpyArray::verifyElementType(Type elementType) const {
  SmallVector<std::string> dtypes = getDtypes(elementType);
  if (dtypes.empty())
    return getNoDtype(elementType);
  if (llvm::is_contained(dtypes, StringRef(dtype).drop_front().str()))
    return true;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "expected dtype ";
  llvm::interleave(
      dtypes, os, [&](StringRef name) { os << addByteOrder(name); }, " or ");
  os << " for elements of type " << elementType << ", got " << dtype;
  return Failure{text};
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {
/// Reads the dictionary of a header, which is a Python literal of three
/// entries.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text), text(text) {}

  std::optional<std::string> dtype;
  std::optional<bool> byColumns;
  std::optional<SmallVector<int64_t>> shape;

  /// Returns false if the text is anything else.
  bool parse() {
    if (!take("{"))
      return false;
    while (!take("}")) {
      std::optional<StringRef> key = takeString();
      if (!key || !take(":") || !parseValue(*key))
        return false;
      if (!take(",")) {
        if (!take("}"))
          return false;
        break;
      }
    }
    return rest.trim().empty() && dtype && byColumns && shape;
  }

private:
  bool parseValue(StringRef key) {
    if (key == "descr" && !dtype) {
      std::optional<StringRef> name = takeString();
      if (name)
        dtype = name->str();
      return name.has_value();
    }
    if (key == "fortran_order" && !byColumns) {
      byColumns = take("True");
      return *byColumns || take("False");
    }
    return key == "shape" && !shape && parseShape();
  }

  bool parseShape() {
    if (!take("("))
      return false;
    shape.emplace();
    while (!take(")")) {
      int64_t size = 0;
      if (rest.consumeInteger(10, size) || size < 0)
        return false;
      shape->push_back(size);
      // Python 2 wrote long integers with this suffix.
      rest.consume_front("L");
      if (!take(","))
        return take(")");
    }
    return true;
  }

  bool take(StringRef token) {
    rest = rest.ltrim();
    if (!rest.consume_front(token))
      return false;
    rest = rest.ltrim();
    return true;
  }

  std::optional<StringRef> takeString() {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef name = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return name;
  }

  StringRef rest, text;
};
} // namespace

Result<NpyArray> NpyArray::load(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return Failure{"cannot be read: " + file.getError().message()};
  return parse(std::move(*file));
}

Result<NpyArray> NpyArray::parse(std::unique_ptr<llvm::MemoryBuffer> file) {
  StringRef bytes = file->getBuffer();
  if (!bytes.starts_with(kMagic))
    return Failure{"expected a file of numpy.save, which begins with "
                   "\\x93NUMPY"};
  if (bytes.size() < 10)
    return Failure{"expected a header, got a file of " +
                   std::to_string(bytes.size()) + " bytes"};
  unsigned version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3 || bytes[7] != 0)
    return Failure{"expected version 1.0, 2.0 or 3.0, got " +
                   std::to_string(version) + "." +
                   std::to_string(static_cast<unsigned char>(bytes[7]))};
  // Version 2 has 32 bits for the length, and version 3 also allows UTF-8 in
  // the text.
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + lengthBytes)
    return Failure{"expected a header, got a file of " +
                   std::to_string(bytes.size()) + " bytes"};
  size_t length = version == 1
                      ? llvm::support::endian::read16le(bytes.data() + 8)
                      : llvm::support::endian::read32le(bytes.data() + 8);
  NpyArray array;
  array.dataOffset = 8 + lengthBytes + length;
  if (array.dataOffset > bytes.size())
    return Failure{"expected a header of " + std::to_string(length) +
                   " bytes, got " +
                   std::to_string(bytes.size() - 8 - lengthBytes)};
  StringRef header = bytes.substr(8 + lengthBytes, length);
  HeaderParser parser(header);
  if (!parser.parse()) {
    std::string shown;
    llvm::raw_string_ostream os(shown);
    llvm::printEscapedString(header.rtrim().take_front(200), os);
    return Failure{"expected a header {'descr': '...', 'fortran_order': ..., "
                   "'shape': (...)} of one plain dtype, got " +
                   shown};
  }
  array.dtype = std::move(*parser.dtype);
  array.byColumns = *parser.byColumns;
  array.shape = std::move(*parser.shape);
  // A dtype is a byte order, a kind and a number of bytes.
  StringRef dtype = array.dtype;
  if (dtype.size() < 3 || !StringRef("<>|=").contains(dtype[0]) ||
      !StringRef("fiubV").contains(dtype[1]) ||
      dtype.drop_front(2).getAsInteger(10, array.itemBytes) ||
      array.itemBytes < 1 || array.itemBytes > 8)
    return Failure{"expected a dtype of floats, integers, booleans or raw "
                   "bytes (V), got '" +
                   array.dtype + "'"};
  array.isBigEndian = dtype[0] == '>';
  std::optional<int64_t> count = countElements(array.shape);
  size_t found = bytes.size() - array.dataOffset;
  if (!count || static_cast<uint64_t>(*count) >
                    std::numeric_limits<int64_t>::max() / array.itemBytes)
    return Failure{"expected a shape that fits 64 bits"};
  size_t expected = static_cast<size_t>(*count) * array.itemBytes;
  if (found != expected)
    return Failure{"expected " + std::to_string(expected) + " bytes of data, " +
                   std::to_string(*count) + " elements of dtype " +
                   array.dtype + ", got " + std::to_string(found)};
  array.file = std::move(file);
  return array;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

void NpyArray::read(Type elementType, std::optional<int64_t> index,
                    MutableArrayRef<Cell> cells) const {
  if (cells.empty())
    return;
  const char *data = file->getBufferStart() + dataOffset;
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = 1; i < shape.size(); ++i) {
    if (byColumns)
      strides[i] = strides[i - 1] * shape[i - 1];
    else
      strides[shape.size() - 1 - i] =
          strides[shape.size() - i] * shape[shape.size() - i];
  }
  ArrayRef<int64_t> sizes = shape, steps = strides;
  if (index) {
    data += *index * strides[0] * static_cast<int64_t>(itemBytes);
    sizes = sizes.drop_front();
    steps = steps.drop_front();
  }
  // Collects the elements in row-major order, each with its lowest byte first.
  std::vector<char> bytes(cells.size() * itemBytes);
  SmallVector<int64_t> at(sizes.size(), 0);
  int64_t offset = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    char *target = bytes.data() + i * itemBytes;
    std::copy_n(data + offset * static_cast<int64_t>(itemBytes), itemBytes,
                target);
    if (isBigEndian)
      std::reverse(target, target + itemBytes);
    for (size_t d = sizes.size(); d-- > 0;) {
      offset += steps[d];
      if (++at[d] < sizes[d])
        break;
      offset -= steps[d] * sizes[d];
      at[d] = 0;
    }
  }
  decodeCells(elementType, bytes.data(), cells);
}

Result<std::string> moe::makeNpyHeader(Type elementType,
                                       ArrayRef<int64_t> shape) {
  SmallVector<std::string> dtypes = getDtypes(elementType);
  if (dtypes.empty())
    return getNoDtype(elementType);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{'descr': '" << addByteOrder(dtypes.front())
     << "', 'fortran_order': False, 'shape': (";
  llvm::interleave(shape, os, ", ");
  os << (shape.size() == 1 ? ",), }" : "), }");
  // The data begins at a multiple of 64, after a line break.
  size_t before = kMagic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header = kMagic.str();
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff),
             static_cast<char>(text.size() >> 8)};
  return header + text;
}
