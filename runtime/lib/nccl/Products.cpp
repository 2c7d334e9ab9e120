// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices on a device.

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

/// Numbers of CUDA's and cuBLAS's element and computation types.
static constexpr int kCudaTypes[] = {1, 0, 2, 14};
static constexpr int kCompute32 = 68, kCompute64 = 70, kDefaultAlgorithm = -1;

static int toInt(int64_t size) { return static_cast<int>(size); }

Status NcclStream::setUpBlas(const Blas *&blas) {
  std::string reason;
  blas = loadBlas(reason);
  if (!blas)
    return error(MOERT_UNAVAILABLE, "products need cuBLAS: %s", reason.c_str());
  // CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: parts of a sum that were
  // split over blocks are added as 32-bit floats too, as moert.h promises.
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

/// cuBLAS counts columns first: the turned product of the operands in the other
/// order.
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

/// Sizes and factors are in the host's memory, lists of operands in the
/// device's.
Status NcclStream::callGroupedBlas(const std::vector<RunProduct> &products,
                                   moert_type type, bool turnsA, bool turnsB,
                                   bool adds) {
  const Blas *blas = nullptr;
  Status status = setUpBlas(blas);
  size_t n = products.size();
  std::vector<int> turnedA(n, turnsA), turnedB(n, turnsB), rows, inner, columns,
      leadA, leadB, ones(n, 1);
  std::vector<float> factors(n, 1), more(n, adds);
  // Of cuBLAS's first operand, its second, and the results.
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
  return withScratch(addresses.size() * sizeof(void *), [&](char *space) {
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
        kCudaTypes[type], columns.data(), toInt(static_cast<int64_t>(n)),
        ones.data(), kCompute32);
    return code == 0 ? Status()
                     : error(MOERT_BACKEND_ERROR,
                             "cublasGemmGroupedBatchedEx: error %d", code);
  });
}

/// Tensor cores take no f32 as it is: a router of these in three parts of bf16,
/// whose products with the tokens are exact, in one product.
Status NcclStream::multiplyThirds(const void *a, const void *b, void *result,
                                  int64_t rows, int64_t inner,
                                  int64_t columns) {
  // Lines of whole words.
  int64_t width = (3 * columns + 7) / 8 * 8;
  int64_t step = std::clamp<int64_t>((8 << 20) / width, 1, rows);
  int64_t splitBytes = alignScratch(inner * width * 2);
  return withScratch(
      splitBytes + alignScratch(step * width * 4), [&](char *space) {
        cuda::ThirdsArgs args = {b, space, inner, columns, width};
        void *parameters[] = {&args};
        Status status =
            nccl.launch("moert_split_thirds", getBlocks(inner * width), 256, 0,
                        stream, parameters);
        char *products = space + splitBytes;
        for (int64_t begin = 0; begin < rows && status.ok(); begin += step) {
          int64_t count = std::min(step, rows - begin);
          status =
              callBlas({elementAt(a, begin * inner, MOERT_BF16), MOERT_BF16},
                       {space, MOERT_BF16}, products, MOERT_F32, count, inner,
                       width, /*batches=*/1, /*adds=*/false);
          args = {products, elementAt(result, begin * columns, MOERT_F32),
                  count, columns, width};
          if (status.ok())
            status =
                nccl.launch("moert_join_thirds", getBlocks(count * columns),
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
  // Products of few or short sums are over before cuBLAS has chosen an
  // algorithm.
  constexpr double kSmall = 1 << 22;
  std::string reason;
  bool hasBlas = loadBlas(reason);
  bool isSmall = inner <= 512 && static_cast<double>(rows) *
                                         static_cast<double>(inner) *
                                         static_cast<double>(columns) <=
                                     kSmall;
  if (isSmall || !hasBlas) {
    cuda::ProductArgs args{a.data,     b.data,     result,    rows,
                           inner,      columns,    a.type,    b.type,
                           resultType, a.isTurned, b.isTurned};
    int64_t tiles = (rows + 63) / 64 * ((columns + 63) / 64);
    void *parameters[] = {&args};
    return nccl.launch("moert_product",
                       static_cast<unsigned>(std::min<int64_t>(tiles, 1 << 20)),
                       256, 0, stream, parameters);
  }

  if (a.type == MOERT_BF16 && b.type == MOERT_F32 && resultType == MOERT_F32 &&
      !a.isTurned && !b.isTurned && inner)
    return multiplyThirds(a.data, b.data, result, rows, inner, columns);

  // cuBLAS takes operands of one type, and a result of this or of the sums'
  // type. Others are converted, a few rows of `a` at a time.
  moert_type sums = getSumType(a.type, b.type);
  moert_type type = a.type == b.type ? a.type : sums;
  bool convertsA = a.type != type, convertsB = b.type != type;
  bool convertsResult = resultType != type && resultType != sums;
  bool slicesB = a.isTurned && !b.isTurned;
  int64_t length = a.isTurned ? inner : rows, width = a.isTurned ? rows : inner;
  int64_t step = length;
  if (convertsA || convertsResult || (convertsB && slicesB))
    step = std::clamp<int64_t>((8 << 20) / std::max(width, columns), 1, length);
  // Rows of a turned operand cannot be cut when the other's lie across.
  if (a.isTurned && b.isTurned)
    step = length;
  int64_t typeBytes = moert_type_size(type), sumBytes = moert_type_size(sums);
  int64_t bytesA = convertsA ? alignScratch(step * width * typeBytes) : 0;
  int64_t bytesB =
      convertsB ? alignScratch((slicesB ? step : inner) * columns * typeBytes)
                : 0;
  int64_t bytesResult =
      convertsResult
          ? alignScratch((a.isTurned ? rows : step) * columns * sumBytes)
          : 0;
  auto work = [&](char *space) {
    char *spaceB = space + bytesA, *spaceResult = spaceB + bytesB;
    Status status;
    for (int64_t begin = 0; begin < length && status.ok(); begin += step) {
      int64_t count = std::min(step, length - begin);
      Matrix ownA{elementAt(a.data, begin * width, a.type), type, a.isTurned};
      Matrix ownB{slicesB ? elementAt(b.data, begin * columns, b.type) : b.data,
                  type, b.isTurned};
      if (convertsA) {
        status = convert(ownA.data, a.type, space, type, count * width);
        ownA.data = space;
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
  };
  int64_t bytes = bytesA + bytesB + bytesResult;
  return bytes ? withScratch(bytes, work) : work(nullptr);
}
