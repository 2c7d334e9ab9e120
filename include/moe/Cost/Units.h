// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantities with units that the compiler checks.
//
// Each kind of quantity has its own type (SPEC: time in us, volume in bytes,
// bandwidth in 1e9 bytes/s, M = 1e6), and only meaningful operations compile:
// for example, bytes over GB/s are microseconds, but bytes plus elements are an
// error. Quantities are constructed explicitly from plain numbers; `value()`
// returns the number.

#ifndef MOE_COST_UNITS_H
#define MOE_COST_UNITS_H

#include <compare>

namespace moe::cost {

/// A number with a unit. `Unit` is an empty tag.
template <typename Unit> class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double number) : number(number) {}

  /// Returns the number in the unit of the type's name.
  constexpr double value() const { return number; }

  constexpr Quantity &operator+=(Quantity other) {
    number += other.number;
    return *this;
  }
  constexpr Quantity &operator-=(Quantity other) {
    number -= other.number;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.number + b.number);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.number - b.number);
  }
  friend constexpr Quantity operator*(Quantity a, double factor) {
    return Quantity(a.number * factor);
  }
  friend constexpr Quantity operator*(double factor, Quantity a) {
    return Quantity(factor * a.number);
  }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity(a.number / divisor);
  }
  /// Returns the ratio of two quantities.
  friend constexpr double operator/(Quantity a, Quantity b) {
    return a.number / b.number;
  }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

private:
  double number = 0;
};

/// Bytes of data.
using Bytes = Quantity<struct BytesUnit>;
/// Elements of a tensor; `BytesPerElement` converts them to bytes.
using Elements = Quantity<struct ElementsUnit>;
/// Multiply-accumulates of a GEMM.
using Macs = Quantity<struct MacsUnit>;
/// Time.
using Microseconds = Quantity<struct MicrosecondsUnit>;
/// Time in the unit of the papers; `toMicroseconds` converts it.
using Milliseconds = Quantity<struct MillisecondsUnit>;
/// Bandwidth in 1e9 bytes/s.
using GBps = Quantity<struct GBpsUnit>;
/// Size of an element.
using BytesPerElement = Quantity<struct BytesPerElementUnit>;
/// Slopes of linear models (SPEC FS-1).
using MicrosecondsPerByte = Quantity<struct MicrosecondsPerByteUnit>;
using MicrosecondsPerElement = Quantity<struct MicrosecondsPerElementUnit>;
using MicrosecondsPerMac = Quantity<struct MicrosecondsPerMacUnit>;

constexpr Microseconds toMicroseconds(Milliseconds time) {
  return Microseconds(time.value() * 1e3);
}
constexpr Milliseconds toMilliseconds(Microseconds time) {
  return Milliseconds(time.value() * 1e-3);
}

/// 1 GB/s is 1000 bytes/us.
constexpr Microseconds operator/(Bytes bytes, GBps rate) {
  return Microseconds(bytes.value() / (rate.value() * 1e3));
}
constexpr GBps operator/(Bytes bytes, Microseconds time) {
  return GBps(bytes.value() / (time.value() * 1e3));
}
constexpr Bytes operator*(GBps rate, Microseconds time) {
  return Bytes(rate.value() * 1e3 * time.value());
}
constexpr Bytes operator*(Microseconds time, GBps rate) { return rate * time; }

constexpr Bytes operator*(Elements count, BytesPerElement size) {
  return Bytes(count.value() * size.value());
}
constexpr Elements operator/(Bytes bytes, BytesPerElement size) {
  return Elements(bytes.value() / size.value());
}

constexpr Microseconds operator*(Bytes bytes, MicrosecondsPerByte slope) {
  return Microseconds(bytes.value() * slope.value());
}
constexpr Microseconds operator*(Elements count, MicrosecondsPerElement slope) {
  return Microseconds(count.value() * slope.value());
}
constexpr Microseconds operator*(Macs macs, MicrosecondsPerMac slope) {
  return Microseconds(macs.value() * slope.value());
}
/// Returns the slope per byte of a slope measured in elements of `size`.
constexpr MicrosecondsPerByte operator/(MicrosecondsPerElement slope,
                                        BytesPerElement size) {
  return MicrosecondsPerByte(slope.value() / size.value());
}
constexpr MicrosecondsPerElement operator*(MicrosecondsPerByte slope,
                                           BytesPerElement size) {
  return MicrosecondsPerElement(slope.value() * size.value());
}
/// Returns the inverse of the slope.
constexpr GBps toBandwidth(MicrosecondsPerByte slope) {
  return GBps(1e-3 / slope.value());
}

} // namespace moe::cost

#endif // MOE_COST_UNITS_H
