// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU emulation of cuBLAS.

// Matrix products as cuBLAS documents them: column-major, either operand
// transposed, sums in the computation type, and the summands added one by one
// in the order of the inner dim. Types and sizes that cuBLAS does not allow get
// the error of cuBLAS. Products run on the handle's stream.

#include "StandIn.h"
#include "core/Types.h"
#include <algorithm>
#include <cstdint>
#include <vector>

using namespace moert;

namespace {

/// Status codes of cuBLAS.
enum Result {
  Success = 0,
  InvalidValue = 7,
  NotSupported = 15,
};
/// Values of CUDA's element types, and of cuBLAS's computation types.
enum Type { F32 = 0, F64 = 1, F16 = 2, BF16 = 14 };
enum Compute { Compute32 = 68, Compute64 = 70 };

struct Handle {
  cuda::Stream stream = nullptr;
  /// Number of multiprocessors for products; 0 for all.
  int smTarget = 0;

  /// Returns the details of a product in the log.
  std::string describe() const {
    return smTarget ? "sms=" + std::to_string(smTarget) : "";
  }
};

/// A column-major matrix in memory.
struct Matrix {
  int type, lead;
  int rows, columns;
  /// Returns the bytes from the first element to the end of the last.
  size_t getBytes() const;
};

/// One product: result = alpha op(a) op(b) + beta result.
struct Product {
  bool transposesA, transposesB;
  int m, n, k;
  Matrix a, b, c;
  double alpha, beta;
  int compute;
};

} // namespace

static size_t sizeOf(int type) { return type == F64 ? 8 : type == F32 ? 4 : 2; }

size_t Matrix::getBytes() const {
  if (rows == 0 || columns == 0)
    return 0;
  return (static_cast<size_t>(columns - 1) * static_cast<size_t>(lead) +
          static_cast<size_t>(rows)) *
         sizeOf(type);
}

template <typename T> static T load(int type, const void *data, size_t i) {
  switch (type) {
  case F64:
    return static_cast<T>(static_cast<const double *>(data)[i]);
  case F32:
    return static_cast<T>(static_cast<const float *>(data)[i]);
  case F16:
    return static_cast<T>(toFloat(static_cast<const Half *>(data)[i]));
  default:
    return static_cast<T>(toFloat(static_cast<const BFloat *>(data)[i]));
  }
}

template <typename T>
static void store(int type, void *data, size_t i, T value) {
  switch (type) {
  case F64:
    static_cast<double *>(data)[i] = static_cast<double>(value);
    return;
  case F32:
    static_cast<float *>(data)[i] = static_cast<float>(value);
    return;
  case F16:
    static_cast<Half *>(data)[i] = toHalf(static_cast<float>(value));
    return;
  default:
    static_cast<BFloat *>(data)[i] = toBFloat(static_cast<float>(value));
    return;
  }
}

/// Copies op(matrix) without gaps, column-major.
template <typename T>
static std::vector<T> pack(const Matrix &matrix, bool transposes,
                           const void *data) {
  auto rows = static_cast<size_t>(matrix.rows),
       columns = static_cast<size_t>(matrix.columns),
       lead = static_cast<size_t>(matrix.lead);
  std::vector<T> packed(rows * columns);
  for (size_t j = 0; j < columns; ++j)
    for (size_t i = 0; i < rows; ++i)
      packed[transposes ? i * columns + j : j * rows + i] =
          load<T>(matrix.type, data, j * lead + i);
  return packed;
}

