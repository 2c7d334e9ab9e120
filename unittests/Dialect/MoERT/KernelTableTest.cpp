// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table and the list of kernels.

#include "mlir/IR/MLIRContext.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace mlir;
using namespace moe;

namespace {

/// Returns the entries of the ops that a context registers, by symbol.
std::map<std::string, rt::KernelInfo> getTable(MLIRContext &context) {
  std::map<std::string, rt::KernelInfo> table;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (auto *kernel = name.getInterface<rt::KernelOpInterface>())
      table.emplace(kernel->getKernelInfo().symbol.str(),
                    kernel->getKernelInfo());
  return table;
}

} // namespace

TEST(KernelTableTest, NamesWhatTheListNames) {
  MLIRContext context;
  context.loadDialect<rt::MoERTDialect>();
  std::set<std::string> ops, list = {
#define MOERT_KERNEL(name, Name, args) "moert_" #name,
#include "moert_calls.def"
                             };
  for (const auto &[symbol, info] : getTable(context))
    ops.insert(symbol);
  EXPECT_EQ(ops, list);
}

/// Each source is an op of `moe` and belongs to one kernel.
TEST(KernelTableTest, SourcesAreOpsOfMoE) {
  MLIRContext context;
  context.loadDialect<MoEDialect, rt::MoERTDialect>();
  std::set<std::string> sources;
  for (const auto &[symbol, info] : getTable(context))
    for (const rt::KernelSource &source : info.sources) {
      EXPECT_TRUE(RegisteredOperationName::lookup(source.op, &context))
          << symbol << " from " << source.op.str();
      EXPECT_TRUE(sources.insert(source.op.str()).second) << source.op.str();
    }
}

/// A struct begins with its size and is padded at the end as in C.
TEST(KernelTableTest, StructsAreLaidOutAsInC) {
  using Member = rt::KernelMember;
  const Member odd[] = {Member::Int32, Member::Int64, Member::Int32};
  const Member even[] = {Member::Int32, Member::Int32, Member::Pointer};
  auto getBytes = [](ArrayRef<Member> members) {
    return rt::KernelInfo{"moert_x", {}, {}, members}.getStructBytes();
  };
  EXPECT_EQ(getBytes(odd), 24u);
  EXPECT_EQ(getBytes(even), 16u);
  EXPECT_EQ(getBytes(Member::Int32), 4u);
}
