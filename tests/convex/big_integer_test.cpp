// SPDX-License-Identifier: Apache-2.0
#include "convex/big_integer.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/gmp.hpp>
#include <cmath>

#include "base/random.h"
#include "test_scale.h"

namespace touche {
namespace {

using boost::multiprecision::mpz_int;
using convex::BigInteger;

mpz_int shifted(double value, int shift) {
  int exponent = 0;
  const auto mantissa = static_cast<long long>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent += shift - 53;
  return exponent >= 0 ? mpz_int(mantissa) << static_cast<unsigned>(exponent)
                       : mpz_int(mantissa) >> static_cast<unsigned>(-exponent);
}

TEST(BigInteger, PolynomialsAgreeWithGmp) {
  base::Random random(1831);
  for (int i = 0; i < test::scaled(2000); ++i) {
    BigInteger x[4];
    mpz_int y[4];
    for (int k = 0; k < 4; ++k) {
      double value = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(200)));
      if (random.below(4) == 0) value = std::round(random.uniform(-3, 3));
      x[k] = BigInteger(value, 60);
      y[k] = shifted(value, 60);
    }
    const BigInteger ours = (x[0] * x[1] - x[2] * x[3]) * x[0] + x[1] - x[2];
    const mpz_int theirs = (y[0] * y[1] - y[2] * y[3]) * y[0] + y[1] - y[2];
    EXPECT_EQ(ours.sign(), theirs.sign());
    const mpz_int magnitude = abs(theirs);
    const int bits = theirs == 0 ? 0 : static_cast<int>(msb(magnitude)) + 1;
    EXPECT_EQ(ours.bits(), bits);
    const double expected =
        boost::multiprecision::mpq_rational(theirs, mpz_int(1) << static_cast<unsigned>(bits))
            .convert_to<double>();
    EXPECT_NEAR(ours.scaled(bits), expected, 0x1p-51);
    EXPECT_EQ((ours - ours).sign(), 0);
    EXPECT_EQ((ours - (ours - x[3])).sign(), x[3].sign());
  }
}

TEST(BigInteger, SumsThatCancelAndCarry) {
  const BigInteger one(1, 0), large(1, 320), zero;
  EXPECT_EQ((large - one).bits(), 320);
  EXPECT_EQ((large - one + one - large).sign(), 0);
  EXPECT_EQ((one - large).sign(), -1);
  EXPECT_EQ((zero - one).sign(), -1);
  EXPECT_EQ((zero * large).sign(), 0);
  EXPECT_EQ(BigInteger(-0.75, 2).scaled(0), -3);
}

}  // namespace
}  // namespace touche
