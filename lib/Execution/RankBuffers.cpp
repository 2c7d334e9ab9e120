// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the arguments and results of ranks.

#include "moe/Execution/RankBuffers.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Interpreter/ElementBytes.h"
#include <cstring>

using namespace mlir;
using namespace moe;
using cost::Failure;

/// Memory of one buffer with the alignment of the runtime's buffers.
class moe::AlignedBytes {
public:
  explicit AlignedBytes(size_t size)
      : memory(new unsigned char[size + kAlignment]) {
    auto address = reinterpret_cast<uintptr_t>(memory.get());
    start = reinterpret_cast<void *>((address + kAlignment - 1) &
                                     ~uintptr_t(kAlignment - 1));
  }
  void *data() const { return start; }

private:
  static constexpr size_t kAlignment = 64;
  std::unique_ptr<unsigned char[]> memory;
  void *start;
};

static Type getElementType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

static ArrayRef<int64_t> getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

static uint64_t getBytes(Type type) {
  return *rt::getElementBytes(getElementType(type)) *
         static_cast<uint64_t>(*countElements(getShape(type)));
}

RankBuffers::RankBuffers(const Program &program, MemoryBudget &budget)
    : program(&program), budget(&budget) {
  func::FuncOp entry = program.getEntry();
  for (Type type : entry.getArgumentTypes())
    inputBytes.push_back(getBytes(type));
  for (Type type : entry.getResultTypes())
    resultBytes.push_back(getBytes(type));
}

RankBuffers::RankBuffers(RankBuffers &&other)
    : program(other.program), budget(other.budget),
      charged(std::exchange(other.charged, 0)),
      buffers(std::move(other.buffers)), places(std::move(other.places)),
      inputBytes(std::move(other.inputBytes)),
      resultBytes(std::move(other.resultBytes)) {}

RankBuffers &RankBuffers::operator=(RankBuffers &&other) {
  // The destructor of `other` releases the previous content.
  std::swap(program, other.program);
  std::swap(budget, other.budget);
  std::swap(charged, other.charged);
  std::swap(buffers, other.buffers);
  std::swap(places, other.places);
  std::swap(inputBytes, other.inputBytes);
  std::swap(resultBytes, other.resultBytes);
  return *this;
}

/// Returns the bytes of a tensor in the interpreter, saturated at the largest
/// integer.
static uint64_t getCellBytes(Type type) {
  uint64_t bytes = sizeof(Cell);
  for (int64_t size : getShape(type))
    bytes = llvm::SaturatingMultiply(bytes, static_cast<uint64_t>(size));
  return bytes;
}

RankBuffers::~RankBuffers() { budget->release(charged); }

LogicalResult RankBuffers::reportMemory(uint64_t bytes) const {
  return program->getEntry().emitOpError()
         << "needs " << bytes << " bytes for arguments and results, and "
         << budget->getLive() << " of the " << budget->getLimit()
         << " bytes allowed (--max-bytes) are held";
}

void *RankBuffers::allocate(uint64_t bytes) {
  if (!budget->charge(bytes))
    return nullptr;
  charged += bytes;
  return buffers.emplace_back(bytes).data();
}

FailureOr<RankBuffers> RankBuffers::create(const Program &program,
                                           Domain &domain, MemoryBudget &budget,
                                           ArrayRef<int64_t> ranks) {
  RankBuffers made(program, budget);
  func::FuncOp entry = program.getEntry();
  made.places.resize(ranks.size());
  for (BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    Type elementType = getElementType(argument.getType());
    std::vector<int64_t> representatives = program.getRepresentatives(number);
    llvm::DenseMap<int64_t, void *> drawn;
    for (auto [place, rank] : llvm::enumerate(ranks)) {
      // Ranks that hold the same data share one copy, because programs do not
      // write to inputs.
      void *&memory = drawn[representatives[rank]];
      if (!memory) {
        std::optional<LocalTensor> tensor =
            LocalTensor::allocate(getShape(argument.getType()), budget);
        if (!tensor)
          return made.reportMemory(getCellBytes(argument.getType()));
        domain.drawArgument(number, representatives[rank], elementType,
                            tensor->getMutableCells());
        memory = made.allocate(made.inputBytes[number]);
        if (!memory)
          return made.reportMemory(made.inputBytes[number]);
        encodeCells(elementType, tensor->getCells(), memory);
      }
      made.places[place].inputs.push_back(memory);
    }
  }
  for (uint64_t bytes : made.resultBytes)
    for (Place &place : made.places) {
      void *memory = made.allocate(bytes);
      if (!memory)
        return made.reportMemory(bytes);
      std::memset(memory, 0xff, bytes);
      place.results.push_back(memory);
    }
  return made;
}

