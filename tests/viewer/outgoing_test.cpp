// SPDX-License-Identifier: Apache-2.0
// Tests what waits for a client that is late, and how much a client may send.
#include "viewer/outgoing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "viewer/rate_limit.h"

namespace touche::viewer::outgoing_test {
namespace {

Bytes message(char kind, std::size_t size, char content = 0) {
  std::vector<std::byte> bytes(size, std::byte(content));
  if (size > 0) bytes.front() = std::byte(kind);
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

TEST(ViewerOutgoing, TheLatestTakesThePlaceOfTheOneThatWaits) {
  Outgoing outgoing(1000);
  const Bytes first = message(1, 10), reliable = message(1, 10), second = message(1, 10),
              other = message(2, 10);
  EXPECT_TRUE(outgoing.add(first, Delivery::latest));
  EXPECT_TRUE(outgoing.add(reliable, Delivery::reliable));
  EXPECT_TRUE(outgoing.add(other, Delivery::latest));
  EXPECT_TRUE(outgoing.add(second, Delivery::latest));
  EXPECT_EQ(outgoing.replaced(), 1u);
  EXPECT_EQ(outgoing.take(), second);
  EXPECT_EQ(outgoing.take(), reliable);
  EXPECT_TRUE(outgoing.add(first, Delivery::latest));  // none waits any more
  EXPECT_EQ(outgoing.take(), other);
  EXPECT_EQ(outgoing.take(), first);
  EXPECT_EQ(outgoing.take(), nullptr);
  EXPECT_TRUE(outgoing.add(message(1, 0), Delivery::latest));
  EXPECT_TRUE(outgoing.add(nullptr, Delivery::reliable));
  EXPECT_TRUE(outgoing.empty());
}

TEST(ViewerOutgoing, OnlySoMuchWaits) {
  Outgoing outgoing(10000);
  int added = 0;
  while (outgoing.add(message(1, 1000), Delivery::reliable)) ++added;
  EXPECT_EQ(added, 9);  // each costs a little more than its bytes
  EXPECT_LE(outgoing.waiting_bytes(), 10000u);
  for (int i = 0; i < 100000; ++i)
    EXPECT_TRUE(outgoing.add(message(static_cast<char>(i), 1000), Delivery::latest));
  int taken = 0;
  while (outgoing.take() != nullptr) ++taken;
  EXPECT_EQ(taken, 9 + 256);
  EXPECT_EQ(outgoing.waiting_bytes(), 0u);
  // Many small ones count, too.
  added = 0;
  while (outgoing.add(message(1, 1), Delivery::reliable)) ++added;
  EXPECT_LT(added, 200);
}

// Against an obvious reference implementation: a list that is searched for the message to replace.
TEST(ViewerOutgoing, IsWhatAListWouldBe) {
  base::Random random(1);
  Outgoing outgoing(1 << 20);
  std::vector<std::pair<Bytes, Delivery>> list;
  int replaced = 0;
  for (int i = 0; i < 20000; ++i) {
    if (random.below(100) < 45) {
      const Bytes expected = list.empty() ? nullptr : list.front().first;
      if (!list.empty()) list.erase(list.begin());
      ASSERT_EQ(outgoing.take(), expected);
      continue;
    }
    const Bytes bytes = message(static_cast<char>(random.below(5)), 1 + random.below(20));
    const Delivery delivery = random.below(2) == 0 ? Delivery::latest : Delivery::reliable;
    ASSERT_TRUE(outgoing.add(bytes, delivery));
    const auto same = std::find_if(list.begin(), list.end(), [&](const auto& item) {
      return delivery == Delivery::latest && item.second == Delivery::latest &&
             item.first->front() == bytes->front();
    });
    if (same != list.end()) {
      same->first = bytes;
      ++replaced;
    } else {
      list.emplace_back(bytes, delivery);
    }
  }
  EXPECT_GT(replaced, 1000);
  EXPECT_EQ(outgoing.replaced(), static_cast<std::uint64_t>(replaced));
}

TEST(ViewerRateLimit, LetsSoMuchPass) {
  using namespace std::chrono_literals;
  RateLimit::Time now{};
  RateLimit limit(100, 20, now);
  const auto passed = [&](int tried) {
    int count = 0;
    for (int i = 0; i < tried; ++i) count += limit.take(1, now) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(passed(1000), 20);  // at once
  now += 100ms;
  EXPECT_EQ(passed(1000), 10);
  now += 1h;
  EXPECT_EQ(passed(1000), 20);  // pauses are not saved up
  int total = 0;
  for (int i = 0; i < 1000; ++i) {
    now += 1ms;
    total += passed(1);
  }
  EXPECT_NEAR(total, 100, 1);
  EXPECT_FALSE(limit.take(21, now + 1h));
}

}  // namespace
}  // namespace touche::viewer::outgoing_test
