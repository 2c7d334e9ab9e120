// Programs that cannot be read or executed, and options that do not go with them.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: %{wrong} - --against=- < %s 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: error: --against and IN are both '-', but standard input can be read only once
// RUN: %{wrong} %s --symbolic --samples=0 2>&1 | FileCheck %s --check-prefix=SAMPLES
// SAMPLES: error: --samples: expected at least 1, got 0
// RUN: %{wrong} %s --samples=2 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: error: --samples requires --symbolic
// RUN: %{wrong} %s --print-values --against=%s 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: error: --print-values is not supported with --against
// RUN: %{wrong} %s --entry= 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: --entry: expected a function's name, got ''
// RUN: %{wrong} %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot open input file '{{.*}}.missing': No such file or directory
// RUN: %{wrong} %s --against=%t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo 'func.func @main( {' > %t.broken
// RUN: %{wrong} %t.broken 2>&1 | FileCheck %s --check-prefix=PARSE
// RUN: %{wrong} %s --against=%t.broken 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: .broken:1:17: error: expected
// RUN: %{wrong} %s --max-bytes=100 2>&1 | FileCheck %s --check-prefix=TABLES
// TABLES: error: executing 4 ranks needs about 1024 bytes for each, and the limit is 100 bytes (--max-bytes)

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
