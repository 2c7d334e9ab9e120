// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the emulated cuBLAS.

#include "Loaded.h"
#include "core/Types.h"
#include <random>

using namespace loaded;
using namespace moert;

namespace {

constexpr int kF32 = 0, kF64 = 1, kF16 = 2, kBF16 = 14;
constexpr int kCompute32 = 68, kCompute64 = 70;

moert_type getType(int type) {
  return type == kF64   ? MOERT_F64
         : type == kF32 ? MOERT_F32
         : type == kF16 ? MOERT_F16
                        : MOERT_BF16;
}

/// Small integers, so that sums are exact in every type.
struct Numbers {
  Numbers(int type, size_t count, unsigned seed) : type(getType(type)) {
    std::mt19937 random(seed);
    for (size_t i = 0; i < count; ++i)
      values.push_back(static_cast<int>(random() % 7) - 3);
    bytes.resize(count * moert_type_size(this->type));
    storeRow(this->type, values.data(), static_cast<int64_t>(count),
             bytes.data());
  }
  moert_type type;
  std::vector<double> values;
  std::vector<char> bytes;
};

std::vector<double> toDoubles(moert_type type, const std::vector<char> &bytes) {
  std::vector<double> values(bytes.size() / moert_type_size(type));
  loadRow(type, bytes.data(), static_cast<int64_t>(values.size()),
          values.data());
  return values;
}

const nccl::Blas &blas() {
  (void)driver();
  std::string reason;
  const nccl::Blas *found = nccl::loadBlas(reason);
  if (!found) {
    ADD_FAILURE() << reason;
    std::abort();
  }
  return *found;
}

class BlasTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(blas().Create(&handle), 0);
    ASSERT_EQ(blas().SetStream(handle, stream.handle), 0);
  }
  void TearDown() override { EXPECT_EQ(blas().Destroy(handle), 0); }

  void check(int typeA, int typeC, int compute, bool turnA, bool turnB,
             float alpha, float beta);

  Device device;
  Stream stream;
  void *handle = nullptr;
};

} // namespace

void BlasTest::check(int typeA, int typeC, int compute, bool turnA, bool turnB,
                     float alpha, float beta) {
  const int m = 5, n = 4, k = 6, batches = 3, lda = 9, ldb = 8, ldc = 7;
  const long long strideA = 61, strideB = 53, strideC = 30;
  Numbers a(typeA, 3 * 61, 1), b(typeA, 3 * 53, 2), c(typeC, 3 * 30, 3);
  Array<char> da(a.bytes), db(b.bytes), dc(c.bytes);
  double alpha64 = alpha, beta64 = beta;
  bool wide = compute == kCompute64;
  ASSERT_EQ(blas().GemmStridedBatchedEx(
                handle, turnA, turnB, m, n, k,
                wide ? static_cast<void *>(&alpha64) : &alpha, da.data(), typeA,
                lda, strideA, db.data(), typeA, ldb, strideB,
                wide ? static_cast<void *>(&beta64) : &beta, dc.data(), typeC,
                ldc, strideC, batches, compute, -1),
            0);
  ASSERT_EQ(stream.wait(), 0);
  std::vector<double> expected = c.values;
  for (int batch = 0; batch < batches; ++batch)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum +=
              a.values[batch * strideA + (turnA ? i * lda + l : l * lda + i)] *
              b.values[batch * strideB + (turnB ? l * ldb + j : j * ldb + l)];
        double &result = expected[batch * strideC + j * ldc + i];
        result = alpha * sum + (beta != 0 ? beta * result : 0);
      }
  EXPECT_EQ(toDoubles(c.type, dc.read()), expected)
      << typeA << " " << typeC << " " << turnA << turnB;
}

TEST_F(BlasTest, ProductsRunOnSomeMultiprocessors) {
  EXPECT_EQ(blas().SetSmCountTarget(handle, -1), 7);
  EXPECT_EQ(blas().SetSmCountTarget(handle, 100), 0);
  check(kF32, kF32, kCompute32, false, false, 1, 0);
  EXPECT_EQ(blas().SetSmCountTarget(handle, 0), 0);
}

