// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/LoadLibrary.h"
#include <dlfcn.h>
#include <gtest/gtest.h>

using moert::loadLibrary;

/// A library that the process has loaded is preferred, for example PyTorch's.
TEST(LoadLibraryTest, TakesWhatTheProcessHas) {
  const char *known = "libm.so.6", *other = "libBrokenLocale.so.1";
  void *library = dlopen(other, RTLD_NOW | RTLD_NOLOAD);
  if (library || !dlopen(known, RTLD_NOW | RTLD_NOLOAD))
    GTEST_SKIP() << "expected " << known << " loaded, and " << other << " not";
  std::string path, reason;
  ASSERT_TRUE(loadLibrary({other, known}, path, reason)) << reason;
  EXPECT_NE(path.find(known), std::string::npos) << path;
  EXPECT_FALSE(dlopen(other, RTLD_NOW | RTLD_NOLOAD));
}
