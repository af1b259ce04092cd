// SPDX-License-Identifier: Apache-2.0
// The time that steps reserve for their end: late steps raise it, unused time is given back.
#include "world/end_reserve.h"

#include <gtest/gtest.h>

namespace touche::end_reserve_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Duration = world::EndReserve::Duration;

// A step with so much time whose pairs use up all that they get, and whose end takes so long.
// Returns by how much it is late.
Duration step(world::EndReserve& reserve, Duration time, Duration end) {
  const Duration late = end - reserve.keep(time);
  reserve.learn(late, true);
  return late;
}

TEST(EndReserve, TheSecondStepIsInTime) {
  world::EndReserve reserve;
  EXPECT_EQ(step(reserve, milliseconds(8), microseconds(300)), microseconds(300));
  for (int i = 0; i < 100; ++i)
    EXPECT_LE(step(reserve, milliseconds(8), microseconds(300)), Duration{0}) << i;
}

TEST(EndReserve, OneStepTeachesAMillisecondAtMost) {
  world::EndReserve reserve;
  EXPECT_EQ(step(reserve, milliseconds(16), milliseconds(50)), milliseconds(50));
  EXPECT_EQ(reserve.keep(milliseconds(16)), milliseconds(1));
  EXPECT_EQ(step(reserve, milliseconds(16), milliseconds(3)), milliseconds(2));
  EXPECT_EQ(reserve.keep(milliseconds(16)), milliseconds(2));
}

TEST(EndReserve, LeavesHalfOfTheTimeToThePairs) {
  world::EndReserve reserve;
  for (int i = 0; i < 20; ++i) step(reserve, milliseconds(100), milliseconds(10));
  EXPECT_GE(reserve.keep(milliseconds(100)), milliseconds(9));
  EXPECT_EQ(reserve.keep(milliseconds(4)), milliseconds(2));
  EXPECT_EQ(reserve.keep(Duration{0}), Duration{0});
}

TEST(EndReserve, GivesBackWhatIsKeptInVain) {
  world::EndReserve reserve;
  step(reserve, milliseconds(8), microseconds(900));
  Duration before = reserve.keep(milliseconds(8));
  for (int i = 0; i < 300; ++i) {
    step(reserve, milliseconds(8), microseconds(100));
    const Duration now = reserve.keep(milliseconds(8));
    EXPECT_LE(now, before) << i;
    EXPECT_GE(now, microseconds(99)) << i;
    before = now;
  }
  EXPECT_LT(before, microseconds(110));
}

// A step whose pairs were all decided says nothing about how long its end takes when time is short.
TEST(EndReserve, LearnsNothingFromStepsThatHadTimeToSpare) {
  world::EndReserve reserve;
  step(reserve, milliseconds(8), microseconds(400));
  for (int i = 0; i < 100; ++i) {
    reserve.keep(milliseconds(8));
    reserve.learn(-milliseconds(5), false);
  }
  EXPECT_EQ(reserve.keep(milliseconds(8)), microseconds(400));
}

}  // namespace
}  // namespace touche::end_reserve_test