TEST_F(BlasTest, MultipliesAllTypesAndTurns) {
  for (bool turnA : {false, true})
    for (bool turnB : {false, true})
      for (auto [alpha, beta] :
           {std::pair(1.f, 0.f), std::pair(2.f, 1.f), std::pair(0.f, 2.f)}) {
        check(kF32, kF32, kCompute32, turnA, turnB, alpha, beta);
        check(kF64, kF64, kCompute64, turnA, turnB, alpha, beta);
        check(kF16, kF16, kCompute32, turnA, turnB, alpha, beta);
        check(kF16, kF32, kCompute32, turnA, turnB, alpha, beta);
        check(kBF16, kBF16, kCompute32, turnA, turnB, alpha, beta);
        check(kBF16, kF32, kCompute32, turnA, turnB, alpha, beta);
      }
}

TEST_F(BlasTest, RefusesWhatTheRealOneRefuses) {
  float one = 1;
  Array<float> x(std::vector<float>(64));
  auto call = [&](int m, int lda, int typeA, int compute, long long strideC) {
    return blas().GemmStridedBatchedEx(
        handle, 0, 0, m, 2, 2, &one, x.data(), typeA, lda, 4, x.data(), typeA,
        2, 4, &one, x.data(), kF32, 4, strideC, 2, compute, -1);
  };
  EXPECT_EQ(call(2, 2, kF32, kCompute32, 8), 0);
  EXPECT_EQ(call(-1, 2, kF32, kCompute32, 8), 7) << "a size";
  EXPECT_EQ(call(4, 3, kF32, kCompute32, 8), 7) << "columns that overlap";
  EXPECT_EQ(call(2, 2, kF64, kCompute32, 8), 15) << "types";
  EXPECT_EQ(call(2, 2, kF32, kCompute64, 8), 15) << "the computation's type";
  EXPECT_EQ(call(2, 2, kF32, kCompute32, 1), 7) << "results that overlap";
  EXPECT_EQ(stream.wait(), 0);
}

TEST_F(BlasTest, MultipliesGroups) {
  auto *grouped =
      find<int(void *, const int[], const int[], const int[], const int[],
               const int[], const void *, const void *const[], int, const int[],
               const void *const[], int, const int[], const void *,
               void *const[], int, const int[], int, const int[], int)>(
          "cublasGemmGroupedBatchedEx");
  // Two products of one shape, no product, and one of another shape.
  Numbers a(kF32, 64, 1), b(kF32, 64, 2), c(kF32, 64, 3);
  Array<char> da(a.bytes), db(b.bytes), dc(c.bytes);
  auto at = [](Array<char> &array, int i) {
    return static_cast<void *>(array.data() + 4 * i);
  };
  Array<void *> as({at(da, 0), at(da, 8), at(da, 16)});
  Array<void *> bs({at(db, 0), at(db, 8), at(db, 16)});
  Array<void *> cs({at(dc, 0), at(dc, 8), at(dc, 16)});
  // The entries of the lists must be device addresses, too.
  int turns[] = {0, 0, 0}, m[] = {2, 1, 3}, n[] = {2, 1, 1}, k[] = {3, 1, 2};
  int lda[] = {2, 1, 3}, ldb[] = {3, 1, 2}, ldc[] = {2, 1, 3};
  int sizes[] = {2, 0, 1};
  float alpha[] = {1, 1, 2}, beta[] = {0, 0, 1};
  ASSERT_EQ(grouped(handle, turns, turns, m, n, k, alpha, as.data(), kF32, lda,
                    bs.data(), kF32, ldb, beta, cs.data(), kF32, ldc, 3, sizes,
                    kCompute32),
            0);
  ASSERT_EQ(stream.wait(), 0);
  std::vector<double> expected = c.values;
  for (auto [from, g] : {std::pair(0, 0), std::pair(8, 0), std::pair(16, 2)})
    for (int j = 0; j < n[g]; ++j)
      for (int i = 0; i < m[g]; ++i) {
        double sum = 0;
        for (int l = 0; l < k[g]; ++l)
          sum +=
              a.values[from + l * lda[g] + i] * b.values[from + j * ldb[g] + l];
        double &result = expected[from + j * ldc[g] + i];
        result = alpha[g] * sum + beta[g] * result;
      }
  EXPECT_EQ(toDoubles(c.type, dc.read()), expected);
}
