// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A proof on shrunk dims is as good as one on the full dims.

#include "moe/Interpreter/Collapse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/Executor.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace moe;

namespace {

class CollapseTest : public ::testing::Test {
protected:
  CollapseTest() {
    context.loadDialect<MoEDialect, func::FuncDialect, arith::ArithDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(StringRef body) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        "moe.mesh @mesh axes [\"ep\", \"tp\"] shape [2, 2]\n" + body.str(),
        &context);
    EXPECT_TRUE(module) << body.str();
    return module;
  }

  static func::FuncOp entryOf(const OwningOpRef<ModuleOp> &module) {
    return ModuleOp(*module).lookupSymbol<func::FuncOp>("main");
  }

  /// Returns the factors of an argument's dims when the programs are compared.
  SmallVector<int64_t> factors(ArrayRef<StringRef> bodies,
                               unsigned argument = 0) {
    std::vector<OwningOpRef<ModuleOp>> modules;
    SmallVector<func::FuncOp> entries;
    for (StringRef body : bodies) {
      modules.push_back(parse(body));
      entries.push_back(entryOf(modules.back()));
    }
    Collapse collapse(entries);
    SmallVector<int64_t> result;
    Value value = entries[0].getArgument(argument);
    for (unsigned d = 0; d < cast<RankedTensorType>(value.getType()).getRank();
         ++d)
      result.push_back(collapse.getFactor(value, d));
    return result;
  }

  MLIRContext context;
};

using Factors = SmallVector<int64_t>;

TEST_F(CollapseTest, DimsNobodyCutsShrinkToOne) {
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x10xf32>) -> tensor<6x10xf32> {
      %0 = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<6x10xf32>
      %1 = arith.addf %0, %x : tensor<6x10xf32>
      return %1 : tensor<6x10xf32>
    })"}),
            (Factors{6, 10}));
}

TEST_F(CollapseTest, CutDimsShrinkToTheirBlocks) {
  // Blocks of 6 along dim 0; no op cuts dim 1.
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<12x10xf32>) -> tensor<6x10xf32> {
      %0 = moe.drop %x on <@mesh, ["tp"]> dim 0
        : tensor<12x10xf32> -> tensor<6x10xf32>
      return %0 : tensor<6x10xf32>
    })"}),
            (Factors{6, 10}));
  // A block all-to-all keeps the size but cuts the dim as well.
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<12x10xf32>) -> tensor<12x10xf32> {
      %0 = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0
        : tensor<12x10xf32> -> tensor<12x10xf32>
      return %0 : tensor<12x10xf32>
    })"}),
            (Factors{3, 10}));
  // A slice of 8 at offset 2 leaves pieces of 2.
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<12x10xf32>) -> tensor<8x10xf32> {
      %0 = tensor.extract_slice %x[2, 0] [8, 10] [1, 1]
        : tensor<12x10xf32> to tensor<8x10xf32>
      return %0 : tensor<8x10xf32>
    })"}),
            (Factors{2, 10}));
}

TEST_F(CollapseTest, TheOtherProgramCutsToo) {
  StringRef plain = R"(
    func.func @main(%x: tensor<12x10xf32>) -> tensor<12x10xf32> {
      return %x : tensor<12x10xf32>
    })";
  StringRef cut = R"(
    func.func @main(%x: tensor<12x10xf32>) -> tensor<12x10xf32> {
      %0 = moe.drop %x on <@mesh, ["tp"]> dim 1
        : tensor<12x10xf32> -> tensor<12x5xf32>
      %1 = moe.all_gather %0 on <@mesh, ["tp"]> dim 1
        : tensor<12x5xf32> -> tensor<12x10xf32>
      return %1 : tensor<12x10xf32>
    })";
  EXPECT_EQ(factors({plain}), (Factors{12, 10}));
  EXPECT_EQ(factors({plain, cut}), (Factors{12, 5}));
}

TEST_F(CollapseTest, UsesNobodyDescribedKeepADim) {
  // An unknown op, a step, a size that is read, an integer argument.
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x10xf32>) -> tensor<6x10xf32> {
      %0 = "unknown.op"(%x) : (tensor<6x10xf32>) -> tensor<6x10xf32>
      return %0 : tensor<6x10xf32>
    })"}),
            (Factors{1, 1}));
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x10xf32>) -> tensor<3x10xf32> {
      %0 = tensor.extract_slice %x[0, 0] [3, 10] [2, 1]
        : tensor<6x10xf32> to tensor<3x10xf32>
      return %0 : tensor<3x10xf32>
    })"}),
            (Factors{1, 10}));
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x10xf32>) -> (tensor<6x10xf32>, index) {
      %c = arith.constant 1 : index
      %0 = tensor.dim %x, %c : tensor<6x10xf32>
      return %x, %0 : tensor<6x10xf32>, index
    })"}),
            (Factors{6, 1}));
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x10xi32>) -> tensor<6x10xi32> {
      return %x : tensor<6x10xi32>
    })"}),
            (Factors{1, 1}));
}

