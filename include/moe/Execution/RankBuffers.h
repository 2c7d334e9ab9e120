// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results of some ranks.

#ifndef MOE_EXECUTION_RANKBUFFERS_H
#define MOE_EXECUTION_RANKBUFFERS_H

#include "moe/Execution/Job.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"

namespace moe {

class AlignedBytes;

/// The arguments and results of a program on the ranks of this process, in
/// ordinary memory, as compiled code reads and writes them.
class RankBuffers {
public:
  /// Draws the arguments of these ranks with a value domain and makes room for
  /// the results. Emits an error and fails when the budget, which must outlive
  /// the buffers, does not allow it.
  static mlir::FailureOr<RankBuffers> create(const Program &program,
                                             Domain &domain,
                                             MemoryBudget &budget,
                                             llvm::ArrayRef<int64_t> ranks);
  RankBuffers(RankBuffers &&);
  RankBuffers &operator=(RankBuffers &&);
  ~RankBuffers();

  /// By place among the ranks given. Ranks that hold the same argument share
  /// its memory.
  llvm::ArrayRef<void *> getInputs(size_t place) const {
    return places[place].inputs;
  }
  llvm::ArrayRef<void *> getResults(size_t place) const {
    return places[place].results;
  }

  /// Bytes of an argument or a result.
  uint64_t getInputBytes(unsigned number) const { return inputBytes[number]; }
  uint64_t getResultBytes(unsigned number) const { return resultBytes[number]; }
  unsigned getNumInputs() const { return inputBytes.size(); }
  unsigned getNumResults() const { return resultBytes.size(); }

  /// Per result the tensors of the ranks given. Emits an error and fails when
  /// the budget does not allow it.
  mlir::FailureOr<std::vector<RankTensors>> takeResults() const;

  /// All results of one of the ranks, for another process.
  std::string packResults(size_t place) const;
  /// Per result the tensors of all that were packed; fails like `takeResults`.
  mlir::FailureOr<std::vector<RankTensors>>
  unpackResults(llvm::ArrayRef<std::string> packed) const;

private:
  struct Place {
    std::vector<void *> inputs, results;
  };
  RankBuffers(const Program &program, MemoryBudget &budget);

  void *allocate(uint64_t bytes);
  mlir::LogicalResult reportMemory(uint64_t bytes) const;
  /// Decodes a result.
  mlir::LogicalResult takeResult(unsigned number, const void *memory,
                                 RankTensors &tensors) const;

  const Program *program;
  MemoryBudget *budget;
  uint64_t charged = 0;
  std::vector<AlignedBytes> buffers;
  std::vector<Place> places;
  std::vector<uint64_t> inputBytes, resultBytes;
};

/// The same buffers of one rank in the memory that the streams of its job work
/// on, which may be a device's.
class DeviceBuffers {
public:
  /// Copies the arguments there.
  static cost::Result<std::unique_ptr<DeviceBuffers>>
  create(Job &job, const RankBuffers &buffers, size_t place);
  ~DeviceBuffers();

  llvm::ArrayRef<void *> getInputs() const { return inputs; }
  llvm::ArrayRef<void *> getResults() const { return results; }

  /// Copies the results into the rank's buffers.
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
