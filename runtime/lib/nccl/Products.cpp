// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products on GPUs.

#include "nccl/GateArgs.h"
#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

static char *elementAt(const void *data, int64_t element, moert_type type) {
  return static_cast<char *>(const_cast<void *>(data)) +
         element * static_cast<int64_t>(moert_type_size(type));
}

Status NcclStream::convert(const void *source, moert_type sourceType,
                           void *target, moert_type targetType, int64_t count,
                           const Jitter &jitter) {
  cuda::ConvertArgs args{};
  args.source = source;
  args.target = target;
  args.count = count;
  args.sourceType = sourceType;
  args.targetType = targetType;
  args.jitter = jitter.factor;
  args.seed = jitter.seed;
  args.firstToken = jitter.firstToken;
  args.hidden = jitter.hidden;
  void *parameters[] = {&args};
  return nccl.launch("moert_convert", getBlocks(count), 256, 0, stream,
                     parameters);
}

/// CUDA's and cuBLAS's numbers of element and computation types.
static constexpr int kCudaTypes[] = {1, 0, 2, 14};
static constexpr int kCompute32 = 68, kCompute64 = 70, kDefaultAlgorithm = -1;

static int toInt(int64_t size) { return static_cast<int>(size); }

Status NcclStream::setUpBlas(const Blas *&blas) {
  std::string reason;
  blas = loadBlas(reason);
  if (!blas)
    return error(MOERT_UNAVAILABLE, "products need cuBLAS: %s", reason.c_str());
  // CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: partial sums of different
  // blocks are also added as 32-bit floats, as moert.h promises.
  constexpr int kWholeSums = 16;
  if (!blasHandle && (blas->Create(&blasHandle) != 0 ||
                      blas->SetStream(blasHandle, stream) != 0 ||
                      blas->SetMathMode(blasHandle, kWholeSums) != 0))
    return error(MOERT_BACKEND_ERROR, "cuBLAS could not be set up");
  if (blasSmTarget == smTarget)
    return {};
  if (int code = blas->SetSmCountTarget(blasHandle, smTarget))
    return error(MOERT_BACKEND_ERROR, "cublasSetSmCountTarget: error %d", code);
  blasSmTarget = smTarget;
  return {};
}

Status NcclStream::leaveSms(int32_t sms) {
  Status status = begin();
  if (!status.ok() || sms == 0) {
    smTarget = 0;
    return status;
  }
  int count = 0;
  status = nccl.countSms(count);
  if (!status.ok())
    return status;
  if (sms >= count)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected products on stream '%s' to leave fewer than the "
                 "device's %d SMs free, got %d",
                 name.c_str(), count, sms);
  std::string reason;
  const Blas *blas = loadBlas(reason);
  if (!blas || !blas->SetSmCountTarget)
    return error(MOERT_UNAVAILABLE, "products that leave SMs free need %s",
                 blas ? "cublasSetSmCountTarget, which cuBLAS has since CUDA "
                        "11.5"
                      : ("cuBLAS: " + reason).c_str());
  smTarget = count - sms;
  return {};
}

static Status checkBlasSize(int64_t largest) {
  if (largest > INT32_MAX)
    return error(MOERT_UNAVAILABLE, "cuBLAS takes sizes up to 2^31 - 1");
  return {};
}

