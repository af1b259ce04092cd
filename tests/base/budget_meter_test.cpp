// SPDX-License-Identifier: Apache-2.0
#include "base/budget_meter.h"

#include <gtest/gtest.h>

#include "progress_record.h"
#include "requested_cancel.h"

namespace touche {
namespace {

TEST(BudgetMeter, AllowsJustTheWorkThereIs) {
  for (const std::uint64_t most : {0u, 1u, 255u, 256u, 257u, 1000u}) {
    const Budget budget{.max_work = most};
    base::BudgetMeter meter(budget);
    std::uint64_t done = 0;
    while (meter.spend()) ++done;
    EXPECT_EQ(done, most);
    EXPECT_TRUE(meter.exhausted());
    EXPECT_FALSE(meter.spend());
    EXPECT_EQ(meter.rest().max_work, 0u);
  }
}

TEST(BudgetMeter, CountsPiecesOfWorkTogether) {
  const Budget budget{.max_work = 1000};
  base::BudgetMeter meter(budget);
  EXPECT_TRUE(meter.spend(600));
  EXPECT_EQ(meter.rest().max_work, 400u);
  EXPECT_TRUE(meter.spend(400));
  EXPECT_FALSE(meter.exhausted());
  EXPECT_FALSE(meter.spend(1));
  EXPECT_EQ(meter.work(), 1001u);
}

TEST(BudgetMeter, WithoutALimitOfWorkThereIsAlwaysSomeLeft) {
  const Budget budget;
  base::BudgetMeter meter(budget);
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(meter.spend(1000));
  EXPECT_EQ(meter.rest().max_work, Budget::kUnlimited);
}

// The flag and the clock are checked first, and then once in 256 units of work.
TEST(BudgetMeter, SeesTheFlagAndTheDeadlineSoon) {
  const Cancel cancel;
  const Budget budget{.cancel = cancel};
  base::BudgetMeter meter(budget);
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(meter.spend());
  cancel.request();
  int more = 0;
  while (meter.spend() && more < 10000) ++more;
  EXPECT_LE(more, 256);
  EXPECT_FALSE(base::BudgetMeter(budget).spend());

  const Budget over{.deadline = Budget::Clock::now() - std::chrono::seconds(1)};
  EXPECT_FALSE(base::BudgetMeter(over).spend());
}

TEST(BudgetMeter, PartsMayHaveAnyWorkButNoMoreTime) {
  const Cancel cancel = test::requested();
  test::ProgressRecord progress;
  const Budget part =
      base::with_any_work({.max_work = 1, .cancel = cancel, .progress = progress.function()});
  EXPECT_EQ(part.max_work, Budget::kUnlimited);
  EXPECT_FALSE(part.progress);
  EXPECT_TRUE(part.cancel.requested());
  EXPECT_FALSE(base::BudgetMeter(part).spend());
}

}  // namespace
}  // namespace touche
