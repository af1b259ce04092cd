// SPDX-License-Identifier: Apache-2.0
// Numbers and names as people say them, and how far a part has got.
#include "report/words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "study/describe.h"
#include "study/travel.h"

namespace touche::report {
namespace {

using study::Travel;
using study::travel;

TEST(Words, DigitsAreThreeOrFour) {
  EXPECT_EQ(digits(0), "0");
  EXPECT_EQ(digits(0.6), "0.6");
  EXPECT_EQ(digits(0.0907057), "0.0907");
  EXPECT_EQ(digits(0.100784), "0.1008");
  EXPECT_EQ(digits(41.23456), "41.2");
  EXPECT_EQ(digits(-48.0343), "-48");
  EXPECT_EQ(digits(1234.56), "1235");
  EXPECT_EQ(digits(6720.4), "6720");
  EXPECT_EQ(digits(27925.6), "27926");
  EXPECT_EQ(digits(1e9), "1e+09");
  EXPECT_EQ(digits(1.23456e-7), "1.23e-07");
  EXPECT_EQ(digits(1.23456e-7, Rounding::up), "1.24e-07");
  EXPECT_EQ(digits(1.2399e-7, Rounding::down), "1.23e-07");
  EXPECT_EQ(digits(-1.2399e9, Rounding::up), "-1.23e+09");
  EXPECT_EQ(digits(INFINITY), "inf");
}

TEST(Words, ThicknessIsWhatIsProved) {
  EXPECT_EQ(thickness_text({0.49996, 0.50004}, "mm"), "0.5 mm");
  EXPECT_EQ(thickness_text({0.49996, 0.501}, "mm"), "0.499 mm");
  EXPECT_EQ(thickness_text({0.49996, 0.9}, "mm"), "0.499 mm or more");
  EXPECT_EQ(thickness_text({0.49996, 0.549}, "mm"), "0.499 mm");
  EXPECT_EQ(thickness_text({0.49996, 0.551}, "mm"), "0.499 mm or more");
  // The last digit that rounding took is given back.
  EXPECT_EQ(thickness_text({0.29999999992, 0.388}, "mm"), "0.3 mm or more");
  EXPECT_EQ(thickness_text({0.2999, 0.388}, "mm"), "0.299 mm or more");
  EXPECT_EQ(thickness_text({0.49996, kInfinity}, "mm"), "0.499 mm or more");
}

TEST(Words, BoundsAreRoundedToTheirSide) {
  EXPECT_EQ(digits(0.0909, Rounding::down), "0.0909");
  EXPECT_EQ(digits(0.09099, Rounding::down), "0.0909");
  EXPECT_EQ(digits(0.09091, Rounding::up), "0.091");
  EXPECT_EQ(length_text(0.0079999, "mm", Rounding::down), "0.00799 mm");
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-4, 6);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::pow(10, exponent(random));
    const double low = std::stod(digits(x, Rounding::down));
    const double high = std::stod(digits(x, Rounding::up));
    EXPECT_LE(low, x * (1 + 1e-11));
    EXPECT_GE(high, x * (1 - 1e-11));
    EXPECT_GE(low, x * (1 - 0.01));
    EXPECT_LE(high, x * (1 + 0.01));
    EXPECT_NEAR(std::stod(digits(x)), x, 0.005 * x);
  }
}

// A length stays in the unit in which it was given.
TEST(Words, LengthsHaveTheirUnit) {
  EXPECT_EQ(length_text(41.2, "mm"), "41.2 mm");
  EXPECT_EQ(length_text(0.01, "mm"), "0.01 mm");
  EXPECT_EQ(length_text(0.0034031, "mm"), "0.0034 mm");
  EXPECT_EQ(length_text(3.4031e-6, "m"), "3.4e-06 m");
  EXPECT_EQ(length_text(0.005, "cm"), "0.005 cm");
  EXPECT_EQ(length_text(0.005, "um"), "0.005 µm");
  EXPECT_EQ(length_text(25, "um"), "25 µm");
  EXPECT_EQ(length_text(0.0034, "in"), "0.0034 in");
  EXPECT_EQ(length_text(0, "mm"), "0 mm");
}

