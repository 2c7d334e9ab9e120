// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads arguments from files and writes results to files.

#include "moe/Interpreter/Arrays.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Interpreter/ElementBytes.h"
#include "moe/Interpreter/NpyArray.h"
#include "moe/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;
using cost::Failure;
using cost::Result;

static constexpr StringRef kRank = "{rank}";

static std::string printSizes(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(size);
  return text + (shape.size() == 1 ? ",)" : ")");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Returns the argument's name in the program's text; empty if the argument's
/// location is not in that text.
static StringRef findName(BlockArgument argument,
                          const llvm::SourceMgr &sources) {
  auto place = dyn_cast<FileLineColLoc>(argument.getLoc());
  if (!place || sources.getNumBuffers() == 0)
    return "";
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  if (place.getFilename() != buffer->getBufferIdentifier())
    return "";
  llvm::SMLoc loc =
      const_cast<llvm::SourceMgr &>(sources).FindLocForLineAndColumn(
          sources.getMainFileID(), place.getLine(), place.getColumn());
  if (!loc.isValid())
    return "";
  StringRef text(loc.getPointer(), buffer->getBufferEnd() - loc.getPointer());
  if (!text.consume_front("%"))
    return "";
  return text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
}

static Result<unsigned> findArgument(StringRef name, const Program &program,
                                     const llvm::SourceMgr &sources) {
  func::FuncOp entry = program.getEntry();
  unsigned number = 0;
  if (!name.getAsInteger(10, number)) {
    if (number < entry.getNumArguments())
      return number;
    return Failure{"expected the number of an argument of @" +
                   entry.getSymName().str() + ", which has " +
                   std::to_string(entry.getNumArguments()) + ", got " +
                   name.str()};
  }
  StringRef wanted = name;
  wanted.consume_front("%");
  std::string names;
  for (BlockArgument argument : entry.getArguments()) {
    StringRef own = findName(argument, sources);
    if (own == wanted)
      return argument.getArgNumber();
    if (!own.empty())
      names += (names.empty() ? "%" : ", %") + own.str();
  }
  return Failure{"expected the number or the name of an argument of @" +
                 entry.getSymName().str() +
                 (names.empty() ? ", whose names are not in the program's text"
                                : ", " + names) +
                 "; got " + name.str()};
}

namespace {
struct RankArrays {
  /// One file for all ranks, or one file per rank.
  std::vector<NpyArray> files;
  /// The single file has the rank as its first dim.
  bool hasRankDim = false;

  void read(Type elementType, int64_t rank,
            llvm::MutableArrayRef<Cell> cells) const {
    const NpyArray &file = files.size() == 1 ? files[0] : files[rank];
    file.read(elementType, hasRankDim ? std::optional(rank) : std::nullopt,
              cells);
  }
};
} // namespace

static Result<NpyArray> loadOne(const std::string &path, Type elementType) {
  Result<NpyArray> array = NpyArray::load(path);
  if (!array)
    return Failure{path + ": " + array.getError()};
  if (Result<bool> fits = array->verifyElementType(elementType); !fits)
    return Failure{path + ": " + fits.getError()};
  return array;
}

static std::optional<Failure> loadOne(const ArrayInput &input, unsigned number,
                                      const Program &program,
                                      ArgumentOptions &arguments) {
  func::FuncOp entry = program.getEntry();
  Type type = entry.getArgumentTypes()[number];
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type elementType = tensor ? tensor.getElementType() : type;
  SmallVector<int64_t> shape;
  if (tensor)
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  int64_t numRanks = program.getNumRanks();

  auto arrays = std::make_shared<RankArrays>();
  size_t rankAt = input.file.find(kRank);
  for (int64_t rank = 0; rank < (rankAt == std::string::npos ? 1 : numRanks);
       ++rank) {
    std::string path = input.file;
    if (rankAt != std::string::npos)
      path.replace(rankAt, kRank.size(), std::to_string(rank));
    Result<NpyArray> array = loadOne(path, elementType);
    if (!array)
      return array.getFailure();
    SmallVector<int64_t> ofRanks{numRanks};
    ofRanks.append(shape);
    bool isShared = array->getShape() == ArrayRef<int64_t>(shape);
    arrays->hasRankDim = rankAt == std::string::npos &&
                         array->getShape() == ArrayRef<int64_t>(ofRanks);
    if (!isShared && !arrays->hasRankDim)
      return Failure{path + ": expected shape " + printSizes(shape) +
                     (rankAt == std::string::npos
                          ? ", the same on every rank, or " +
                                printSizes(ofRanks) +
                                " with the ranks as its first dim"
                          : "") +
                     ", got " + printSizes(array->getShape())};
    arrays->files.push_back(std::move(*array));
  }
  if (std::optional<int64_t> size = countElements(shape)) {
    std::vector<Cell> own(*size), first(*size);
    std::vector<int64_t> representatives = program.getRepresentatives(number);
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      int64_t representative = representatives[rank];
      if (arrays->files.size() == 1 && !arrays->hasRankDim)
        break;
      if (representative == rank)
        continue;
      arrays->read(elementType, representative, first);
      arrays->read(elementType, rank, own);
      if (own != first)
        return Failure{input.file + ": expected the same data on ranks " +
                       std::to_string(representative) + " and " +
                       std::to_string(rank) +
                       ", which do not differ in the axes of moe.varying; got "
                       "other data"};
    }
  }
  arguments.given[number] = [arrays, elementType](int64_t rank,
                                                  MutableArrayRef<Cell> cells) {
    arrays->read(elementType, rank, cells);
  };
  return std::nullopt;
}

