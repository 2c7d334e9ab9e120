// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of threads of a kernel, on the CPU.

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

/// Where a thread of a kernel is: what kernels call threadIdx, blockIdx,
/// blockDim and gridDim.
struct Place {
  Dim3 thread, block, blockSize, gridSize;
};

/// The kernel's thread that this thread of the process is.
extern constinit thread_local Place place;

/// Threads of a warp.
constexpr unsigned kLanes = 32;

/// What the lanes of a warp do together.
enum class WarpKind { Sync, Ballot, Shuffle };

/// One lane's part of it.
struct WarpCall {
  WarpKind kind = WarpKind::Sync;
  /// The lanes that take part.
  unsigned mask = 0;
  uint64_t value = 0;
  /// Whose value a shuffle takes.
  unsigned source = 0;
};

/// Called by a kernel's thread: waits for all threads of the block.
void waitAtBarrier();
/// Called by a kernel's thread: waits for the lanes of the mask; the votes, or
/// the value of the lane that was asked for.
uint64_t waitForWarp(const WarpCall &call);
/// The lane of the calling thread in its warp.
unsigned getLane();
/// Lets other threads of the block go on; sleeps when there are none.
void giveWay(unsigned nanoseconds);
/// Nanoseconds of a clock that does not stop.
long long readClock();

/// A kernel that is put on a device.
struct Launch {
  std::string name;
  Dim3 grid, block;
  /// Shared memory whose size the launch says, and how much of it.
  char *shared = nullptr;
  size_t sharedBytes = 0;
  /// In which order blocks and threads run; 0 is ascending.
  uint64_t seed = 0;
};

/// Room that `Launch::shared` has beyond `sharedBytes`, to see who writes
/// there.
constexpr size_t kSharedMargin = 256;

/// Runs every thread of every block on this thread of the process: blocks one
/// after another, the threads of a block as fibers, which change where they
/// wait for each other. Empty, or what the kernel does wrong: barriers that
/// not all threads of a block come to, warp functions that not all of their
/// lanes call, shared memory that it did not ask for.
std::string run(const Launch &launch, const std::function<void()> &body);

} // namespace moert::shim

#endif // MOERT_STANDINS_SHIM_BLOCK_H
