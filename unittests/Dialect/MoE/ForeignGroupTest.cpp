// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that are attributes of other dialects.

#include "IRTest.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

namespace {

/// Makes a string a group: "N" is one group of N ranks, and any other string
/// does not resolve.
struct StringGroup
    : public GroupAttrInterface::ExternalModel<StringGroup, StringAttr> {
  FailureOr<int64_t> getGroupSize(Attribute attr, Operation *) const {
    int64_t size;
    if (cast<StringAttr>(attr).getValue().getAsInteger(10, size))
      return failure();
    return size;
  }
  FailureOr<SmallVector<SmallVector<int64_t>>>
  getRankLists(Attribute attr, Operation *from) const {
    FailureOr<int64_t> size = getGroupSize(attr, from);
    if (failed(size))
      return failure();
    return SmallVector<SmallVector<int64_t>>{
        llvm::to_vector(llvm::seq<int64_t>(0, *size))};
  }
  std::optional<SmallVector<StringRef>> getAxisNames(Attribute) const {
    return std::nullopt;
  }
  LogicalResult verifyInModule(Attribute, Operation *) const {
    return success();
  }
};

class ForeignGroupTest : public moe::test::IRTest {
protected:
  ForeignGroupTest() { StringAttr::attachInterface<StringGroup>(context); }

  /// Parses an all_gather on `group` and returns the errors.
  std::string gather(StringRef group, StringRef result) {
    std::string errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      errors += diag.str() + "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(
        ("func.func @f(%x: tensor<2xf32>) {\n %r = moe.all_gather %x on " +
         group + " dim 0 : tensor<2xf32> -> " + result + "\n return\n}")
            .str(),
        &context);
    return errors;
  }
};

TEST_F(ForeignGroupTest, ParsesPrintsAndInfers) {
  EXPECT_EQ(gather("\"3\"", "tensor<6xf32>"), "");
  auto op = find<AllGatherOp>();
  ASSERT_TRUE(op);
  std::string text;
  llvm::raw_string_ostream os(text);
  op.print(os);
  EXPECT_NE(text.find(" on (\"3\") dim 0 : tensor<2xf32> -> tensor<6xf32>"),
            std::string::npos)
      << text;
  EXPECT_EQ(*op.getSendBytes(), 16);
}

/// Parentheses separate the group from a type that follows it immediately.
TEST_F(ForeignGroupTest, RoundTripsInFrontOfAType) {
  parse("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %r = moe.all_reduce %x on (\"3\") : tensor<2xf32>\n"
        "  return %r : tensor<2xf32>\n"
        "}\n");
  ASSERT_TRUE(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  EXPECT_NE(text.find(" on (\"3\") : tensor<2xf32>"), std::string::npos)
      << text;
  parse(text);
  EXPECT_TRUE(module);
}

TEST_F(ForeignGroupTest, SizesAreVerified) {
  EXPECT_NE(gather("\"4\"", "tensor<6xf32>")
                .find("expected result type 'tensor<8xf32>'"),
            std::string::npos);
}

TEST_F(ForeignGroupTest, AGroupThatDoesNotResolveIsRefused) {
  std::string got = gather("\"many\"", "tensor<6xf32>");
  EXPECT_NE(got.find("expected a group that resolves, got \"many\""),
            std::string::npos)
      << got;
}

TEST_F(ForeignGroupTest, AGroupOfNoRankIsRefused) {
  for (StringRef size : {"0", "-1", "-9223372036854775808"}) {
    std::string got = gather(("\"" + size + "\"").str(), "tensor<6xf32>");
    EXPECT_NE(
        got.find(("expected a group of at least one rank, got " + size).str()),
        std::string::npos)
        << got;
  }
}

} // namespace