std::optional<Failure> moe::loadArrays(ArrayRef<ArrayInput> inputs,
                                       const Program &program,
                                       const llvm::SourceMgr &sources,
                                       ArgumentOptions &arguments) {
  for (const ArrayInput &input : inputs) {
    Result<unsigned> number = findArgument(input.argument, program, sources);
    std::optional<Failure> failure;
    if (!number)
      failure = number.getFailure();
    else if (arguments.given.count(*number))
      failure = Failure{"expected each argument once, got argument " +
                        std::to_string(*number) + " twice"};
    else
      failure = loadOne(input, *number, program, arguments);
    if (failure)
      return Failure{"--input=" + input.argument + ": " + failure->message};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::optional<Failure> writeOne(const std::string &path, Type type,
                                       const RankTensors &tensors) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type elementType = tensor ? tensor.getElementType() : type;
  ArrayRef<int64_t> first = tensors.front().getShape();
  SmallVector<int64_t> shape{static_cast<int64_t>(tensors.size())};
  shape.append(first.begin(), first.end());
  for (auto [rank, own] : llvm::enumerate(tensors))
    if (own.getShape() != first)
      return Failure{path + ": expected one shape on all ranks, got " +
                     printSizes(first) + " on rank 0 and " +
                     printSizes(own.getShape()) + " on rank " +
                     std::to_string(rank)};
  Result<std::string> header = makeNpyHeader(elementType, shape);
  if (!header)
    return Failure{path + ": " + header.getError()};
  return support::writeOutputFile(path, [&](llvm::raw_ostream &os) {
    os << *header;
    std::string bytes;
    for (const LocalTensor &own : tensors) {
      bytes.resize(own.getCells().size() * *rt::getElementBytes(elementType));
      encodeCells(elementType, own.getCells(), bytes.data());
      os << bytes;
    }
  });
}

std::optional<Failure>
moe::writeArrays(StringRef directory, const Program &program,
                 const std::vector<RankTensors> &results) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return Failure{"--output=" + directory.str() +
                   ": cannot be made: " + error.message()};
  for (auto [i, tensors] : llvm::enumerate(results)) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "result" + Twine(i) + ".npy");
    func::FuncOp entry = program.getEntry();
    if (auto failure =
            writeOne(path.str().str(), entry.getResultTypes()[i], tensors))
      return Failure{"--output: " + failure->message};
  }
  return std::nullopt;
}
