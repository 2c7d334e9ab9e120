// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers: stacks that take turns on one thread.

#include "shim/Fiber.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MOERT_SHIM_ASAN
#endif
#if __has_feature(thread_sanitizer)
#define MOERT_SHIM_TSAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MOERT_SHIM_ASAN
#endif
#if defined(__SANITIZE_THREAD__)
#define MOERT_SHIM_TSAN
#endif
#ifdef MOERT_SHIM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef MOERT_SHIM_TSAN
#include <sanitizer/tsan_interface.h>
#endif

using namespace moert::shim;

/// Frames are larger with sanitizers.
#if defined(MOERT_SHIM_ASAN) || defined(MOERT_SHIM_TSAN)
static constexpr size_t kStackBytes = 256 << 10;
#else
static constexpr size_t kStackBytes = 64 << 10;
#endif
/// Marks the end of the stack, to detect overflows.
static constexpr uint64_t kUntouched = 0x5ac35ac35ac35ac3;

/// The fiber that is being resumed for the first time.
static thread_local Fiber *starting = nullptr;

#if defined(__x86_64__)
// The C library's switch changes the signal mask by two system calls per
// switch. This one only saves the callee-saved registers, on the stack it
// leaves.
asm(".text\n"
    ".p2align 4\n"
    ".hidden moert_shim_switch\n"
    ".globl moert_shim_switch\n"
    ".type moert_shim_switch, @function\n"
    "moert_shim_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size moert_shim_switch, . - moert_shim_switch\n");
extern "C" __attribute__((visibility("hidden"))) void
moert_shim_switch(void **from, void *to);

static void switchStacks(void *&from, void *to) {
  moert_shim_switch(&from, to);
}

void Fiber::prepare() {
  auto *top = reinterpret_cast<uint64_t *>(stack + kStackBytes);
  // No caller, the function that the switch returns to, and the registers that
  // it pops from the stack.
  *--top = 0;
  *--top = reinterpret_cast<uint64_t>(&Fiber::start);
  for (int i = 0; i < 6; ++i)
    *--top = 0;
  own = top;
}
#else
static void switchStacks(void *&from, void *to) {
  if (!from)
    from = new ucontext_t;
  swapcontext(static_cast<ucontext_t *>(from), static_cast<ucontext_t *>(to));
}

void Fiber::prepare() {
  auto *context = new ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = kStackBytes;
  context->uc_link = nullptr;
  makecontext(context, &Fiber::start, 0);
  own = context;
}
#endif

Fiber::Fiber(std::function<void()> body) : body(std::move(body)) {
  void *memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "stand-in for CUDA: no memory for the stack of a "
                         "device's thread\n");
    std::abort();
  }
  stack = static_cast<char *>(memory);
  *reinterpret_cast<uint64_t *>(stack) = kUntouched;
  prepare();
#ifdef MOERT_SHIM_TSAN
  sanitized.ownThread = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef MOERT_SHIM_TSAN
  __tsan_destroy_fiber(sanitized.ownThread);
#endif
#ifdef MOERT_SHIM_ASAN
  // Suspended functions have poisoned their frames on it.
  __asan_unpoison_memory_region(stack, kStackBytes);
#endif
#if !defined(__x86_64__)
  delete static_cast<ucontext_t *>(own);
  delete static_cast<ucontext_t *>(caller);
#endif
  munmap(stack, kStackBytes);
}

void Fiber::start() {
  Fiber *fiber = starting;
  starting = nullptr;
  fiber->enter();
}

void Fiber::enter() {
#ifdef MOERT_SHIM_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &sanitized.callerStack,
                                  &sanitized.callerBytes);
#endif
  body();
  std::abort();
}

void Fiber::resume() {
  starting = this;
#ifdef MOERT_SHIM_ASAN
  __sanitizer_start_switch_fiber(&sanitized.callerFrames, stack, kStackBytes);
#endif
#ifdef MOERT_SHIM_TSAN
  sanitized.callerThread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(sanitized.ownThread, 0);
#endif
  switchStacks(caller, own);
#ifdef MOERT_SHIM_ASAN
  __sanitizer_finish_switch_fiber(sanitized.callerFrames, nullptr, nullptr);
#endif
  if (*reinterpret_cast<uint64_t *>(stack) != kUntouched) {
    std::fprintf(stderr,
                 "stand-in for CUDA: expected threads of a kernel that need "
                 "less than %zu bytes of stack\n",
                 kStackBytes);
    std::abort();
  }
}

void Fiber::suspend() {
#ifdef MOERT_SHIM_ASAN
  __sanitizer_start_switch_fiber(&sanitized.ownFrames, sanitized.callerStack,
                                 sanitized.callerBytes);
#endif
#ifdef MOERT_SHIM_TSAN
  __tsan_switch_to_fiber(sanitized.callerThread, 0);
#endif
  switchStacks(own, caller);
#ifdef MOERT_SHIM_ASAN
  __sanitizer_finish_switch_fiber(sanitized.ownFrames, &sanitized.callerStack,
                                  &sanitized.callerBytes);
#endif
}