/// cuBLAS is column-major, so compute the transposed product with exchanged
/// operands.
Status NcclStream::callBlas(const Matrix &a, const Matrix &b, void *result,
                            moert_type resultType, int64_t rows, int64_t inner,
                            int64_t columns, int64_t batches, bool adds,
                            int64_t lineA, int64_t resultRows) {
  lineA = std::max(lineA, a.isTurned ? rows : inner);
  const Blas *blas = nullptr;
  Status status = setUpBlas(blas);
  if (status.ok())
    status = checkBlasSize(std::max({rows, inner, columns, batches, lineA}));
  if (!status.ok())
    return status;
  double one64 = 1, more64 = adds;
  float one32 = 1, more32 = adds;
  bool isWide = a.type == MOERT_F64;
  int code = blas->GemmStridedBatchedEx(
      blasHandle, b.isTurned, a.isTurned, toInt(columns), toInt(rows),
      toInt(inner), isWide ? static_cast<void *>(&one64) : &one32, b.data,
      kCudaTypes[b.type], toInt(b.isTurned ? inner : columns),
      b.countElements(inner, columns), a.data, kCudaTypes[a.type], toInt(lineA),
      (a.isTurned ? inner : rows) * lineA,
      isWide ? static_cast<void *>(&more64) : &more32, result,
      kCudaTypes[resultType], toInt(columns),
      std::max(rows, resultRows) * columns, toInt(batches),
      isWide ? kCompute64 : kCompute32, kDefaultAlgorithm);
  if (code == 0)
    return {};
  return error(MOERT_BACKEND_ERROR, "cublasGemmStridedBatchedEx: error %d",
               code);
}

/// Sizes and factors are in host memory, lists of operands in device memory.
Status NcclStream::callGroupedBlas(const std::vector<RunProduct> &products,
                                   moert_type type, moert_type resultType,
                                   bool turnsA, bool turnsB, bool adds) {
  const Blas *blas = nullptr;
  Status status = setUpBlas(blas);
  size_t n = products.size();
  std::vector<int> turnedA(n, turnsA), turnedB(n, turnsB), rows, inner, columns,
      leadA, leadB, ones(n, 1);
  std::vector<float> factors(n, 1), more(n, adds);
  // Addresses of cuBLAS's first operands, second operands and results.
  std::vector<const void *> addresses(3 * n);
  for (size_t i = 0; i < n && status.ok(); ++i) {
    const RunProduct &p = products[i];
    status = checkBlasSize(std::max({p.rows, p.inner, p.columns}));
    rows.push_back(toInt(p.rows));
    inner.push_back(toInt(p.inner));
    columns.push_back(toInt(p.columns));
    leadA.push_back(toInt(turnsA ? p.rows : p.inner));
    leadB.push_back(toInt(turnsB ? p.inner : p.columns));
    addresses[i] = p.b;
    addresses[n + i] = p.a;
    addresses[2 * n + i] = p.result;
  }
  if (!status.ok())
    return status;
  size_t bytes = scratch::getAddressBytes(static_cast<int64_t>(n));
  return withScratch(bytes, [&](char *space) {
    auto **list = reinterpret_cast<void **>(space);
    Status status;
    cuda::AddressesArgs args;
    for (size_t i = 0; i < addresses.size() && status.ok(); i += args.count) {
      args.count = toInt(std::min<size_t>(args.kMost, addresses.size() - i));
      std::copy_n(&addresses[i], args.count, args.addresses);
      args.list = const_cast<const void **>(list + i);
      void *parameters[] = {&args};
      status = nccl.launch("moert_write_addresses", getBlocks(args.count), 256,
                           0, stream, parameters);
    }
    if (!status.ok())
      return status;
    int code = blas->GemmGroupedBatchedEx(
        blasHandle, turnedB.data(), turnedA.data(), columns.data(), rows.data(),
        inner.data(), factors.data(), list, kCudaTypes[type], leadB.data(),
        list + n, kCudaTypes[type], leadA.data(), more.data(), list + 2 * n,
        kCudaTypes[resultType], columns.data(), toInt(static_cast<int64_t>(n)),
        ones.data(), kCompute32);
    return code == 0 ? Status()
                     : error(MOERT_BACKEND_ERROR,
                             "cublasGemmGroupedBatchedEx: error %d", code);
  });
}

