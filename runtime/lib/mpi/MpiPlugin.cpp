// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI.

#include "mpi/MpiTransport.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <mutex>
#include <new>
#include <thread>
#include <unistd.h>

static bool failed = false;

/// Ends MPI at the end of the process. MPI_Finalize waits for all processes;
/// after a failure some may be gone, so a thread limits the wait.
static void finish(int exitCode, void *) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (!started || ended)
    return;
  if (failed)
    std::thread([exitCode] {
      constexpr unsigned kSeconds = 3;
      sleep(kSeconds);
      std::fflush(nullptr);
      _exit(exitCode);
    }).detach();
  MPI_Finalize();
}

static void describe(char *text, size_t size) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  std::snprintf(text, size, "%.*s", length, version);
  for (char *c = text; *c; ++c)
    if (*c == ',' || *c == '\n') {
      *c = '\0';
      break;
    }
}

namespace {
/// Ends the process if its lifetime exceeds a deadline.
class Watchdog {
public:
  Watchdog(int rank, int size, int64_t deadlineUs)
      : thread([=, this] {
          std::unique_lock<std::mutex> lock(mutex);
          if (changed.wait_for(lock, std::chrono::microseconds(deadlineUs),
                               [this] { return done; }))
            return;
          char text[256];
          int length = std::snprintf(
              text, sizeof(text),
              "moert: rank %d: expected all %d processes that mpirun started "
              "to come to MPI_Init before the deadline of %g s, and not all "
              "did: this process ends\n",
              rank, size, static_cast<double>(deadlineUs) * 1e-6);
          [[maybe_unused]] ssize_t written =
              write(STDERR_FILENO, text, static_cast<size_t>(length));
          constexpr int kWrongUse = 2;
          _exit(kWrongUse);
        }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
    }
    changed.notify_all();
    thread.join();
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread thread;
};
} // namespace

static int start(int wantedRank, int wantedSize, int64_t deadlineUs, int *rank,
                 int *size, char *text, size_t textSize) {
  int started = 0, provided = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  if (started) {
    MPI_Query_thread(&provided);
  } else {
    // About a year, which the clock can represent.
    constexpr int64_t kLongest = int64_t(1) << 45;
    Watchdog watchdog(wantedRank, wantedSize, std::min(deadlineUs, kLongest));
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided) !=
        MPI_SUCCESS) {
      std::snprintf(text, textSize, "MPI_Init_thread failed");
      return 1;
    }
    on_exit(finish, nullptr);
  }
  if (provided < MPI_THREAD_MULTIPLE) {
    std::snprintf(text, textSize,
                  "expected an MPI library with MPI_THREAD_MULTIPLE, got "
                  "thread level %d",
                  provided);
    return 1;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

template <typename Start> static void *makeRequest(Start start) {
  auto *request = new (std::nothrow) MPI_Request(MPI_REQUEST_NULL);
  if (request && start(request) != MPI_SUCCESS) {
    delete request;
    return nullptr;
  }
  return request;
}

static void *send(const void *data, size_t bytes, int peer, int tag) {
  return makeRequest([&](MPI_Request *request) {
    return MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, peer, tag,
                     MPI_COMM_WORLD, request);
  });
}

static void *receive(void *data, size_t bytes, int peer, int tag) {
  return makeRequest([&](MPI_Request *request) {
    return MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE,
                     peer < 0 ? MPI_ANY_SOURCE : peer, tag, MPI_COMM_WORLD,
                     request);
  });
}

static int test(void *opaque) {
  auto *request = static_cast<MPI_Request *>(opaque);
  int done = 0;
  int result = MPI_Test(request, &done, MPI_STATUS_IGNORE);
  if (result == MPI_SUCCESS && !done)
    return 0;
  delete request;
  return result == MPI_SUCCESS ? 1 : -1;
}

static void cancel(void *opaque) {
  auto *request = static_cast<MPI_Request *>(opaque);
  MPI_Cancel(request);
  MPI_Request_free(request);
  delete request;
}

static void setFailed() { failed = true; }

extern "C" __attribute__((visibility("default"))) const moert_mpi_transport *
moert_mpi_get_transport() {
  static const moert_mpi_transport transport = {
      MOERT_MPI_TRANSPORT_VERSION,
      describe,
      start,
      send,
      receive,
      test,
      cancel,
      setFailed,
  };
  return &transport;
}
