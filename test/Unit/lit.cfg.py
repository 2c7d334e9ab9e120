# Runs every GoogleTest binary of the build as lit tests.
import os

import lit.formats

config.name = "moe-mlir-unit"
config.test_source_root = os.path.join(config.moe_obj_root, "unittests")
config.test_exec_root = config.test_source_root
config.suffixes = []
config.test_format = lit.formats.GoogleTest(".", "Tests")

# As for the other tests, see test/lit.cfg.py.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
