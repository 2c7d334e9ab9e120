// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of math as sums and products.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_FORMULAS_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_FORMULAS_H

#include "mlir/IR/Builders.h"

namespace moe {

class Formulas;

/// A value of type f64, or i1 where it says so, that code computes.
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
/// i1, as C++ has them: false where one is not a number, but for `!=`.
Real operator<(Real a, double b);
Real operator>(Real a, double b);
Real operator==(Real a, double b);
Real operator==(Real a, Real b);
Real operator!=(Real a, Real b);
Real operator&(Real a, Real b);
Real operator|(Real a, Real b);

/// Writes code for functions of f64 from sums, products, quotients, roots and
/// the bits of numbers: what every GPU has instructions for. Errors are a few
/// units in the last place of f64 at most; infinities, zeros and what is not a
/// number go where C's functions of these names have them.
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
  /// The nearest integer, of two the even one.
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
  /// As exp(y log x): exact enough for f32 only.
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
  /// The coefficients from the constant one up.
  Real evaluate(Real x, llvm::ArrayRef<double> coefficients);

private:
  friend struct RealOps;
  /// 2^n for whole n in [-1022, 1023].
  Real makePower(Real n);
  /// x 2^n for whole n in [-2044, 2046], rounded once.
  Real scale(Real x, Real n);
  /// n and r with x = n ln 2 + r, |r| <= ln 2 / 2.
  void reduce(Real x, Real &n, Real &r);
  /// k and log m with x = 2^k m, for x above 0 and finite.
  void split(Real x, Real &k, Real &logM);
  /// e^r and e^r - 1 for small r.
  Real expSmall(Real r);
  Real expm1Small(Real r);
  /// Where the result is NaN: x is less than 0 or NaN; and at 0 and infinity.
  Real finishLog(Real x, Real result);
  // Angles.cpp
  /// x as a number of quarter turns, of which the lowest two bits count, and r
  /// with |r| <= pi/4; those of far numbers as well as of near ones.
  void reduceAngle(Real x, mlir::Value &quadrant, Real &r);
  void reduceFarAngle(Real x, mlir::Value &quadrant, Real &r);
  /// The sine of r and so many quarter turns.
  Real getWave(Real r, mlir::Value quadrant);
  /// erfc of what is at least 1/2.
  Real erfcTail(Real a);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_FORMULAS_H
