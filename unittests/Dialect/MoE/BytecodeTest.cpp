// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions of the dialect in bytecode.

#include "IRTest.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "moe/Dialect/MoE/MoEDialectVersion.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

namespace {

class BytecodeTest : public moe::test::IRTest {
protected:
  void SetUp() override {
    parse(R"(moe.mesh @mesh axes ["ep"] shape [2]
             func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
               %r = moe.all_reduce %x on <@mesh, ["ep"]> reduction max
                  : tensor<4xf32>
               return %r : tensor<4xf32>
             })");
  }

  /// Returns the module under test as bytecode of the given dialect version, if
  /// any.
  std::string write(std::optional<MoEDialectVersion> version) {
    BytecodeWriterConfig config;
    if (version)
      config.setDialectVersion<MoEDialect>(
          std::make_unique<MoEDialectVersion>(*version));
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, os, config)));
    return bytes;
  }

  /// Reads bytecode and returns the module's text, or the error messages.
  std::string read(StringRef bytes) {
    std::string errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      errors += diag.str() + "\n";
      return success();
    });
    OwningOpRef<ModuleOp> result = parseSourceString<ModuleOp>(bytes, &context);
    return result ? text(*result) : errors;
  }

  static std::string text(ModuleOp op) {
    std::string result;
    llvm::raw_string_ostream os(result);
    op.print(os);
    return result;
  }

  static constexpr int64_t kMajor = MoEDialect::kMajorVersion;
  static constexpr int64_t kMinor = MoEDialect::kMinorVersion;
};

TEST_F(BytecodeTest, TheCurrentVersionIsWrittenUnlessAskedOtherwise) {
  EXPECT_EQ(write(std::nullopt), write(MoEDialectVersion(kMajor, kMinor)));
  EXPECT_NE(write(std::nullopt), write(MoEDialectVersion(kMajor, kMinor + 1)));
}

TEST_F(BytecodeTest, ReadsItsOwnVersion) {
  EXPECT_EQ(read(write(std::nullopt)), text(*module));
}

TEST_F(BytecodeTest, ReadsOlderMinorVersions) {
  for (int64_t minor = 0; minor <= kMinor; ++minor)
    EXPECT_EQ(read(write(MoEDialectVersion(kMajor, minor))), text(*module));
}

TEST_F(BytecodeTest, RefusesANewerMinorVersion) {
  std::string expected =
      "expected moe dialect version " + std::to_string(kMajor) + "." +
      std::to_string(kMinor) + " or an older minor version of it, got " +
      std::to_string(kMajor) + "." + std::to_string(kMinor + 1);
  std::string got = read(write(MoEDialectVersion(kMajor, kMinor + 1)));
  EXPECT_NE(got.find(expected), std::string::npos) << got;
}

TEST_F(BytecodeTest, RefusesAnotherMajorVersion) {
  for (int64_t major : {kMajor + 1, kMajor - 1, int64_t(1) << 40}) {
    std::string got = read(write(MoEDialectVersion(major, 0)));
    EXPECT_NE(got.find(", got " + std::to_string(major) +
                       ".0; print the program as text with the release that "
                       "wrote it, and read the text"),
              std::string::npos)
        << got;
  }
}

TEST_F(BytecodeTest, TruncatedBytecodeIsAnErrorEverywhere) {
  std::string bytes = write(std::nullopt);
  for (size_t size = 4; size < bytes.size(); ++size) {
    std::string got = read(StringRef(bytes).take_front(size));
    EXPECT_NE(got, text(*module)) << "of " << size << " bytes";
  }
}

} // namespace
