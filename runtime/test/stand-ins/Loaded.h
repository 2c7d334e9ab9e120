// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the CUDA and NCCL emulation for tests.

#ifndef MOERT_TEST_STANDINS_LOADED_H
#define MOERT_TEST_STANDINS_LOADED_H

#include "nccl/NcclLibrary.h"
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <vector>

namespace loaded {

namespace cuda = moert::cuda;

/// Loads the libraries as a program does: by full path, before the runtime
/// looks for its driver.
inline void load() {
  static bool done = [] {
    for (const char *name : {"libcuda.so.1", "libnccl.so.2", "libcublas.so.12",
                             "libcublas.so.13"})
      if (!dlopen((std::string(MOERT_STAND_IN_DIR "/") + name).c_str(),
                  RTLD_NOW | RTLD_GLOBAL)) {
        ADD_FAILURE() << dlerror();
        std::abort();
      }
    return true;
  }();
  (void)done;
}

/// Returns a function of the emulation that the runtime does not use.
template <typename Function> Function *find(const char *name) {
  load();
  auto *found = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
  if (!found) {
    ADD_FAILURE() << dlerror();
    std::abort();
  }
  return found;
}

inline const cuda::Driver &driver() {
  load();
  std::string reason;
  const cuda::Driver *found = cuda::loadDriver(reason);
  if (!found) {
    ADD_FAILURE() << reason;
    std::abort();
  }
  return *found;
}

inline uint64_t getCalls(const char *name) {
  return find<uint64_t(const char *)>("moert_stand_in_count")(name);
}

/// Sets an environment variable for the lifetime of this object.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    setenv(name, value, 1);
  }
  ~Variable() { unsetenv(name); }

private:
  const char *name;
};

/// The context of a device, current on this thread.
class Device {
public:
  explicit Device(int ordinal = 0) : ordinal(ordinal) {
    EXPECT_EQ(driver().DevicePrimaryCtxRetain(&context, ordinal), 0);
    enter();
  }
  ~Device() {
    EXPECT_EQ(driver().CtxSetCurrent(nullptr), 0);
    EXPECT_EQ(driver().DevicePrimaryCtxRelease(ordinal), 0);
  }
  void enter() const { EXPECT_EQ(driver().CtxSetCurrent(context), 0); }

  const int ordinal;
  cuda::Context context = nullptr;
};

/// A stream; the destructor waits for its work.
class Stream {
public:
  Stream() { EXPECT_EQ(driver().StreamCreateWithPriority(&handle, 1, 0), 0); }
  ~Stream() { driver().StreamDestroy(handle); }
  /// Returns the status after all work on it.
  int wait() const {
    return find<int(cuda::Stream)>("cuStreamSynchronize")(handle);
  }
  cuda::Stream handle = nullptr;
};

template <typename T> class Array {
public:
  explicit Array(std::vector<T> values) : values(std::move(values)) {
    EXPECT_EQ(driver().MemAlloc(&address, this->values.size() * sizeof(T)), 0);
    copy(true);
  }
  ~Array() { EXPECT_EQ(driver().MemFree(address), 0); }
  std::vector<T> read() {
    copy(false);
    return values;
  }
  T *data() const { return reinterpret_cast<T *>(address); }

  cuda::Pointer address = 0;

private:
  void copy(bool toDevice) {
    auto host = reinterpret_cast<cuda::Pointer>(values.data());
    Stream stream;
    EXPECT_EQ(driver().MemcpyAsync(toDevice ? address : host,
                                   toDevice ? host : address,
                                   values.size() * sizeof(T), stream.handle),
              0);
    EXPECT_EQ(stream.wait(), 0);
  }
  std::vector<T> values;
};

} // namespace loaded

#endif // MOERT_TEST_STANDINS_LOADED_H
