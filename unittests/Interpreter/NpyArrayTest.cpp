// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Interpreter/NpyArray.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace moe;

namespace {

class NpyArrayTest : public ::testing::Test {
protected:
  /// Returns a file of format version 1.0.
  static std::string file(std::string dictionary, std::string data) {
    dictionary += "\n";
    std::string bytes = "\x93NUMPY";
    bytes += {'\1', '\0', static_cast<char>(dictionary.size()), '\0'};
    return bytes + dictionary + data;
  }
  static cost::Result<NpyArray> parse(const std::string &bytes) {
    return NpyArray::parse(llvm::MemoryBuffer::getMemBufferCopy(bytes));
  }
  static std::string errorOf(const std::string &bytes) {
    cost::Result<NpyArray> array = parse(bytes);
    return array ? "none" : array.getError();
  }
  static std::vector<int64_t> read(const std::string &bytes, Type type,
                                   size_t count,
                                   std::optional<int64_t> index = {}) {
    cost::Result<NpyArray> array = parse(bytes);
    EXPECT_TRUE(static_cast<bool>(array)) << array.getError();
    std::vector<Cell> cells(count);
    array->read(type, index, cells);
    return {cells.begin(), cells.end()};
  }

  MLIRContext context;
  Builder builder{&context};
};

using Integers = std::vector<int64_t>;

TEST_F(NpyArrayTest, RowsColumnsAndByteOrders) {
  std::string data("\1\0\2\0\3\0\4\0\5\0\6\0", 12);
  Type i16 = builder.getI16Type();
  std::string rows =
      file("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", data);
  EXPECT_EQ(read(rows, i16, 6), Integers({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read(rows, i16, 3, 1), Integers({4, 5, 6}));
  std::string columns = file(
      "{\"shape\": (2,3), \"fortran_order\":True, \"descr\": \"<i2\"}", data);
  EXPECT_EQ(read(columns, i16, 6), Integers({1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(read(columns, i16, 3, 1), Integers({2, 4, 6}));
  std::string big =
      file("{'descr': '>i2', 'fortran_order': False, 'shape': (6L,), }", data);
  EXPECT_EQ(read(big, i16, 6), Integers({256, 512, 768, 1024, 1280, 1536}));
  std::string scalar =
      file("{'descr': '<i2', 'fortran_order': False, 'shape': (), }",
           data.substr(0, 2));
  EXPECT_EQ(read(scalar, i16, 1), Integers({1}));
}

TEST_F(NpyArrayTest, LaterVersions) {
  std::string text = "{'descr': '|i1', 'fortran_order': False, 'shape': (1,)}";
  for (char version : {'\2', '\3'}) {
    std::string bytes = "\x93NUMPY";
    bytes += {version, '\0', static_cast<char>(text.size()), '\0', '\0', '\0'};
    EXPECT_EQ(read(bytes + text + "\x7f", builder.getI8Type(), 1),
              Integers({127}));
  }
}

TEST_F(NpyArrayTest, WhatIsWrittenIsRead) {
  const std::pair<Type, std::string> types[] = {
      {builder.getF64Type(), "<f8"},
      {builder.getF32Type(), "<f4"},
      {builder.getF16Type(), "<f2"},
      {builder.getBF16Type(), "<V2"},
      {Float8E4M3FNType::get(&context), "|V1"},
      {builder.getI1Type(), "|b1"},
      {builder.getI8Type(), "|i1"},
      {builder.getI64Type(), "<i8"},
      {builder.getIndexType(), "<i8"},
      {IntegerType::get(&context, 32, IntegerType::Unsigned), "<u4"}};
  for (auto [type, dtype] : types) {
    cost::Result<std::string> header = makeNpyHeader(type, {0, 7});
    ASSERT_TRUE(static_cast<bool>(header));
    EXPECT_EQ(header->size() % 64, 0u);
    cost::Result<NpyArray> array = parse(*header);
    ASSERT_TRUE(static_cast<bool>(array)) << array.getError();
    EXPECT_EQ(array->getDtype(), dtype);
    EXPECT_EQ(array->getShape(), ArrayRef<int64_t>({0, 7}));
    EXPECT_TRUE(static_cast<bool>(array->verifyElementType(type)));
  }
  EXPECT_FALSE(static_cast<bool>(makeNpyHeader(builder.getIntegerType(7), {})));
  EXPECT_FALSE(
      static_cast<bool>(makeNpyHeader(FloatTF32Type::get(&context), {})));
}

TEST_F(NpyArrayTest, OtherTypesAreRefused) {
  cost::Result<NpyArray> array = parse(
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", ""));
  ASSERT_TRUE(static_cast<bool>(array));
  cost::Result<bool> fits = array->verifyElementType(builder.getBF16Type());
  ASSERT_FALSE(static_cast<bool>(fits));
  EXPECT_EQ(fits.getError(),
            "expected dtype <V2 or <u2 for elements of type bf16, got <f4");
}

TEST_F(NpyArrayTest, BrokenFilesAreToldApart) {
  EXPECT_EQ(errorOf("PK\3\4 an archive"),
            "expected a file of numpy.save, which begins with \\x93NUMPY");
  EXPECT_EQ(errorOf("\x93NUMPY"), "expected a header, got a file of 6 bytes");
  EXPECT_EQ(errorOf(std::string("\x93NUMPY\7\1\0\0", 10)),
            "expected version 1.0, 2.0 or 3.0, got 7.1");
  EXPECT_EQ(errorOf(std::string("\x93NUMPY\1\0\x60\0{'descr'", 18)),
            "expected a header of 96 bytes, got 8");
  const char form[] = "expected a header {'descr': '...', 'fortran_order': "
                      "..., 'shape': (...)} of one plain dtype, got ";
  for (std::string text :
       {"{'descr': '<f4', 'fortran_order': False}", "{'descr': '<f4'",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"})
    EXPECT_EQ(errorOf(file(text, "")), form + text);
  EXPECT_EQ(errorOf(file("{'descr': '<c8', 'fortran_order': False, 'shape': "
                         "(1,)}",
                         "")),
            "expected a dtype of floats, integers, booleans or raw bytes (V), "
            "got '<c8'");
  EXPECT_EQ(errorOf(file("{'descr': '<f4', 'fortran_order': False, 'shape': "
                         "(2, 3)}",
                         "12345")),
            "expected 24 bytes of data, 6 elements of dtype <f4, got 5");
  EXPECT_EQ(errorOf(file("{'descr': '<f4', 'fortran_order': False, 'shape': "
                         "(4611686018427387904, 4)}",
                         "")),
            "expected a shape that fits 64 bits");
}

} // namespace