TEST_F(CollapseTest, TwoDimsOfOneValueInAClassAreKept) {
  // x + transpose(x) is not x + x.
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
      %0 = moe.transpose %x [1, 0] : tensor<6x6xf32> -> tensor<6x6xf32>
      %1 = arith.addf %x, %0 : tensor<6x6xf32>
      return %1 : tensor<6x6xf32>
    })"}),
            (Factors{1, 1}));
  // Across programs: transpose(x) is not x.
  EXPECT_EQ(factors({R"(
    func.func @main(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
      return %x : tensor<6x6xf32>
    })",
                     R"(
    func.func @main(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
      %0 = moe.transpose %x [1, 0] : tensor<6x6xf32> -> tensor<6x6xf32>
      return %0 : tensor<6x6xf32>
    })"}),
            (Factors{1, 1}));
}

TEST_F(CollapseTest, ReachesThroughControlFlowAndCalls) {
  StringRef body = R"(
    func.func private @cut(%y: tensor<8x10xf32>) -> tensor<4x10xf32> {
      %0 = moe.drop %y on <@mesh, ["tp"]> dim 0
        : tensor<8x10xf32> -> tensor<4x10xf32>
      return %0 : tensor<4x10xf32>
    }
    func.func @main(%x: tensor<8x10xf32>, %c: i1) -> tensor<4x10xf32> {
      %l = moe.layer "0" phase "fwd" {
        %i = scf.if %c -> tensor<8x10xf32> {
          scf.yield %x : tensor<8x10xf32>
        } else {
          %n = arith.negf %x : tensor<8x10xf32>
          scf.yield %n : tensor<8x10xf32>
        }
        moe.yield %i : tensor<8x10xf32>
      } : tensor<8x10xf32>
      %r = func.call @cut(%l) : (tensor<8x10xf32>) -> tensor<4x10xf32>
      return %r : tensor<4x10xf32>
    })";
  EXPECT_EQ(factors({body}), (Factors{4, 10}));
}

//===----------------------------------------------------------------------===//
// Random programs: shrinking never changes the answer
//===----------------------------------------------------------------------===//

/// Returns one or more random ops from tensor<8x8x8xf32> to itself.
static std::string makeStep(std::mt19937 &random, unsigned number) {
  auto pick = [&](unsigned count) { return random() % count; };
  std::string n = std::to_string(number), full = "tensor<8x8x8xf32>";
  std::string in = "%v" + n, out = "%v" + std::to_string(number + 1);
  const char *axes[] = {"[\"ep\"]", "[\"tp\"]", "[\"ep\", \"tp\"]",
                        "[\"tp\", \"ep\"]"};
  unsigned axis = pick(4), size = axis < 2 ? 2 : 4;
  std::string group = std::string(" on <@mesh, ") + axes[axis] + ">";
  unsigned d = pick(3), e = pick(3);
  auto typeWith = [&](unsigned dim, unsigned extent) {
    std::string text = "tensor<";
    for (unsigned i = 0; i < 3; ++i)
      text += std::to_string(i == dim ? extent : 8) + "x";
    return text + "f32>";
  };
  std::string part = typeWith(d, 8 / size);
  std::string tmp = "%t" + n;
  std::string dim = " dim " + std::to_string(d);
  switch (pick(9)) {
  case 0:
    return out + " = moe.all_to_all " + in + group + " split " +
           std::to_string(d) + " concat " + std::to_string(d) + " : " + full +
           " -> " + full + "\n";
  case 1: {
    // Exchanges two dims and, with another pair, exchanges them back.
    std::string other = std::to_string(e == d ? (d + 1) % 3 : e);
    unsigned concat = e == d ? (d + 1) % 3 : e;
    std::string mid = "tensor<";
    for (unsigned i = 0; i < 3; ++i)
      mid += std::to_string(i == d        ? 8 / size
                            : i == concat ? 8 * size
                                          : 8) +
             "x";
    mid += "f32>";
    return tmp + " = moe.all_to_all " + in + group + " split " +
           std::to_string(d) + " concat " + other + " : " + full + " -> " +
           mid + "\n" + out + " = moe.all_to_all " + tmp + group + " split " +
           other + " concat " + std::to_string(d) + " : " + mid + " -> " +
           full + "\n";
  }
  case 2:
    return tmp + " = moe.drop " + in + group + dim + " : " + full + " -> " +
           part + "\n" + out + " = moe.all_gather " + tmp + group + dim +
           " : " + part + " -> " + full + "\n";
  case 3:
    return tmp + " = moe.reduce_scatter " + in + group + dim + " : " + full +
           " -> " + part + "\n" + out + " = moe.all_gather " + tmp + group +
           dim + " : " + part + " -> " + full + "\n";
  case 4:
    return out + " = moe.all_reduce " + in + group + " : " + full + "\n";
  case 5: {
    const char *permutations[] = {"[0, 2, 1]", "[1, 0, 2]", "[2, 1, 0]"};
    return out + " = moe.transpose " + in + " " + permutations[d] + " : " +
           full + " -> " + full + "\n";
  }
  case 6:
    return out + " = arith.addf " + in + ", %v" +
           std::to_string(pick(number + 1)) + " : " + full + "\n";
  case 7: {
    // Extracts the two parts of a dim, cut at 4 or 2, and may swap them.
    unsigned at = pick(2) ? 4 : 2;
    auto slice = [&](unsigned offset, unsigned extent) {
      std::string offsets, sizes;
      for (unsigned i = 0; i < 3; ++i) {
        offsets += (i ? ", " : "") + std::to_string(i == d ? offset : 0);
        sizes += (i ? ", " : "") + std::to_string(i == d ? extent : 8);
      }
      return "tensor.extract_slice " + in + "[" + offsets + "] [" + sizes +
             "] [1, 1, 1] : " + full + " to " + typeWith(d, extent);
    };
    bool swap = pick(2);
    std::string a = "%a" + n, b = "%b" + n;
    return a + " = " + slice(0, at) + "\n" + b + " = " + slice(at, 8 - at) +
           "\n" + out + " = moe.assemble " +
           (swap ? b + ", " + a : a + ", " + b) + dim + " : " +
           (swap ? typeWith(d, 8 - at) : typeWith(d, at)) + ", " +
           (swap ? typeWith(d, at) : typeWith(d, 8 - at)) + " -> " + full +
           "\n";
  }
  default:
    return out + " = moe.experts gpt " + in + ", %w1, %w2 : " + full +
           ", tensor<8x8x6xf32>, tensor<8x6x8xf32> -> " + full + "\n";
  }
}

