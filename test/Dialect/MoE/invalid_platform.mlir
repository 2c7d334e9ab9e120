// RUN: moe-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected a platform's name that is not empty}}
module attributes {moe.platform = #moe.platform<"", levels ["node": 8], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected a platform of at least one level}}
module attributes {moe.platform = #moe.platform<"x", levels [], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected each level to have a name of its own, got ""}}
module attributes {moe.platform = #moe.platform<"x", levels ["": 8], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected each level to have a name of its own, got "node" twice}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 8, "node": 16], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected level "node" to span more ranks than the level before it, and a multiple of them (1), got 0}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 0], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected level "node" to span more ranks than the level before it, and a multiple of them (1), got -8}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": -8], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected level "rack" to span more ranks than the level before it, and a multiple of them (16), got 8}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 16, "rack": 8], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected level "rack" to span more ranks than the level before it, and a multiple of them (8), got 12}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 8, "rack": 12], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{integer value too large}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 9223372036854775808], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected a platform's file that is not empty}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 8], file "", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected a hash of 16 digits out of 0-9 and a-f, got "0123456789abcde"}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 8], file "f", hash "0123456789abcde">} {}

// -----

// expected-error@+1 {{expected a hash of 16 digits out of 0-9 and a-f, got "0123456789ABCDEF"}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 8], file "f", hash "0123456789ABCDEF">} {}

// -----

// expected-error@+1 {{expected string}}
module attributes {moe.platform = #moe.platform<x, levels ["node": 8], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected 'levels'}}
module attributes {moe.platform = #moe.platform<"x", ["node": 8], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected ':'}}
module attributes {moe.platform = #moe.platform<"x", levels ["node"], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected integer value}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": "8"], file "f", hash "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected 'hash'}}
module attributes {moe.platform = #moe.platform<"x", levels ["node": 8], file "f", "0123456789abcdef">} {}

// -----

// expected-error@+1 {{expected 'moe.platform' to be a #moe.platform, got "dgx-h100"}}
module attributes {moe.platform = "dgx-h100"} {}

// -----

// expected-error@+1 {{expected 'moe.platform' on a builtin.module, got it on func.func}}
func.func private @f() attributes {moe.platform = #moe.platform<"x", levels ["node": 8], file "f", hash "0123456789abcdef">}
