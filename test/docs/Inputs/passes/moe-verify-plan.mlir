module attributes {moe.plan = #moe.step_plan<phase = choose, schedule = layers, collectives = "by-links">} {}