template <typename T>
static void multiply(const Product &p, const void *a, const void *b, void *c) {
  auto m = static_cast<size_t>(p.m), n = static_cast<size_t>(p.n),
       k = static_cast<size_t>(p.k), lead = static_cast<size_t>(p.c.lead);
  auto alpha = static_cast<T>(p.alpha), beta = static_cast<T>(p.beta);
  // If the factor is 0, the operands are not read.
  std::vector<T> left, right;
  if (alpha != 0) {
    left = pack<T>(p.a, p.transposesA, a);
    right = pack<T>(p.b, p.transposesB, b);
  }
  std::vector<T> sums(m);
  for (size_t j = 0; j < n; ++j) {
    std::fill(sums.begin(), sums.end(), T(0));
    for (size_t l = 0; alpha != 0 && l < k; ++l)
      for (size_t i = 0; i < m; ++i)
        sums[i] += left[l * m + i] * right[j * k + l];
    for (size_t i = 0; i < m; ++i) {
      T value = alpha * sums[i];
      if (beta != 0)
        value += beta * load<T>(p.c.type, c, j * lead + i);
      store(p.c.type, c, j * lead + i, value);
    }
  }
}

/// Runs a product on the stream, when the operands have been computed.
static void run(const Product &p, const void *a, const void *b, void *c) {
  if (p.m == 0 || p.n == 0)
    return;
  bool reads = p.alpha != 0;
  const void *left = reads ? standin::reach(a, p.a.getBytes()) : nullptr;
  const void *right = reads ? standin::reach(b, p.b.getBytes()) : nullptr;
  void *result = standin::reach(c, p.c.getBytes());
  if (p.compute == Compute64)
    multiply<double>(p, left, right, result);
  else
    multiply<float>(p, left, right, result);
}

/// Returns true for the combinations of types in cuBLAS's table that this
/// emulation supports.
static bool areTypesKnown(int a, int b, int c, int compute) {
  if (compute == Compute64)
    return a == F64 && b == F64 && c == F64;
  bool isNarrow = a == F16 || a == BF16;
  return compute == Compute32 && a == b && (isNarrow || a == F32) &&
         (c == a || c == F32);
}

/// Fills a product from cuBLAS's arguments and checks them as cuBLAS does.
static Result make(Product &p, int transposeA, int transposeB, int m, int n,
                   int k, const void *alpha, int typeA, int lda, int typeB,
                   int ldb, const void *beta, int typeC, int ldc, int compute) {
  if (transposeA < 0 || transposeA > 1 || transposeB < 0 || transposeB > 1 ||
      m < 0 || n < 0 || k < 0 || !alpha || !beta)
    return InvalidValue;
  if (!areTypesKnown(typeA, typeB, typeC, compute))
    return NotSupported;
  p.transposesA = transposeA;
  p.transposesB = transposeB;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = {typeA, lda, transposeA ? k : m, transposeA ? m : k};
  p.b = {typeB, ldb, transposeB ? n : k, transposeB ? k : n};
  p.c = {typeC, ldc, m, n};
  for (const Matrix &matrix : {p.a, p.b, p.c})
    if (matrix.lead < std::max(1, matrix.rows))
      return InvalidValue;
  p.compute = compute;
  // The factors have the computation type and are in host memory.
  bool wide = compute == Compute64;
  p.alpha = wide ? *static_cast<const double *>(alpha)
                 : *static_cast<const float *>(alpha);
  p.beta = wide ? *static_cast<const double *>(beta)
                : *static_cast<const float *>(beta);
  return Success;
}

