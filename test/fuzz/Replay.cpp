// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the fuzzer's checks on given files.
//
// usage: moe-replay FILE...
//
// Aborts, like the fuzzer, at the first file that fails a check.

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: moe-replay FILE...\n";
    return 2;
  }
  // The report of a crash names the file.
  llvm::InitLLVM init(argc, argv);
  LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc; ++i) {
    auto file = llvm::MemoryBuffer::getFile(argv[i]);
    if (!file) {
      llvm::errs() << "moe-replay: error: " << argv[i] << ": "
                   << file.getError().message() << "\n";
      return 2;
    }
    llvm::PrettyStackTraceString name(argv[i]);
    llvm::StringRef text = (*file)->getBuffer();
    LLVMFuzzerTestOneInput(text.bytes_begin(), text.size());
  }
  llvm::outs() << "replayed " << argc - 1 << " files\n";
  return 0;
}
