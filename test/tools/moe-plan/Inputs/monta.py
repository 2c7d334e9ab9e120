"""Prints what moe-plan predicts for MoNTA's testbed at every sequence length
of its Fig. 14, with the parameters that are fitted to the paper and without."""

import json
import subprocess

HIDDEN_SIZE, ELEMENT_BYTES, TOP_K = 8192, 2, 2


def ask(tokens, *options):
    size = tokens * HIDDEN_SIZE * ELEMENT_BYTES * TOP_K
    answer = subprocess.run(
        ["moe-plan", "all-to-all", "--platform=a800-2x8", f"--bytes={size}",
         "--ep=2", "--tp=8", "--json", *options],
        check=True, capture_output=True, text=True).stdout
    return json.loads(answer)


def print_lengths(*options):
    print("tokens  baseline_us      o1_us      o2_us   N      o3_us   N"
          "  o2-o3_us  over_baseline  chosen")
    for exponent in range(12, 19):
        tokens = 2**exponent
        answer = ask(tokens, *options)
        times = answer["strategies"]
        o2, o3 = times["o2"], times["o3"]
        ratio = answer["time_us"] / times["baseline"]["time_us"]
        print(f"{tokens:6} {times['baseline']['time_us']:12.1f}"
              f" {times['o1']['time_us']:10.1f}"
              f" {o2['time_us']:10.1f} {o2['chunks']:3}"
              f" {o3['time_us']:10.1f} {o3['chunks']:3}"
              f" {o2['time_us'] - o3['time_us']:9.1f}"
              f" {ratio:14.3f}  {answer['chosen']}")


print_lengths()
best = ask(2**18)["strategies"]
ratio = ask(2**18, "--chunks=4")["strategies"]["o3"]["over_baseline"]
print(f"256K, 4 chunks as measured: predicted {ratio:.3f}, measured 0.253")
print("256K, searched: predicted "
      f"{min(s['over_baseline'] for s in best.values()):.3f}")
print("without fitted parameters")
print_lengths("--ignore-fitted")