TEST(Words, SharesAreAllOnlyWhenTheyAre) {
  EXPECT_EQ(percent(0.279256), "27.9 %");
  EXPECT_EQ(percent(0.8125), "81.3 %");
  EXPECT_EQ(percent(0.8125, Rounding::down), "81.2 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.99999), "99.999 %");
  EXPECT_EQ(percent(0.9999, Rounding::down), "99.9 %");
}

TEST(Words, PlacesHaveNamesAtTheEnds) {
  EXPECT_EQ(place_text(0), "at the start");
  EXPECT_EQ(place_text(0.279), "after 27.9 % of the path");
  EXPECT_EQ(place_text(1), "at the end");
}

TEST(Words, AnglesBecomeTurns) {
  EXPECT_EQ(angle_text(0.5 * std::numbers::pi), "90°");
  EXPECT_EQ(angle_text(-0.005), "0.286°");
  EXPECT_EQ(angle_text(16.26 * std::numbers::pi), "8.13 turns");
}

TEST(Words, ArticlesStandBeforeWordsOnly) {
  EXPECT_EQ(with_article("bulb base"), "the bulb base");
  EXPECT_EQ(with_article("gehäuse"), "the gehäuse");
  EXPECT_EQ(with_article("Crankcase"), "Crankcase");
  EXPECT_EQ(with_article("rib 4"), "rib 4");
  EXPECT_EQ(with_article("the bulb"), "the bulb");
  EXPECT_EQ(capitalised("the bulb"), "The bulb");
  EXPECT_EQ(capitalised(""), "");
}

TEST(Words, DirectionsHaveThreeDigits) {
  EXPECT_EQ(direction_text({0, std::sqrt(0.5), -std::sqrt(0.5)}), "(0, 0.707, -0.707)");
  EXPECT_EQ(direction_text({-1e-17, 6e-17, -1}), "(0, 0, -1)");
}

// Closed forms: a straight path, a screw, a circle, and there and back again.
TEST(Words, TravelIsTheLengthOfTheWay) {
  const Pose start, end = Pose::from_translation({3, 4, 0});
  const Motion straight = Motion::interpolated(start, end);
  EXPECT_NEAR(travel(straight, {9, 9, 9}, 0.5).length, 2.5, 1e-12);
  EXPECT_EQ(travel(straight, {9, 9, 9}, 0.5).angle, 0);
  EXPECT_NEAR(
      travel(Motion::chain(std::vector{straight, straight.reversed()}), {0, 0, 0}, 1).length, 10,
      1e-12);
  const double turn = 2 * std::numbers::pi;
  const Motion screw = Motion::screw(start, {0, 0, 0}, {0, 0, 1}, 10 * turn, 20);
  const Travel on_axis = travel(screw, {0, 0, 7}, 0.4);
  EXPECT_NEAR(on_axis.length, 8, 1e-9);
  EXPECT_NEAR(on_axis.angle, 4 * turn, 1e-9);
  const Travel aside = travel(screw, {5, 0, 0}, 0.4);
  EXPECT_NEAR(aside.length, std::hypot(8, 5 * 4 * turn), 1e-4 * aside.length);
}

TEST(Words, Counts) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(999), "999");
  EXPECT_EQ(number_text(1234567), "1,234,567");
  EXPECT_EQ(count_text(1, "pair"), "1 pair");
  EXPECT_EQ(count_text(1000, "pair"), "1,000 pairs");
}

TEST(Words, RoundingOfACoordinateIsZero) {
  EXPECT_EQ(point_text({4.66e-15, -10, 1e-7}, "mm"), "(0, -10, 1e-07) mm");
  EXPECT_EQ(point_text({4.66e-15, 0, 1e-15}, ""), "(4.66e-15, 0, 1e-15)");
}

TEST(Words, LengthsAreShownInAnotherUnit) {
  const Lengths in_mm("m", "mm");
  EXPECT_EQ(in_mm.text(0.002), "2 mm");
  EXPECT_EQ(in_mm.text(41.2e-6), "0.0412 mm");
  EXPECT_EQ(in_mm.text(0.0079999e-3, Rounding::down), "0.00799 mm");
  EXPECT_EQ(in_mm.thickness({0.49996e-3, 0.9e-3}), "0.499 mm or more");
  EXPECT_EQ(in_mm.factor(), 1000);
  EXPECT_EQ(Lengths("mm", "in").text(25.4), "1 in");
  EXPECT_EQ(Lengths("ft", "in").text(1), "12 in");
  EXPECT_EQ(Lengths("m", "um").text(3e-6), "3 µm");
  EXPECT_EQ(Lengths("mm", "").text(8), "8 mm");
  EXPECT_EQ(Lengths("mm", "").unit(), "mm");
  EXPECT_THROW(Lengths("mm", "ell"), InvalidInput);
}

}  // namespace
}  // namespace touche::report
