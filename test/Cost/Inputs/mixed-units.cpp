//===- mixed-units.cpp - Mistakes that must not compile -------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Cost/Machine.h"

using namespace moe::cost;

double compute(Bytes bytes, Elements elements, Microseconds us, Milliseconds ms,
               GBps rate) {
#if defined(BYTES_AND_ELEMENTS)
  return (bytes + elements).value();
#elif defined(US_AND_MS)
  return (us + ms).value();
#elif defined(PLAIN_NUMBER)
  return getCopyTime(CopyEngine(), 1e6).value();
#elif defined(ELEMENTS_OVER_BANDWIDTH)
  return (elements / rate).value();
#else
  us += bytes / rate + toMicroseconds(ms);
  us += elements * BytesPerElement(2) / rate;
  return us.value();
#endif
}
