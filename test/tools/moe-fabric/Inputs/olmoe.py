# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joint counts of OLMoE's layers 7 and 15, as moe-fabric predict reads them."""
import json
import sys

domains = json.load(open(sys.argv[1]))["olmoe"][sys.argv[2]]
print(json.dumps({"samples": [{"name": name, "joint_counts": layers[1]}
                              for name, layers in domains.items()]}))