LogicalResult RankBuffers::takeResult(unsigned number, const void *memory,
                                      RankTensors &tensors) const {
  Type type = program->getEntry().getResultTypes()[number];
  std::optional<LocalTensor> tensor =
      LocalTensor::allocate(getShape(type), *budget);
  if (!tensor)
    return reportMemory(getCellBytes(type));
  decodeCells(getElementType(type), memory, tensor->getMutableCells());
  tensors.push_back(*tensor);
  return success();
}

FailureOr<std::vector<RankTensors>> RankBuffers::takeResults() const {
  std::vector<RankTensors> results(getNumResults());
  for (unsigned i = 0; i < getNumResults(); ++i)
    for (const Place &place : places)
      if (failed(takeResult(i, place.results[i], results[i])))
        return failure();
  return results;
}

std::string RankBuffers::packResults(size_t place) const {
  std::string packed;
  for (unsigned i = 0; i < getNumResults(); ++i)
    packed.append(static_cast<const char *>(places[place].results[i]),
                  getResultBytes(i));
  return packed;
}

FailureOr<std::vector<RankTensors>>
RankBuffers::unpackResults(ArrayRef<std::string> packed) const {
  std::vector<RankTensors> results(getNumResults());
  for (const std::string &rank : packed) {
    size_t at = 0;
    for (unsigned i = 0; i < getNumResults(); ++i) {
      if (failed(takeResult(i, rank.data() + at, results[i])))
        return failure();
      at += getResultBytes(i);
    }
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Memory of streams
//===----------------------------------------------------------------------===//

cost::Result<std::unique_ptr<DeviceBuffers>>
DeviceBuffers::create(Job &job, const RankBuffers &host, size_t place) {
  std::unique_ptr<DeviceBuffers> made(new DeviceBuffers(job, host, place));
  auto allocate = [&](uint64_t bytes, std::vector<void *> &to) {
    moert_buffer *buffer = nullptr;
    moert_status status =
        moert_buffer_create(job.getContext(), std::max<uint64_t>(bytes, 1),
                            MOERT_MEMORY_DEVICE, &buffer);
    if (status != MOERT_OK)
      return status;
    made->memory.push_back(buffer);
    to.push_back(moert_buffer_data(buffer));
    return status;
  };
  moert_status status = MOERT_OK;
  for (unsigned i = 0; i < host.getNumInputs() && status == MOERT_OK; ++i) {
    status = allocate(host.getInputBytes(i), made->inputs);
    if (status == MOERT_OK && host.getInputBytes(i))
      status = moert_copy(job.getStream(), made->inputs[i],
                          host.getInputs(place)[i], host.getInputBytes(i));
  }
  for (unsigned i = 0; i < host.getNumResults() && status == MOERT_OK; ++i)
    status = allocate(host.getResultBytes(i), made->results);
  if (status == MOERT_OK)
    status = job.synchronize();
  if (status != MOERT_OK)
    return job.getFailure(status);
  return made;
}

DeviceBuffers::~DeviceBuffers() {
  for (moert_buffer *buffer : memory)
    moert_buffer_destroy(buffer);
}

std::optional<Failure> DeviceBuffers::copyResults() {
  moert_status status = MOERT_OK;
  for (unsigned i = 0; i < host.getNumResults() && status == MOERT_OK; ++i)
    if (host.getResultBytes(i))
      status = moert_copy(job.getStream(), host.getResults(place)[i],
                          results[i], host.getResultBytes(i));
  if (status == MOERT_OK)
    status = job.synchronize();
  if (status != MOERT_OK)
    return job.getFailure(status);
  return std::nullopt;
}
