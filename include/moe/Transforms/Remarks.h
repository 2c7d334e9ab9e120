// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks of passes and of searches.
//
// A search runs passes on copies of a program, and discards most copies. Only
// the remarks of the chosen copy may be emitted, and the search should not run
// its passes again for them. MLIR cannot switch off or redirect the remarks of
// a context, and another context could not share the program. Therefore all our
// passes emit remarks through the functions of this file.

#ifndef MOE_TRANSFORMS_REMARKS_H
#define MOE_TRANSFORMS_REMARKS_H

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/FunctionExtras.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace moe {

/// The remarks of one candidate of a search.
class RecordedRemarks {
public:
  RecordedRemarks();
  ~RecordedRemarks();
  RecordedRemarks(RecordedRemarks &&);
  RecordedRemarks &operator=(RecordedRemarks &&);

  /// Emits the remarks in their order and forgets them. If another recording is
  /// active on this thread, they become part of it. Fails if one of the
  /// functions that `emitLater` recorded fails.
  llvm::LogicalResult emit();

  struct State;

private:
  friend class RecordingScope;
  std::unique_ptr<State> state;
};

/// While an object of this class exists, the functions below record remarks of
/// this thread instead of emitting them. Has no effect inside of
/// `SilentRemarks`.
class RecordingScope {
public:
  explicit RecordingScope(RecordedRemarks &into);
  ~RecordingScope();
  RecordingScope(const RecordingScope &) = delete;
  RecordingScope &operator=(const RecordingScope &) = delete;

private:
  RecordedRemarks::State *outer;
};

/// While an object of this class exists, the functions below drop remarks of
/// this thread.
class SilentRemarks {
public:
  SilentRemarks();
  ~SilentRemarks();
  SilentRemarks(const SilentRemarks &) = delete;
  SilentRemarks &operator=(const SilentRemarks &) = delete;
};

/// Like the functions of the same names in mlir::remark.
mlir::remark::detail::InFlightRemark passed(mlir::Location loc,
                                            mlir::remark::RemarkOpts options);
mlir::remark::detail::InFlightRemark missed(mlir::Location loc,
                                            mlir::remark::RemarkOpts options);

/// True if remarks of a category are emitted, or recorded for later.
/// Use it to skip work that only a remark needs.
bool isRead(mlir::Location loc, llvm::StringRef category);

/// Calls `emit` now, or when the active recording is emitted. Use it for
/// remarks that are expensive to compute. `emit` must own everything it reads,
/// because the candidate's program may be deleted before. Dropped inside of
/// `SilentRemarks`.
llvm::LogicalResult
emitLater(llvm::unique_function<llvm::LogicalResult()> emit);

/// Returns the options of a remark about an op, with the name of the enclosing
/// function; `pass` is the category.
mlir::remark::RemarkOpts getRemarkOptions(mlir::Operation *op,
                                          llvm::StringRef name,
                                          llvm::StringRef pass);

} // namespace moe

#endif // MOE_TRANSFORMS_REMARKS_H
