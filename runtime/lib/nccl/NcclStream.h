// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of GPUs.

#ifndef MOERT_NCCL_NCCLSTREAM_H
#define MOERT_NCCL_NCCLSTREAM_H

#include "moert_scratch.h"
#include "nccl/ExpertRuns.h"
#include "nccl/GroupedTiles.h"
#include "nccl/NcclContext.h"
#include <algorithm>

namespace moert::cuda {
struct DifferentiateLinesArgs;
}

namespace moert::nccl {

/// Returns the number of blocks of 256 threads for `count` elements, at most
/// enough to fill the device; each thread proceeds in steps of all threads.
inline unsigned getBlocks(long long count) {
  return static_cast<unsigned>(
      std::clamp<long long>((count + 255) / 256, 1, 4096));
}

/// Returns the number of blocks of `warps` warps for `count` lines, one warp
/// per line, at most `limit`; warps then proceed in steps of all warps.
inline unsigned getWarpBlocks(int64_t count, int64_t warps,
                              int64_t limit = 1 << 20) {
  return static_cast<unsigned>(
      std::clamp<int64_t>((count + warps - 1) / warps, 1, limit));
}

/// A row-major matrix of any float type, or a matrix that is transposed in
/// memory.
struct Matrix {
  const void *data;
  moert_type type;
  bool isTurned = false;
  /// Whether a bias row follows the matrix. Products of the matrix add it to
  /// each row of the result; products of the transposed matrix ignore it.
  bool isBiased = false;
  Matrix turned() const { return {data, type, !isTurned, isBiased}; }
  /// Returns the elements of an [inner, columns] matrix, including its bias.
  int64_t countElements(int64_t inner, int64_t columns) const {
    return inner * columns + (isBiased ? isTurned ? inner : columns : 0);
  }
  /// Returns the bias after [inner, columns] elements that are not transposed.
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

/// Products of groups of rows for `GroupedTiles.h`: operands and results in the
/// memory of all groups.
struct GroupedProduct {
  cuda::GroupedKind kind;
  moert_type type;
  const void *a, *b;
  void *result;
  /// Rows in the memory of `a`; of `b`, for `GroupedKind::Columns`.
  int64_t rowsOfA, rowsOfB;
  /// The columns of `a`, and the columns of the result.
  int64_t width, columns;
  /// Rows from one group's matrix to the next in `b` (`Rows`: of [inner,
  /// columns], `TurnedRows`: of [columns, inner]), or in the result
  /// (`Columns`).
  int64_t step;
  bool adds;
};

/// Jitter of a gate's tokens, starting at number `firstToken`.
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
  /// The stream of the last record, used only for comparison, because the
  /// stream may have been destroyed.
  std::atomic<moert_stream *> recordedOn{nullptr};
  /// Whether the event is known to be reached, like a new one, so that it can
  /// be reused.
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
  Status setScratch(void *memory, size_t bytes) override;
  Status launch(const char *name, int (*function)(void *), void *argument,
                size_t bytes) override;
  Status launchKernel(const moert_kernel_args &kernel) override;
  Status delay(double durationUs) override;
  Status queryCapture(bool &isCaptured) override;
  Status beginCapture() override;
  Status endCapture(std::unique_ptr<Graph> &graph) override;
  Status createComm(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, bool isSplit, Deadline deadline,
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
  /// Calls `work` to put kernels on the stream that share `bytes` bytes of
  /// memory, aligned like the workspace of a program. Kernels get memory only
  /// here: from the caller (`setScratch`) if it is sufficient, otherwise from
  /// the stream, which grows its memory to the largest request and reuses it.
  Status withScratch(size_t bytes,
                     const std::function<Status(char *space)> &work);
  /// Describes the pending work as far as it is known here, which are
  /// collectives. Requires the context's mutex.
  std::string explainWait();

private:
  /// Describes the collective that the stream runs or reaches next.
  std::string describeCollective(bool &hasBegun);
  /// Checks that the job has not failed, and enters the context.
  Status begin();
  /// Computes result = a times b, [rows, inner] times [inner, columns], of any
  /// types. Sums are 32-bit floats, or 64-bit floats if an operand is. Equal
  /// sizes and types give the same bits. At most one operand may be transposed.
  Status multiply(const Matrix &a, const Matrix &b, void *result,
                  moert_type resultType, int64_t rows, int64_t inner,
                  int64_t columns);
  /// Like `multiply`, with cuBLAS, for `batches` products. Operands must have
  /// one type, and results this type or the type of the sums. `adds` adds to
  /// the result. `lineA` is the distance between lines of `a` in memory, and
  /// `resultRows` the rows per batch of the result, if they are larger than the
  /// product requires. Ignores biases.
  Status callBlas(const Matrix &a, const Matrix &b, void *result,
                  moert_type resultType, int64_t rows, int64_t inner,
                  int64_t columns, int64_t batches, bool adds,
                  int64_t lineA = 0, int64_t resultRows = 0);
  Status setUpBlas(const Blas *&blas);
  /// Computes products of different sizes in one call; their type must not be
  /// f64, and results may be f32.
  Status callGroupedBlas(const std::vector<RunProduct> &products,
                         moert_type type, moert_type resultType, bool turnsA,
                         bool turnsB, bool adds);
  /// Returns true if the device has a kernel for these products.
  bool canGroup(const GroupedProduct &product, int64_t numGroups) const;
  /// Computes grouped products with a kernel of grouped.cu. Without `groups`,
  /// their rows are in `list`, or each one has `evenRows` rows if that is null.
  /// Does not wait, so streams can be captured.
  Status multiplyGroups(const GroupedProduct &product,
                        const std::vector<cuda::GroupRows> &groups,
                        int64_t numGroups, int64_t evenRows,
                        const cuda::GroupRows *list);
  /// Returns true if kernels of grouped.cu can compute experts of these
  /// arguments, with `operands` for all of them.
  template <typename Args>
  bool canCount(const Args &args,
                std::initializer_list<const void *> operands) const;
  /// Calls `work` with the rows of experts. Waits for `row_counts` unless
  /// `countsOnDevice`.
  template <typename Args>
  Status withExpertRuns(
      const Args &args, bool countsOnDevice,
      const std::function<Status(const Args &own, const ExpertRuns &rows)>
          &work);
  /// Launches the kernel of grouped products for at most `tiles` tiles.
  Status launchGrouped(const GroupedProduct &product,
                       const cuda::GroupRows *groups, int64_t numGroups,
                       int64_t evenRows, int64_t tiles);
  /// Computes `products` in one call if cuBLAS and the stream allow it and it
  /// is faster, else one by one.
  Status multiplyRuns(const std::vector<RunProduct> &products, moert_type type,
                      moert_type resultType, bool turnsA, bool turnsB,
                      bool adds);
  /// Computes `multiply` of bf16 and f32 with f32 results.
  Status multiplyThirds(const scratch::ProductLayout &layout, const void *a,
                        const void *b, void *result, int64_t rows,
                        int64_t inner, int64_t columns);
  Status convert(const void *source, moert_type sourceType, void *target,
                 moert_type targetType, int64_t count,
                 const Jitter &jitter = {});
  Status multiplyJittered(const moert_gate_args &args, moert_type logitType,
                          void *logits);
  /// Computes the lengths of a matrix's columns on the device.
  Status findLengths(const Matrix &matrix, int64_t rows, int64_t columns,
                     const double *lengths);
  /// Converts gradients of the logits of tokens [S, M] and a router [M, N],
  /// which `differentiate` computes, to the gradients of both.
  Status differentiateProduct(
      const Matrix &x, const Matrix &router, void *dx, void *dRouter, int64_t S,
      int64_t M, int64_t N,
      const std::function<Status(cuda::DifferentiateLinesArgs &lines)>
          &differentiate);
  Status setBytes(void *target, unsigned char value, size_t bytes);
  /// Counts the assignments to each expert per tile and in total; writes the
  /// totals to `sums` unless it is null.
  Status countCopies(const cuda::SortArgs &sort, void *sums,
                     moert_type sumsType);
  /// Assigns slots after the counting, and copies the token rows to them.
  Status placeCopies(const cuda::SortArgs &sort, long long rowBytes,
                     const void *x, void *buffer);
  Status launchSort(const char *kernel, const cuda::SortArgs &sort,
                    void **parameters);
  /// Adds `bias` to each row of a product, [rows, columns].
  Status addBias(void *product, moert_type type, const void *bias,
                 moert_type biasType, int64_t rows, int64_t columns);
  /// Sets the rows of each run to its bias. The first bias is at `biases`; the
  /// distance between biases is `step` rows.
  Status fillRuns(const std::vector<Run> &runs, void *rows, moert_type type,
                  int64_t columns, const void *biases, int64_t step);
  /// Sets each bias to the sum of its run's rows.
  Status sumRuns(const std::vector<Run> &runs, const void *rows,
                 moert_type type, int64_t columns, void *biases,
                 moert_type biasType, int64_t step);
  Status moveRuns(const std::vector<Run> &runs, const cuda::RunsArgs &args);
  /// Calls `launch` with as many runs at a time as a launch accepts, and their
  /// number of rows.
  Status forRuns(const std::vector<Run> &runs, cuda::RunsArgs args,
                 const std::function<Status(cuda::RunsArgs &args,
                                            long long rows)> &launch);
  /// Packs the rows of runs of a buffer, or unpacks them.
  Status copyRuns(const ExpertRuns &rows, int64_t rowBytes, const void *buffer,
                  void *packed, bool unpacks);
  /// Computes result = a times b for the rows of each expert. `a` is [rows,
  /// inner], `b` is [experts, inner, columns], and `result` is [rows, columns].
  /// The rows of `a` and `result` may each be in the buffer or packed. `adds`
  /// adds to the result, if `b` has no biases.
  Status multiplyRows(const ExpertRuns &rows, RowPlace placeOfA,
                      const Matrix &a, const Matrix &b, RowPlace placeOfResult,
                      void *result, int64_t inner, int64_t columns,
                      bool adds = false);
  /// Computes result = a transposed times b for each expert's rows. `a` is
  /// [rows, width], `b` is [rows, columns], and `result` is [experts, width,
  /// columns]. With `biased`, it has an additional row, the sum of the expert's
  /// rows of `b`.
  Status multiplyTurnedRows(const ExpertRuns &rows, RowPlace placeOfA,
                            const void *a, RowPlace placeOfB, const void *b,
                            moert_type type, void *result,
                            moert_type resultType, int64_t width,
                            int64_t columns, bool biased);
  Status multiplyExperts(const moert_experts_args &args,
                         const ExpertRuns &rows);
  Status clearRuns(const std::vector<Run> &runs, void *rows, size_t rowBytes);
  /// Calls `work` with the rows of experts.
  Status withGradientRuns(
      const moert_experts_grad_args &args,
      const std::function<Status(const moert_experts_grad_args &own,
                                 const ExpertRuns &rows)> &work);
  Status differentiateTokens(const moert_experts_grad_args &args,
                             const ExpertRuns &rows);
  Status differentiateWeights(const moert_experts_grad_args &args,
                              const ExpertRuns &rows);
  /// The operand of the last product, and the gradients of the inner products.
  struct Between;
  /// Calls `work` with scratch memory and arguments that have their rows in the
  /// place for products. `work` may write `own.dx`.
  Status withRows(const moert_experts_grad_args &args, const ExpertRuns &rows,
                  const std::function<Status(
                      const moert_experts_grad_args &own, char *space,
                      const scratch::ExpertGradientsLayout &layout)> &work);
  /// Like `withRows`, with the differentiated values between the products. They
  /// are computed from `kept` unless it is null, and written to `args.handed`
  /// unless it is null.
  Status differentiateRuns(
      const moert_experts_grad_args &args, const ExpertRuns &rows,
      const void *kept,
      const std::function<Status(const moert_experts_grad_args &own,
                                 const Between &between)> &work);

  NcclContext &nccl;
  const cuda::Stream stream;
  void *blasHandle = nullptr;
  /// Number of SMs for products, and the number set in the handle; 0 for all.
  int smTarget = 0, blasSmTarget = 0;
  /// Scratch memory of the caller, and the number of used bytes.
  char *givenScratch = nullptr;
  size_t givenBytes = 0, usedBytes = 0;
  /// The stream's own scratch memory, which later kernels reuse because the
  /// stream's work runs in order. There is one piece per nesting level.
  struct Scratch {
    cuda::Pointer space = 0;
    size_t bytes = 0;
    /// Whether a graph uses it, which may be launched at any time.
    bool isInGraph = false;
  };
  std::vector<Scratch> ownScratch;
  /// Outgrown memory that graphs still use.
  std::vector<cuda::Pointer> graphScratch;
  size_t scratchDepth = 0;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLSTREAM_H
