// One op on each stream, with 1 us a GEMM and 1 ns a multiply-accumulate, copies
// at 2 GB/s: S = 10 tokens, M = 4, E = 5, C = 2, and D = 2 for xmoe.
// RUN: moe-sim %s --platform=%S/Inputs/toy.json --json | %python -c "import json,sys; [print(s['name'], s['busy_us']) for s in json.load(sys.stdin)['streams']]" | FileCheck %s

// The einsum ordering is a GEMM of S * E * C * M = 400, the sparse one a copy of
// the buffer's 160 bytes (and the slots' 40).
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
// CHECK: softmax 1.2{{$}}
moe.stream @softmax compute
// CHECK: gshard 2.4{{$}}
moe.stream @gshard compute
// CHECK: xmoe 2.18{{$}}
moe.stream @xmoe compute
// CHECK: choice 1.2{{$}}
moe.stream @choice compute
// CHECK: soft 1.4{{$}}
moe.stream @soft compute
// CHECK: mix 1.4{{$}}
moe.stream @mix compute
// CHECK: unmix 1.4{{$}}
moe.stream @unmix compute
// CHECK: order_sparse 0.1{{$}}
moe.stream @order_sparse compute
// CHECK: order_einsum 1.4{{$}}
moe.stream @order_einsum compute
// CHECK: unpermute_sparse 0.08{{$}}
moe.stream @unpermute_sparse compute
// CHECK: unpermute_einsum 1.4{{$}}
moe.stream @unpermute_einsum compute
// CHECK: hook 0{{$}}
moe.stream @hook compute
// CHECK: user 2.5{{$}}
moe.stream @user compute

func.func @main(%x: tensor<10x4xf32>, %r: tensor<4x5xf32>, %q: tensor<2x5xf32>,
                %p: tensor<4x2xf32>, %phi: tensor<4x5x2xf32>, %s: i64,
                %d: tensor<10x5x2xf32>, %b: tensor<5x2x4xf32>,
                %ids: tensor<10x1xi32>, %v: tensor<10x1xf32>) {
  moe.schedule {
    %t_softmax = moe.task @softmax "softmax"[0 of 1] layer "0" phase "fwd" {
      %i, %w = moe.gate softmax %x, %r top_k 1 : tensor<10x4xf32>, tensor<4x5xf32> -> tensor<10x1xi32>, tensor<10x1xf32>
      moe.yield
    }
    %t_gshard = moe.task @gshard "gshard"[0 of 1] layer "0" phase "fwd" {
      %i, %w = moe.gate gshard %x, %r noise %r : tensor<4x5xf32> seed %s top_k 1 : tensor<10x4xf32>, tensor<4x5xf32> -> tensor<10x1xi32>, tensor<10x1xf32>
      moe.yield
    }
    %t_xmoe = moe.task @xmoe "xmoe"[0 of 1] layer "0" phase "fwd" {
      %i, %w = moe.gate xmoe %x, %q projection %p : tensor<4x2xf32> temperature 0.1 top_k 1 : tensor<10x4xf32>, tensor<2x5xf32> -> tensor<10x1xi32>, tensor<10x1xf32>
      moe.yield
    }
    %t_choice = moe.task @choice "choice"[0 of 1] layer "0" phase "fwd" {
      %i, %w = moe.expert_choice over experts %x, %r capacity 2 : tensor<10x4xf32>, tensor<4x5xf32> -> tensor<10x5xi32>, tensor<10x5xf32>
      moe.yield
    }
    %t_soft = moe.task @soft "soft"[0 of 1] layer "0" phase "fwd" {
      %i, %w = moe.soft_gate %x, %phi : tensor<10x4xf32>, tensor<4x5x2xf32> -> tensor<10x5x2xf32>, tensor<10x5x2xf32>
      moe.yield
    }
    %t_mix = moe.task @mix "mix"[0 of 1] layer "0" phase "fwd" {
      %w = moe.soft_permute %x by %d : tensor<10x4xf32>, tensor<10x5x2xf32> -> tensor<5x2x4xf32>
      moe.yield
    }
    %t_unmix = moe.task @unmix "unmix"[0 of 1] layer "0" phase "fwd" {
      %w = moe.soft_unpermute %b by %d : tensor<5x2x4xf32>, tensor<10x5x2xf32> -> tensor<10x4xf32>
      moe.yield
    }
    %t_order_sparse = moe.task @order_sparse "order_sparse"[0 of 1] layer "0" phase "fwd" {
      %w, %i = moe.permute choice %x by %ids : tensor<10x4xf32>, tensor<10x1xi32> -> tensor<5x2x4xf32>, tensor<10x1xi32>
      moe.yield
    }
    %t_order_einsum = moe.task @order_einsum "order_einsum"[0 of 1] layer "0" phase "fwd" {
      %w, %i = moe.permute choice %x by %ids ordering einsum : tensor<10x4xf32>, tensor<10x1xi32> -> tensor<5x2x4xf32>, tensor<10x1xi32>
      moe.yield
    }
    %t_unpermute_sparse = moe.task @unpermute_sparse "unpermute_sparse"[0 of 1] layer "0" phase "fwd" {
      %w = moe.unpermute %b by %ids weights %v : tensor<5x2x4xf32>, tensor<10x1xi32>, tensor<10x1xf32> -> tensor<10x4xf32>
      moe.yield
    }
    %t_unpermute_einsum = moe.task @unpermute_einsum "unpermute_einsum"[0 of 1] layer "0" phase "fwd" {
      %w = moe.unpermute %b by %ids weights %v ordering einsum : tensor<5x2x4xf32>, tensor<10x1xi32>, tensor<10x1xf32> -> tensor<10x4xf32>
      moe.yield
    }
    %t_hook = moe.task @hook "hook"[0 of 1] layer "0" phase "fwd" {
      %w = moe.hook before_dispatch %b : tensor<5x2x4xf32>
      moe.yield
    }
    %t_user = moe.task @user "user"[0 of 1] layer "0" phase "fwd" {
      %w = "user.compress"(%b) {moe.time_us = 2.5 : f64} : (tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
      moe.yield
    }
    moe.yield
  }
  return
}
