# The same as a region of the user's, which reads a value from outside.
s/%(u[0-9]) = @OP\((%h[0-9])\) : \((tensor<6x8xf32>)\) -> .*/%to_\1 = tensor.empty() : \3\
    %c_\1 = arith.constant -1.0 : f32\
    %\1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(\2 : \3) outs(%to_\1 : \3) attrs = {moe.time_us = 1.0 : f64} {\
    ^bb0(%in: f32, %out: f32):\
      %product = arith.mulf %in, %c_\1 : f32\
      linalg.yield %product : f32\
    } -> \3/
s/@OP/"arith.negf"/
