# An elementwise op of linalg behind each hook.
s/%(u[0-9]) = @OP\((%h[0-9])\) : \((.*)\) -> .*/%to_\1 = tensor.empty() : \3\
    %\1 = linalg.negf {moe.time_us = 1.0 : f64} ins(\2 : \3) outs(%to_\1 : \3) -> \3/
