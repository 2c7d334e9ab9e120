moe.mesh @mesh axes ["ep"] shape [2]
