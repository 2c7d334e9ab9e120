// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers in which devices meet.
//
// Handlers of XLA's FFI in which CPU devices wait for each other. XLA runs the
// ready ops of a device one after another, in an order that differs between
// devices, so a handler has to keep two rules.
//
// It returns at once and finishes on a thread. If it blocked, one device could
// wait in it for a second device, which waited in an all-to-all for the first
// one.
//
// Devices meet at the same op of the executable. A number from the program does
// not identify an op, because XLA inlines a function once for each of its
// calls.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_PYTHON_CPU_HANDLERS_H
#define MOE_PYTHON_CPU_HANDLERS_H

#include "xla/ffi/api/ffi.h"
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>

/// An op of an executable. XLA makes one for each op that calls the handler,
/// and gives the same one to all devices.
struct ExecutableOp {
  static xla::ffi::TypeId id;
};
inline xla::ffi::TypeId ExecutableOp::id = {};

inline xla::ffi::ErrorOr<std::unique_ptr<ExecutableOp>> makeExecutableOp() {
  return std::make_unique<ExecutableOp>();
}

inline constexpr xla::ffi::TypeInfo kExecutableOpInfo =
    xla::ffi::MakeTypeInfo<ExecutableOp>();

/// Returns the future of an error.
inline xla::ffi::Future refuseCall(xla::ffi::Error error) {
  xla::ffi::Promise promise;
  xla::ffi::Future future(promise);
  promise.SetError(std::move(error));
  return future;
}

/// Runs `work`, which returns an ffi::Error, on a thread. XLA keeps the buffers
/// of the call until the future is ready, but not the objects that describe
/// them. XLA may run the device's next ops on the same thread.
template <typename Work> xla::ffi::Future runOnThread(Work work) {
  xla::ffi::Promise promise;
  xla::ffi::Future future(promise);
  try {
    std::thread([promise, work = std::move(work)]() mutable {
      xla::ffi::Error error = [&] {
        try {
          return work();
        } catch (const std::exception &problem) {
          return xla::ffi::Error::Internal(std::string("moe_mlir: ") +
                                           problem.what());
        }
      }();
      if (error.failure())
        promise.SetError(std::move(error));
      else
        promise.SetAvailable();
    }).detach();
  } catch (const std::exception &problem) {
    return refuseCall(xla::ffi::Error::Internal(
        std::string("moe_mlir: no thread for a device: ") + problem.what()));
  }
  return future;
}

/// Defines the functions that handlers.register_meeting registers.
#define MOE_DEFINE_EXECUTABLE_OP()                                             \
  XLA_FFI_DEFINE_HANDLER_SYMBOL(                                               \
      MoeMakeOp,                                                               \
      []() -> xla::ffi::ErrorOr<std::unique_ptr<ExecutableOp>> {               \
        return std::make_unique<ExecutableOp>();                               \
      },                                                                       \
      xla::ffi::Ffi::BindInstantiate());                                       \
  extern "C" xla::ffi::TypeId *MoeOpId() { return &ExecutableOp::id; }         \
  extern "C" const xla::ffi::TypeInfo *MoeOpInfo() {                           \
    static constexpr xla::ffi::TypeInfo info =                                 \
        xla::ffi::MakeTypeInfo<ExecutableOp>();                                \
    return &info;                                                              \
  }

#endif // MOE_PYTHON_CPU_HANDLERS_H
