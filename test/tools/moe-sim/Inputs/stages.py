"""Checks moe-sim's predictions for steps of 2 stages and 8 micro-batches.

usage: stages.py 1F1B GPIPE SYNC CUT

Each is the JSON of one program: in the order 1f1b, as gpipe, with synchronous
sends, and with two pieces per stage.
"""

import json
import sys

answers = [json.load(open(name)) for name in sys.argv[1:]]
ahead, gpipe, sync, cut = (answer["stages"] for answer in answers)


def expect(what, holds):
    if not holds:
        sys.exit(f"expected {what}, got {[a['stages'] for a in answers]}")


for step, answer in zip((ahead, gpipe, sync, cut), answers):
    passes = step["forward_us"] + step["backward_us"]
    expect("passes alike", abs(passes - (ahead["forward_us"] +
                                         ahead["backward_us"])) < 1e-6)
    expect("a step of passes, a bubble and sums",
           abs(step["step_us"] - 8 * passes - step["bubble_us"] -
               step["gradients_us"]) < 1e-6 * step["step_us"])
    # One micro-batch with all its passes and all-reduces equals the program,
    # except for the sends and the overlap between passes.
    alone = passes + step["gradients_us"]
    expect("passes as long as the program",
           .95 * answer["makespan_us"] < alone + 2 * step["send_us"]
           and alone < 1.1 * answer["makespan_us"])
    rate = answer["step_tokens"] * 8 / (step["step_us"] * 1e-6)
    expect("tokens a second of the step",
           abs(answer["tokens_per_s"] - rate) < 1e-6 * rate)
    expect("sends", step["send_us"] > 0)
passes = ahead["forward_us"] + ahead["backward_us"]
expect("gpipe's bubble: the way of the first micro-batch and the last gradient",
       abs(gpipe["bubble_us"] - passes - 2 * gpipe["send_us"]) < 1e-3)
expect("at least that of 1f1b", ahead["bubble_us"] >= gpipe["bubble_us"] - 1e-6)
expect("more to wait for", sync["bubble_us"] > ahead["bubble_us"])
expect("less than two thirds with two pieces",
       passes / 2 <= cut["bubble_us"] < .67 * ahead["bubble_us"])
expect("sums of gradients over dp", ahead["gradients_us"] > 0)
expect("values", (ahead["held_micro_batches"], gpipe["held_micro_batches"])
       == (2, 8) and cut["held_micro_batches"] > 2)
print(f"{len(answers)} steps: times go together")
