// RUN: moe-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected at least one axis}}
moe.mesh @mesh axes [] shape []

// -----

// expected-error@+1 {{expected one size per axis, got 2 axes and 1 sizes}}
moe.mesh @mesh axes ["ep", "tp"] shape [2]

// -----

// expected-error@+1 {{expected one size per axis, got 1 axes and 0 sizes}}
moe.mesh @mesh axes ["ep"] shape []

// -----

// expected-error@+1 {{expected axis names that are not empty}}
moe.mesh @mesh axes ["ep", ""] shape [2, 2]

// -----

// expected-error@+1 {{axis "ep" is declared twice}}
moe.mesh @mesh axes ["ep", "tp", "ep"] shape [2, 2, 2]

// -----

// expected-error@+1 {{expected axis "tp" to have a size of at least 1, got 0}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 0]

// -----

// expected-error@+1 {{expected axis "ep" to have a size of at least 1, got -9223372036854775808}}
moe.mesh @mesh axes ["ep", "tp"] shape [-9223372036854775808, 1]

// -----

// expected-error@+1 {{expected at most 2147483647 ranks}}
moe.mesh @mesh axes ["ep"] shape [2147483648]

// -----

// The product overflows to 0.
// expected-error@+1 {{expected at most 2147483647 ranks}}
moe.mesh @mesh axes ["a", "b", "c"] shape [9223372036854775807, 4294967296, 4294967296]

// -----

// expected-error@+1 {{expected at most 2147483647 ranks, got a shape of more, [65536, 65536]}}
moe.mesh @mesh axes ["a", "b"] shape [65536, 65536]

// -----

// expected-error@+1 {{expected at most 64 axes, got 65}}
moe.mesh @mesh axes [
  "00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12",
  "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25",
  "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38",
  "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51",
  "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63", "64"]
  shape [
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]

// -----

// expected-note@+1 {{the other mesh is declared here}}
moe.mesh @a axes ["ep"] shape [2]
// expected-error@+1 {{expected one mesh in a module}}
moe.mesh @b axes ["ep"] shape [2]

// -----

// expected-error@+1 {{attribute 'axes' failed to satisfy constraint: string array attribute}}
"moe.mesh"() <{sym_name = "mesh", axes = [1], shape = array<i64: 1>}> : () -> ()

// -----

// expected-error@+1 {{requires attribute 'axes'}}
"moe.mesh"() <{sym_name = "mesh", shape = array<i64: 1>}> : () -> ()

// -----

// expected-error@+1 {{requires attribute 'shape'}}
"moe.mesh"() <{sym_name = "mesh", axes = ["ep"]}> : () -> ()

// -----

// expected-error@+1 {{requires attribute 'sym_name'}}
"moe.mesh"() <{axes = ["ep"], shape = array<i64: 1>}> : () -> ()

// -----

// expected-error@+1 {{expected valid '@'-identifier for symbol name}}
moe.mesh axes ["ep"] shape [2]

// -----

func.func @f() {
  // expected-error@+1 {{symbol's parent must have the SymbolTable trait}}
  moe.mesh @mesh axes ["ep"] shape [2]
  return
}

// -----

// expected-error@+1 {{expected a name that is not empty}}
moe.mesh @"" axes ["ep"] shape [2]
