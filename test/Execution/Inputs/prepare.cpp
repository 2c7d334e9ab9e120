// Prepares and runs a compiled program of one rank on the stand-ins, and prints
// how many images of kernels each of them has loaded.

#include "double.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" uint64_t moert_stand_in_count(const char *name);

static void require(moert_status status, const char *what,
                    moert_context *context) {
  if (status == MOERT_OK)
    return;
  std::fprintf(stderr, "%s: %s: %s\n", what, moert_status_name(status),
               moert_last_error(context));
  std::exit(1);
}

static unsigned long long countModules() {
  return moert_stand_in_count("cuModuleLoadData");
}

int main() {
  moert_config config;
  moert_config_default(&config);
  config.backend = "nccl";
  config.rank = 0;
  config.world_size = 1;
  config.address = "127.0.0.1:29759";
  moert_context *context = nullptr;
  require(moert_init(&config, &context), "moert_init", nullptr);
  std::vector<float> numbers(40, 1.5f), got(40);
  size_t bytes = numbers.size() * sizeof(float);
  moert_stream *stream = nullptr;
  moert_buffer *x = nullptr, *y = nullptr;
  require(moert_stream_create(context, "own", 0, &stream), "stream", context);
  for (moert_buffer **buffer : {&x, &y})
    require(moert_buffer_create(context, bytes, MOERT_MEMORY_DEVICE, buffer),
            "buffer", context);
  require(moert_copy(stream, moert_buffer_data(x), numbers.data(), bytes),
          "copy", context);
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "copy",
          context);
  unsigned long long before = countModules();
  require(static_cast<moert_status>(moe_main_prepare(context)),
          "moe_main_prepare", context);
  unsigned long long prepared = countModules();
  void *inputs[] = {moert_buffer_data(x)}, *results[] = {moert_buffer_data(y)};
  require(static_cast<moert_status>(moe_main(context, inputs, results)),
          "moe_main", context);
  unsigned long long ran = countModules();
  require(moert_copy(stream, got.data(), moert_buffer_data(y), bytes), "copy",
          context);
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "copy",
          context);
  if (got[39] != 3.0f)
    std::exit(1);
  std::printf(
      "modules loaded: by moe_main_prepare %llu, by the first run %llu\n",
      prepared - before, ran - prepared);
  require(moert_finalize(context, MOERT_DEADLINE_DEFAULT), "finalize", nullptr);
}
