// SPDX-License-Identifier: Apache-2.0
// Records what a query reports of its progress, and tests what is promised of all reports.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>

#include "touche/budget.h"

namespace touche::test {

/// For one query, which the thread calls that makes it.
struct ProgressRecord {
  std::size_t done = 0, total = 0, calls = 0;

  /// The record must outlive the query.
  ProgressFunction function() {
    return [this](std::size_t done_now, std::size_t total_now) {
      EXPECT_EQ(std::this_thread::get_id(), thread_);
      EXPECT_GE(done_now, done);
      EXPECT_GE(total_now, total);
      EXPECT_LE(done_now, total_now);
      done = done_now;
      total = total_now;
      ++calls;
    };
  }

 private:
  const std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace touche::test
