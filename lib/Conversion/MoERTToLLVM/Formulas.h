// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math functions as sums and products.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_FORMULAS_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_FORMULAS_H

#include "mlir/IR/Builders.h"

namespace moe {

class Formulas;

/// A computed value of type f64, or of type i1 for conditions.
struct Real {
  Formulas *formulas;
  mlir::Value value;
};
Real operator+(Real a, Real b);
Real operator-(Real a, Real b);
Real operator*(Real a, Real b);
Real operator/(Real a, Real b);
Real operator+(Real a, double b);
Real operator-(Real a, double b);
Real operator-(double a, Real b);
Real operator*(Real a, double b);
Real operator/(double a, Real b);
/// Comparisons return i1 as in C++: false for a NaN, except `!=`.
Real operator<(Real a, double b);
Real operator>(Real a, double b);
Real operator==(Real a, double b);
Real operator==(Real a, Real b);
Real operator!=(Real a, Real b);
Real operator&(Real a, Real b);
Real operator|(Real a, Real b);

/// Emits f64 functions as sums, products, quotients, roots and bit operations,
/// because every GPU has instructions for these. Errors are at most a few units
/// in the last place of f64. Infinities, zeros and NaNs are handled as by C's
/// functions of the same names.
class Formulas {
public:
  Formulas(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  Real get(mlir::Value value) { return {this, value}; }
  Real get(double value);
  Real fma(Real a, Real b, Real c);
  Real fma(Real a, double b, Real c);
  Real fma(Real a, Real b, double c);
  Real abs(Real x);
  Real sqrt(Real x);
  Real trunc(Real x);
  /// Rounds to the nearest integer, with ties to even.
  Real nearest(Real x);
  Real copySign(Real size, Real sign);
  Real select(Real condition, Real a, Real b);
  Real select(Real condition, double a, Real b);

  Real exp(Real x);
  Real exp2(Real x);
  Real expm1(Real x);
  Real log(Real x);
  Real log2(Real x);
  Real log10(Real x);
  Real log1p(Real x);
  /// Computes exp(y log x), which is accurate enough for f32 only.
  Real pow(Real x, Real y);
  Real cbrt(Real x);
  Real sinh(Real x);
  Real cosh(Real x);
  Real tanh(Real x);
  Real asinh(Real x);
  Real acosh(Real x);
  Real atanh(Real x);
  Real atan(Real x);
  Real atan2(Real y, Real x);
  Real asin(Real x);
  Real acos(Real x);
  Real sin(Real x);
  Real cos(Real x);
  Real tan(Real x);
  Real erf(Real x);
  Real erfc(Real x);
  /// Evaluates a polynomial; the coefficients start with the constant one.
  Real evaluate(Real x, llvm::ArrayRef<double> coefficients);

private:
  friend struct RealOps;
  /// 2^n for an integer n in [-1022, 1023].
  Real makePower(Real n);
  /// x 2^n for an integer n in [-2044, 2046], rounded once.
  Real scale(Real x, Real n);
  /// n and r with x = n ln 2 + r, |r| <= ln 2 / 2.
  void reduce(Real x, Real &n, Real &r);
  /// k and log m with x = 2^k m, for finite x above 0.
  void split(Real x, Real &k, Real &logM);
  /// e^r and e^r - 1 for small r.
  Real expSmall(Real r);
  Real expm1Small(Real r);
  /// Sets the results at 0, at infinity, and for negative numbers and NaN.
  Real finishLog(Real x, Real result);
  // Angles.cpp
  /// Splits x into a number of quarter turns with only the lowest two bits
  /// valid, and r with |r| <= pi/4. `reduceFarAngle` handles large x, and
  /// `reduceAngle` any x.
  void reduceAngle(Real x, mlir::Value &quadrant, Real &r);
  void reduceFarAngle(Real x, mlir::Value &quadrant, Real &r);
  /// The sine of r plus this number of quarter turns.
  Real getWave(Real r, mlir::Value quadrant);
  /// erfc of a number of at least 1/2.
  Real erfcTail(Real a);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_FORMULAS_H
