// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls leave as it was.

#ifndef MOERT_CORE_CALLERSTATE_H
#define MOERT_CORE_CALLERSTATE_H

#include <atomic>

namespace moert {

/// Puts back, when a call ends, what the calling thread had as its current
/// device: the caller may work on another one, or on none.
class CallerState {
public:
  struct Hooks {
    void *(*save)();
    void (*restore)(void *);
  };
  /// From here on, for all contexts of the process: a backend has a device.
  static void use(const Hooks *hooks) { current.store(hooks); }

  CallerState()
      : hooks(current.load()), saved(hooks ? hooks->save() : nullptr) {}
  ~CallerState() {
    if (hooks)
      hooks->restore(saved);
  }
  CallerState(const CallerState &) = delete;
  CallerState &operator=(const CallerState &) = delete;

private:
  static inline std::atomic<const Hooks *> current{nullptr};
  const Hooks *const hooks;
  void *const saved;
};

} // namespace moert

#endif // MOERT_CORE_CALLERSTATE_H
