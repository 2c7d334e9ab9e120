// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of a device.

#ifndef MOERT_NCCL_NCCLSTREAM_H
#define MOERT_NCCL_NCCLSTREAM_H

#include "nccl/ExpertRuns.h"
#include "nccl/NcclContext.h"
#include <algorithm>

namespace moert::cuda {
struct DifferentiateLinesArgs;
}

namespace moert::nccl {

/// Blocks of 256 threads for so many elements, as many as fill a device: each
/// thread goes on in steps of all of them.
inline unsigned getBlocks(long long count) {
  return static_cast<unsigned>(
      std::clamp<long long>((count + 255) / 256, 1, 4096));
}

/// Blocks of so many warps, one for each of `count` lines, up to a limit from
/// which warps go on in steps of all of them.
inline unsigned getWarpBlocks(int64_t count, int64_t warps,
                              int64_t limit = 1 << 20) {
  return static_cast<unsigned>(
      std::clamp<int64_t>((count + warps - 1) / warps, 1, limit));
}

/// What the parts of scratch memory are aligned to.
inline int64_t alignScratch(int64_t bytes) { return (bytes + 255) / 256 * 256; }

/// A row-major matrix of any float type, or one that lies turned in memory.
struct Matrix {
  const void *data;
  moert_type type;
  bool isTurned = false;
  /// One row more lies behind it, which products of the matrix that is not
  /// turned add to each row of theirs, and those of the turned one leave out.
  bool isBiased = false;
  Matrix turned() const { return {data, type, !isTurned, isBiased}; }
  /// Of [inner, columns], with what lies behind.
  int64_t countElements(int64_t inner, int64_t columns) const {
    return inner * columns + (isBiased ? isTurned ? inner : columns : 0);
  }
  /// Behind [inner, columns], which are not turned.
  const void *getBias(int64_t inner, int64_t columns) const {
    return static_cast<const char *>(data) +
           inner * columns * static_cast<int64_t>(moert_type_size(type));
  }
};

/// One of many products: result = a times b, as in `NcclStream::multiply`.
struct RunProduct {
  const void *a, *b;
  void *result;
  int64_t rows, inner, columns;
};

/// What sums of products of two types are, and logits.
inline moert_type getSumType(moert_type a, moert_type b) {
  return a == MOERT_F64 || b == MOERT_F64 ? MOERT_F64 : MOERT_F32;
}

/// Of the tokens of a gate, from number `firstToken` on.
struct Jitter {
  double factor = 0;
  const void *seed = nullptr;
  int64_t firstToken = 0, hidden = 0;
};

class NcclEvent : public moert_event {
public:
  NcclEvent(NcclContext &context, cuda::Event event)
      : nccl(context), event(event) {}
  ~NcclEvent() override;

  Status record(moert_stream &stream) override;
  Status query(bool &reached) override;
  Status synchronize(Deadline deadline) override;
  Status getElapsed(moert_event &end, double &elapsedUs) override;
  cuda::Event get() const { return event; }

private:
  /// Where it was recorded last; a number to look for, as the stream may have
  /// been destroyed.
  std::atomic<moert_stream *> recordedOn{nullptr};
  /// Known to be, as a fresh one is: it can be a fresh one again.
  std::atomic<bool> isReached{true};
  NcclContext &nccl;
  const cuda::Event event;
};

class NcclStream : public moert_stream {
public:
  NcclStream(NcclContext &context, cuda::Stream stream)
      : nccl(context), stream(stream) {}
  ~NcclStream() override;

