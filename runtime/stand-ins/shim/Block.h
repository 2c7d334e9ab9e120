// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs blocks of threads of a kernel on the CPU.

#ifndef MOERT_STANDINS_SHIM_BLOCK_H
#define MOERT_STANDINS_SHIM_BLOCK_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace moert::shim {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{1} * x * y * z; }
};

/// The position of a kernel's thread: threadIdx, blockIdx, blockDim and gridDim
/// in kernels.
struct Place {
  Dim3 thread, block, blockSize, gridSize;
};

/// The kernel's thread that this thread of the process currently runs.
extern constinit thread_local Place place;

/// Threads of a warp.
constexpr unsigned kLanes = 32;

/// Operations of the lanes of a warp.
enum class WarpKind { Sync, Ballot, Shuffle };

/// The arguments of one lane.
struct WarpCall {
  WarpKind kind = WarpKind::Sync;
  /// The lanes that take part.
  unsigned mask = 0;
  uint64_t value = 0;
  /// The lane that a shuffle reads.
  unsigned source = 0;
};

/// Called by a kernel's thread: waits for all threads of the block.
void waitAtBarrier();
/// Called by a kernel's thread: waits for the lanes of the mask. Returns the
/// votes, or the value of the requested lane.
uint64_t waitForWarp(const WarpCall &call);
/// Returns the lane of the calling thread in its warp.
unsigned getLane();
/// Lets other threads of the block run; sleeps if there are none.
void giveWay(unsigned nanoseconds);
/// Returns the nanoseconds of a monotonic clock.
long long readClock();

struct Launch {
  std::string name;
  Dim3 grid, block;
  /// Dynamic shared memory and its size.
  char *shared = nullptr;
  size_t sharedBytes = 0;
  /// Determines the order of blocks and threads; 0 is ascending.
  uint64_t seed = 0;
};

/// Bytes of `Launch::shared` after `sharedBytes`, to detect writes out of
/// bounds.
constexpr size_t kSharedMargin = 256;

/// Runs all threads of all blocks on this thread of the process: blocks one
/// after the other, and the threads of a block as fibers, which switch when
/// they wait for each other. Returns an empty text, or the error of the kernel:
/// a barrier that not all threads reach, a warp function that not all of its
/// lanes call, or a write after its shared memory.
std::string run(const Launch &launch, const std::function<void()> &body);

} // namespace moert::shim

#endif // MOERT_STANDINS_SHIM_BLOCK_H
