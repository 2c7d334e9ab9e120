// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the arguments and results of ranks.

#ifndef MOE_EXECUTION_RANKBUFFERS_H
#define MOE_EXECUTION_RANKBUFFERS_H

#include "moe/Execution/Job.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"

namespace moe {

class AlignedBytes;

/// The arguments and results of a program on the ranks of this process, in
/// ordinary memory, in the format of compiled code.
class RankBuffers {
public:
  /// Draws the arguments of these ranks with a value domain and allocates the
  /// results. Emits an error and fails if the budget, which must outlive the
  /// buffers, is exceeded.
  static mlir::FailureOr<RankBuffers> create(const Program &program,
                                             Domain &domain,
                                             MemoryBudget &budget,
                                             llvm::ArrayRef<int64_t> ranks);
  RankBuffers(RankBuffers &&);
  RankBuffers &operator=(RankBuffers &&);
  ~RankBuffers();

  /// Returns pointers to the arguments of the rank at this index of `ranks`.
  /// Ranks that hold the same argument share its memory.
  llvm::ArrayRef<void *> getInputs(size_t place) const {
    return places[place].inputs;
  }
  llvm::ArrayRef<void *> getResults(size_t place) const {
    return places[place].results;
  }

  uint64_t getInputBytes(unsigned number) const { return inputBytes[number]; }
  uint64_t getResultBytes(unsigned number) const { return resultBytes[number]; }
  unsigned getNumInputs() const { return inputBytes.size(); }
  unsigned getNumResults() const { return resultBytes.size(); }

  /// Returns, per result, the tensors of all ranks of the buffers. Emits an
  /// error and fails if the budget is exceeded.
  mlir::FailureOr<std::vector<RankTensors>> takeResults() const;

  /// Serializes all results of one of the ranks, for another process.
  std::string packResults(size_t place) const;
  /// Returns, per result, the tensors of all packed ranks; fails like
  /// `takeResults`.
  mlir::FailureOr<std::vector<RankTensors>>
  unpackResults(llvm::ArrayRef<std::string> packed) const;

private:
  struct Place {
    std::vector<void *> inputs, results;
  };
  RankBuffers(const Program &program, MemoryBudget &budget);

  void *allocate(uint64_t bytes);
  mlir::LogicalResult reportMemory(uint64_t bytes) const;
  mlir::LogicalResult takeResult(unsigned number, const void *memory,
                                 RankTensors &tensors) const;

  const Program *program;
  MemoryBudget *budget;
  uint64_t charged = 0;
  std::vector<AlignedBytes> buffers;
  std::vector<Place> places;
  std::vector<uint64_t> inputBytes, resultBytes;
};

/// The buffers of one rank in the memory that the streams of its job can
/// access, which may be device memory.
class DeviceBuffers {
public:
  /// Allocates the buffers and copies the arguments to them.
  static cost::Result<std::unique_ptr<DeviceBuffers>>
  create(Job &job, const RankBuffers &buffers, size_t place);
  ~DeviceBuffers();

  llvm::ArrayRef<void *> getInputs() const { return inputs; }
  llvm::ArrayRef<void *> getResults() const { return results; }

  /// Copies the results to the rank's buffers in ordinary memory.
  std::optional<cost::Failure> copyResults();

private:
  DeviceBuffers(Job &job, const RankBuffers &host, size_t place)
      : job(job), host(host), place(place) {}

  Job &job;
  const RankBuffers &host;
  size_t place;
  std::vector<moert_buffer *> memory;
  std::vector<void *> inputs, results;
};

} // namespace moe

#endif // MOE_EXECUTION_RANKBUFFERS_H