static const char *at(const void *base, long long element, int type) {
  return static_cast<const char *>(base) +
         element * static_cast<long long>(sizeOf(type));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

STAND_IN_API int cublasCreate_v2(void **handle) {
  CALL();
  constexpr int kNotInitialized = 1;
  if (!standin::getContext())
    return kNotInitialized;
  *handle = new Handle;
  return Success;
}
STAND_IN_API int cublasDestroy_v2(void *handle) {
  CALL();
  delete static_cast<Handle *>(handle);
  return Success;
}
STAND_IN_API int cublasSetStream_v2(void *handle, cuda::Stream stream) {
  CALL(stream);
  static_cast<Handle *>(handle)->stream = stream;
  return Success;
}
/// The math mode controls the rounding of partial sums, which this emulation
/// does not have.
STAND_IN_API int cublasSetMathMode(void *handle, int mode) {
  CALL(static_cast<Handle *>(handle)->stream, "mode=" + std::to_string(mode));
  return Success;
}
/// Only recorded in the log, because the emulation has no multiprocessors.
STAND_IN_API int cublasSetSmCountTarget(void *handle, int sms) {
  auto &own = *static_cast<Handle *>(handle);
  CALL(own.stream, "sms=" + std::to_string(sms));
  if (sms < 0)
    return InvalidValue;
  own.smTarget = sms;
  return Success;
}
/// Checks the workspace but does not use it.
STAND_IN_API int cublasSetWorkspace_v2(void *handle, void *workspace,
                                       size_t bytes) {
  CALL(static_cast<Handle *>(handle)->stream);
  standin::reach(workspace, bytes);
  return Success;
}

STAND_IN_API int
cublasGemmStridedBatchedEx(void *handle, int transposeA, int transposeB, int m,
                           int n, int k, const void *alpha, const void *a,
                           int typeA, int lda, long long strideA, const void *b,
                           int typeB, int ldb, long long strideB,
                           const void *beta, void *c, int typeC, int ldc,
                           long long strideC, int batches, int compute, int) {
  const auto &own = *static_cast<Handle *>(handle);
  cuda::Stream stream = own.stream;
  CALL(stream, own.describe());
  Product p;
  Result wrong = make(p, transposeA, transposeB, m, n, k, alpha, typeA, lda,
                      typeB, ldb, beta, typeC, ldc, compute);
  if (wrong)
    return wrong;
  if (!stream)
    return NotSupported;
  // Results must not overlap.
  auto unit = static_cast<long long>(p.c.getBytes() / sizeOf(typeC));
  if (batches < 0 || (batches > 1 && strideC < unit))
    return InvalidValue;
  standin::enqueue(stream, [=] {
    for (long long batch = 0; batch < batches; ++batch)
      run(p, at(a, batch * strideA, typeA), at(b, batch * strideB, typeB),
          const_cast<char *>(at(c, batch * strideC, typeC)));
  });
  return Success;
}

/// Computes groups of products, each group with one shape. Shapes and factors
/// are in host memory, the lists of operands in device memory.
STAND_IN_API int cublasGemmGroupedBatchedEx(
    void *handle, const int transposeA[], const int transposeB[], const int m[],
    const int n[], const int k[], const void *alpha, const void *const a[],
    int typeA, const int lda[], const void *const b[], int typeB,
    const int ldb[], const void *beta, void *const c[], int typeC,
    const int ldc[], int groups, const int sizes[], int compute) {
  const auto &own = *static_cast<Handle *>(handle);
  cuda::Stream stream = own.stream;
  CALL(stream, own.describe());
  if (groups < 0)
    return InvalidValue;
  if (!stream)
    return NotSupported;
  std::vector<Product> products;
  for (int g = 0; g < groups; ++g) {
    int factor = compute == Compute64 ? F64 : F32;
    Product p;
    Result wrong = make(p, transposeA[g], transposeB[g], m[g], n[g], k[g],
                        at(alpha, g, factor), typeA, lda[g], typeB, ldb[g],
                        at(beta, g, factor), typeC, ldc[g], compute);
    if (wrong)
      return wrong;
    if (sizes[g] < 0)
      return InvalidValue;
    products.insert(products.end(), static_cast<size_t>(sizes[g]), p);
  }
  standin::enqueue(stream, [=] {
    size_t bytes = products.size() * sizeof(void *);
    auto *as = static_cast<const void *const *>(standin::reach(a, bytes));
    auto *bs = static_cast<const void *const *>(standin::reach(b, bytes));
    auto *cs = static_cast<void *const *>(standin::reach(c, bytes));
    for (size_t i = 0; i < products.size(); ++i)
      run(products[i], as[i], bs[i], cs[i]);
  });
  return Success;
}