  Status synchronize(Deadline deadline) override;
  bool drain(Deadline deadline) override;
  Status waitEvent(moert_event &event) override;
  Status leaveSms(int32_t sms) override;
  Status launch(const char *name, int (*function)(void *), void *argument,
                size_t bytes) override;
  Status launchKernel(const moert_kernel_args &kernel) override;
  Status delay(double durationUs) override;
  Status queryCapture(bool &isCaptured) override;
  Status beginCapture() override;
  Status endCapture(std::unique_ptr<Graph> &graph) override;
  Status createComm(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, Deadline deadline,
                    moert_comm **comm) override;
  Status copy(void *target, const void *source, size_t bytes) override;
  Status copyStrided(void *target, const std::vector<int64_t> &targetStrides,
                     const void *source,
                     const std::vector<int64_t> &sourceStrides,
                     const std::vector<int64_t> &sizes,
                     size_t elementBytes) override;
  Status fillZero(void *target, size_t bytes) override;
#define MOERT_DEVICE_KERNEL(name, Name, args)                                  \
  Status name(const moert_##args##_args &arguments) override;
#include "moert_calls.def"
  Status runOnHost(std::function<Status()> kernel) override;
  cuda::Stream get() const { return stream; }
  /// Lets `work` put kernels on the stream that share `bytes` bytes of memory,
  /// aligned to 256. The one place where kernels get memory: the stream's own,
  /// which grows to what is asked for at once and is used again.
  Status withScratch(size_t bytes,
                     const std::function<Status(char *space)> &work);
  /// What is under way, as far as it is known here: collectives are. The
  /// context's mutex is held.
  std::string explainWait();

private:
  /// The collective that the stream is in, or comes to next.
  std::string describeCollective(bool &hasBegun);
  /// The job goes on, and its device is this thread's.
  Status begin();
  /// result = a times b, [rows, inner] times [inner, columns], of any types:
  /// sums are 32-bit floats, 64-bit ones where an operand's are. The same
  /// sizes and types give the same bits. Not both may be turned.
  Status multiply(const Matrix &a, const Matrix &b, void *result,
                  moert_type resultType, int64_t rows, int64_t inner,
                  int64_t columns);
  /// The same by cuBLAS, for operands of one type and results of this one or
  /// of the sums', for each of `batches`; `adds` to what is in the result.
  /// `lineA`: elements from a line of `a`, as it lies, to the next, where they
  /// are more than take part; `resultRows`: rows of a batch's result, likewise.
  /// Biases are left out.
  Status callBlas(const Matrix &a, const Matrix &b, void *result,
                  moert_type resultType, int64_t rows, int64_t inner,
                  int64_t columns, int64_t batches, bool adds,
                  int64_t lineA = 0, int64_t resultRows = 0);
  Status setUpBlas(const Blas *&blas);
  /// Products of different sizes in one call, of one type that is not f64.
  Status callGroupedBlas(const std::vector<RunProduct> &products,
                         moert_type type, bool turnsA, bool turnsB, bool adds);
  /// `products` in one call where cuBLAS and the stream allow it and the call
  /// gains, else one by one.
  Status multiplyRuns(const std::vector<RunProduct> &products, moert_type type,
                      bool turnsA, bool turnsB, bool adds);
  /// `multiply` of bf16 and f32 by f32.
  Status multiplyThirds(const void *a, const void *b, void *result,
                        int64_t rows, int64_t inner, int64_t columns);
  Status convert(const void *source, moert_type sourceType, void *target,
                 moert_type targetType, int64_t count,
                 const Jitter &jitter = {});
  Status multiplyJittered(const moert_gate_args &args, moert_type logitType,
                          void *logits);
  /// The lengths of a matrix's columns, on the device.
  Status findLengths(const Matrix &matrix, int64_t rows, int64_t columns,
                     const double *lengths);
  /// From gradients of the logits of tokens [S, M] and a router [M, N], which
  /// `differentiate` computes, to those of both.
  Status differentiateProduct(
      const Matrix &x, const Matrix &router, void *dx, void *dRouter, int64_t S,
      int64_t M, int64_t N,
      const std::function<Status(cuda::DifferentiateLinesArgs &lines)>
          &differentiate);
  Status setBytes(void *target, unsigned char value, size_t bytes);
  /// How many copies each expert gets in each tile, and in all: `sums`, unless
  /// null.
  Status countCopies(const cuda::SortArgs &sort, void *sums,
                     moert_type sumsType);
  /// Where they go, once counted, and the rows of their tokens with them.
  Status placeCopies(const cuda::SortArgs &sort, long long rowBytes,
                     const void *x, void *buffer);
  Status launchSort(const char *kernel, const cuda::SortArgs &sort,
                    void **parameters);
  /// Each row of a product, [rows, columns], += `bias`.
  Status addBias(void *product, moert_type type, const void *bias,
                 moert_type biasType, int64_t rows, int64_t columns);
  /// The rows of each run become its bias, the first of which lies at `biases`
  /// and the others `step` rows from one to the next.
  Status fillRuns(const std::vector<Run> &runs, void *rows, moert_type type,
                  int64_t columns, const void *biases, int64_t step);
  /// The reverse: each bias becomes the sum of its run's rows.
  Status sumRuns(const std::vector<Run> &runs, const void *rows,
                 moert_type type, int64_t columns, void *biases,
                 moert_type biasType, int64_t step);
  Status moveRuns(const std::vector<Run> &runs, const cuda::RunsArgs &args);
  /// Calls `launch` with as many runs at a time as a launch takes, and how many
  /// rows these have.
  Status forRuns(const std::vector<Run> &runs, cuda::RunsArgs args,
                 const std::function<Status(cuda::RunsArgs &args,
                                            long long rows)> &launch);
  /// Rows of runs of a buffer to where they lie packed, or back.
  Status copyRuns(const ExpertRuns &rows, int64_t rowBytes, const void *buffer,
                  void *packed, bool unpacks);
  /// result = a times b for the rows of each expert: `a` is [rows, inner], `b`
  /// [experts, inner, columns], `result` [rows, columns]. Where rows lie, in
  /// the buffer or packed, `a` and `result` say each. `adds` to what is there,
  /// where `b` has no biases to add.
  Status multiplyRows(const ExpertRuns &rows, RowPlace placeOfA,
                      const Matrix &a, const Matrix &b, RowPlace placeOfResult,
                      void *result, int64_t inner, int64_t columns,
                      bool adds = false);
  /// result = a turned times b, of each expert's rows: `a` is [rows, width],
  /// `b` [rows, columns], `result` [experts, width, columns]; where it is
  /// `biased` a row more, the sum of the expert's rows of `b`.
  Status multiplyTurnedRows(const ExpertRuns &rows, RowPlace placeOfA,
                            const void *a, RowPlace placeOfB, const void *b,
                            void *result, moert_type type, int64_t width,
                            int64_t columns, bool biased);
  /// Zeros in the rows of all runs.
  Status clearRuns(const std::vector<Run> &runs, void *rows, size_t rowBytes);
  /// What went into the last product, and the gradients of the inner ones.
  struct Between;
  /// Calls `work` with arguments whose rows lie where products find them, and
  /// with `moreBytes` of scratch memory. `own.dx` may be written.
  Status withRows(const moert_experts_grad_args &args, const ExpertRuns &rows,
                  int64_t moreBytes,
                  const std::function<Status(const moert_experts_grad_args &own,
                                             char *more)> &work);
  /// The same, with what is between the products, differentiated: from what was
  /// `kept`, unless null, and to `handed`, unless null.
  Status differentiateRuns(
      const moert_experts_grad_args &args, const ExpertRuns &rows,
      const void *kept, void *handed,
      const std::function<Status(const moert_experts_grad_args &own,
                                 const Between &between)> &work);

  NcclContext &nccl;
  const cuda::Stream stream;
  void *blasHandle = nullptr;
  /// On how many SMs products run, and those that the handle knows of; 0 for
  /// all.
  int smTarget = 0, blasSmTarget = 0;
  /// Scratch memory of kernels, kept for the next: work of the stream follows
  /// on another. One piece for each use within a use.
  struct Scratch {
    cuda::Pointer space = 0;
    size_t bytes = 0;
    /// Whether a graph uses it, which may be launched at any time.
    bool isInGraph = false;
  };
  std::vector<Scratch> scratch;
  /// What graphs use and others have grown out of.
  std::vector<cuda::Pointer> graphScratch;
  size_t scratchDepth = 0;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLSTREAM_H
