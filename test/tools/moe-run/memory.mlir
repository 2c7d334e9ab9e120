// Memory is bounded by what the process may take, and when it runs out anyway
// that is an error like any other. A sanitizer needs more addresses than this.
// UNSUPPORTED: sanitizer

// DEFINE: %{run} = %python %S/Inputs/address_space.py 2147483648 moe-run %s

// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: error: 'tensor.empty' op needs a tensor of 536870912 elements, 4294967296 bytes, and 0 of the 1073741824 bytes allowed (--max-bytes) are held
// DEFAULT: exit code 2

// RUN: %{run} --max-bytes=1000000000000 2>&1 | FileCheck %s --check-prefix=OUT
// OUT-NOT: LLVM ERROR
// OUT: moe-run: error: out of memory; --max-bytes=N limits the memory of tensors and symbolic values
// OUT-NEXT: exit code 2

// RUN: moe-run --help | FileCheck %s --check-prefix=HELP
// HELP: Memory limit in bytes for tensors and symbolic values (default: half of this machine's memory, at most 8 GiB)

func.func @main() -> tensor<536870912xf32> {
  %x = tensor.empty() : tensor<536870912xf32>
  return %x : tensor<536870912xf32>
}
