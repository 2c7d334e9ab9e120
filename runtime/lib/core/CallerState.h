// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the calling thread.

#ifndef MOERT_CORE_CALLERSTATE_H
#define MOERT_CORE_CALLERSTATE_H

#include <atomic>

namespace moert {

/// Restores the calling thread's current device afterwards, because the caller
/// may use another device or none.
class CallerState {
public:
  struct Hooks {
    void *(*save)();
    void (*restore)(void *);
  };
  /// Installs the hooks of a backend with devices, from now on for all contexts
  /// of the process.
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