static std::string makeProgram(ArrayRef<std::string> steps) {
  std::string text =
      "func.func @main(%v0: tensor<8x8x8xf32> {moe.varying = [\"ep\"]}, "
      "%w1: tensor<8x8x6xf32> {moe.varying = []}, "
      "%w2: tensor<8x6x8xf32> {moe.varying = []}) -> tensor<8x8x8xf32> {\n";
  for (const std::string &step : steps)
    text += step;
  return text + "return %v" + std::to_string(steps.size()) +
         " : tensor<8x8x8xf32>\n}";
}

/// Returns true if two programs end with the same terms.
static bool areEqual(const Program &left, const Program &right,
                     const Collapse *collapse) {
  MemoryBudget budget(uint64_t(1) << 30);
  ArgumentNames names = left.getArgumentNames(collapse);
  std::unique_ptr<TermDomain> domain = createTermDomain(0, 0, budget, names);
  auto a = execute(left, *domain, budget, collapse);
  auto b = execute(right, *domain, budget, collapse);
  EXPECT_TRUE(succeeded(a) && succeeded(b));
  for (auto [x, y] : llvm::zip_equal((*a)[0], (*b)[0]))
    if (x.getCells() != y.getCells())
      return false;
  return true;
}

TEST_F(CollapseTest, RandomProgramsAreEqualExactlyWhenTheFullOnesAre) {
  std::mt19937 random(20240601);
  unsigned equal = 0, unequal = 0, shrunk = 0;
  for (unsigned round = 0; round < 150; ++round) {
    SmallVector<std::string> steps;
    unsigned length = 1 + random() % 4;
    for (unsigned i = 0; i < length; ++i)
      steps.push_back(makeStep(random, i));
    SmallVector<std::string> others = steps;
    unsigned changed = random() % length;
    others[changed] = makeStep(random, changed);
    OwningOpRef<ModuleOp> left = parse(makeProgram(steps));
    OwningOpRef<ModuleOp> right = parse(makeProgram(others));
    ASSERT_TRUE(left && right);
    auto a = Program::load(*left, "left", "", std::nullopt, 1 << 20);
    auto b = Program::load(*right, "right", "", std::nullopt, 1 << 20);
    ASSERT_TRUE(succeeded(a) && succeeded(b));
    Collapse collapse({a->getEntry(), b->getEntry()});
    for (unsigned d = 0; d < 3; ++d)
      shrunk += collapse.getFactor(a->getEntry().getArgument(0), d) > 1;
    bool full = areEqual(*a, *b, nullptr);
    EXPECT_EQ(areEqual(*a, *b, &collapse), full) << makeProgram(steps) << "\n"
                                                 << makeProgram(others);
    ++(full ? equal : unequal);
  }
  // The test is only meaningful if all of these occur.
  EXPECT_GT(equal, 15u);
  EXPECT_GT(unequal, 50u);
  EXPECT_GT(shrunk, 100u);
}

} // namespace
