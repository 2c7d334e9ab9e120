//===- futures.h - Handlers that do not block XLA ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers in which devices wait for each other return at once and finish on a
// thread. XLA runs the ready ops of a device one after another, in an order
// that differs between devices. If a handler blocked, one device could wait in
// it for a second device, which waited in an all-to-all for the first one.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_PYTHON_FUTURES_H
#define MOE_PYTHON_FUTURES_H

#include "xla/ffi/api/ffi.h"
#include <thread>
#include <utility>

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
  std::thread([promise, work = std::move(work)]() mutable {
    xla::ffi::Error error = work();
    if (error.failure())
      promise.SetError(std::move(error));
    else
      promise.SetAvailable();
  }).detach();
  return future;
}

#endif // MOE_PYTHON_FUTURES_H
