module attributes {moe.step = {phase = "choose", schedule = "layers",
                               collectives = "by-links"}} {}
