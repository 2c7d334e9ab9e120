// Runs the program of ocs_alone.mlir and prints its status. With PROGRAM it
// loads the program, after the library that its argument names.
#include "moert.h"
#include <cstdio>
#include <dlfcn.h>

using Program = int32_t(moert_context *, void **inputs, void **results);

#ifdef PROGRAM
static Program *find(const char *library) {
  if (library && !dlopen(library, RTLD_NOW | RTLD_GLOBAL)) {
    std::printf("%s\n", dlerror());
    return nullptr;
  }
  void *program = dlopen(PROGRAM, RTLD_NOW);
  if (!program)
    std::printf("%s\n", dlerror());
  return program ? reinterpret_cast<Program *>(dlsym(program, "moe_main"))
                 : nullptr;
}
#else
extern "C" Program moe_main;
static Program *find(const char *) { return &moe_main; }
#endif

int main(int argc, char **argv) {
  Program *program = find(argc > 1 ? argv[1] : nullptr);
  moert_config config;
  moert_config_default(&config);
  moert_context *context = nullptr;
  if (!program || moert_init(&config, &context) != MOERT_OK)
    return 1;
  float x[4] = {}, y[4] = {};
  void *inputs[] = {x}, *results[] = {y};
  auto status = static_cast<moert_status>(program(context, inputs, results));
  std::printf("%s: %s\n", moert_status_name(status), moert_last_error(context));
  moert_finalize(context, MOERT_DEADLINE_DEFAULT);
  return 0;
}