/// Tensor cores do not accept f32. Therefore, an f32 router is split into three
/// bf16 parts. Their products with the tokens are exact and computed together.
Status NcclStream::multiplyThirds(const scratch::ProductLayout &layout,
                                  const void *a, const void *b, void *result,
                                  int64_t rows, int64_t inner,
                                  int64_t columns) {
  int64_t width = layout.width, step = layout.step;
  return withScratch(layout.bytes, [&](char *space) {
    char *thirds = space + layout.partA, *products = space + layout.partResult;
    cuda::ThirdsArgs args = {b, thirds, inner, columns, width};
    void *parameters[] = {&args};
    Status status = nccl.launch("moert_split_thirds", getBlocks(inner * width),
                                256, 0, stream, parameters);
    for (int64_t begin = 0; begin < rows && status.ok(); begin += step) {
      int64_t count = std::min(step, rows - begin);
      status = callBlas({elementAt(a, begin * inner, MOERT_BF16), MOERT_BF16},
                        {thirds, MOERT_BF16}, products, MOERT_F32, count, inner,
                        width, /*batches=*/1, /*adds=*/false);
      args = {products, elementAt(result, begin * columns, MOERT_F32), count,
              columns, width};
      if (status.ok())
        status = nccl.launch("moert_join_thirds", getBlocks(count * columns),
                             256, 0, stream, parameters);
    }
    return status;
  });
}

Status NcclStream::multiply(const Matrix &a, const Matrix &b, void *result,
                            moert_type resultType, int64_t rows, int64_t inner,
                            int64_t columns) {
  if (rows == 0 || columns == 0)
    return {};
  scratch::ProductLayout layout({a.type, b.type, resultType, rows, inner,
                                 columns, a.isTurned, b.isTurned});
  std::string reason;
  if (layout.isSmall || !loadBlas(reason)) {
    cuda::ProductArgs args{a.data,     b.data,     result,    rows,
                           inner,      columns,    a.type,    b.type,
                           resultType, a.isTurned, b.isTurned};
    int64_t tiles = (rows + 63) / 64 * ((columns + 63) / 64);
    void *parameters[] = {&args};
    return nccl.launch("moert_product",
                       static_cast<unsigned>(std::min<int64_t>(tiles, 1 << 20)),
                       256, 0, stream, parameters);
  }

  if (layout.isInThirds)
    return multiplyThirds(layout, a.data, b.data, result, rows, inner, columns);

  moert_type sums = layout.sums, type = layout.type;
  bool convertsA = layout.convertsA, convertsB = layout.convertsB,
       convertsResult = layout.convertsResult, slicesB = layout.slicesB;
  int64_t length = layout.length, width = layout.width, step = layout.step;
  return withScratch(layout.bytes, [&](char *space) {
    char *spaceA = space + layout.partA, *spaceB = space + layout.partB,
         *spaceResult = space + layout.partResult;
    Status status;
    for (int64_t begin = 0; begin < length && status.ok(); begin += step) {
      int64_t count = std::min(step, length - begin);
      Matrix ownA{elementAt(a.data, begin * width, a.type), type, a.isTurned};
      Matrix ownB{slicesB ? elementAt(b.data, begin * columns, b.type) : b.data,
                  type, b.isTurned};
      if (convertsA) {
        status = convert(ownA.data, a.type, spaceA, type, count * width);
        ownA.data = spaceA;
      }
      if (convertsB) {
        if (status.ok() && (slicesB || begin == 0))
          status = convert(ownB.data, b.type, spaceB, type,
                           (slicesB ? count : inner) * columns);
        ownB.data = spaceB;
      }
      int64_t firstRow = a.isTurned ? 0 : begin;
      void *own = convertsResult
                      ? spaceResult
                      : elementAt(result, firstRow * columns, resultType);
      int64_t ownRows = a.isTurned ? rows : count;
      if (status.ok())
        status = callBlas(ownA, ownB, own, convertsResult ? sums : resultType,
                          ownRows, a.isTurned ? count : inner, columns,
                          /*batches=*/1, /*adds=*/a.isTurned && begin > 0);
      bool isWhole = !a.isTurned || begin + count == length;
      if (status.ok() && convertsResult && isWhole)
        status = convert(spaceResult, sums,
                         elementAt(result, firstRow * columns, resultType),
                         resultType, ownRows * columns);
    }
    return status;
  });
}
