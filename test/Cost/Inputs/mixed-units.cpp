// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that must not compile.

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
