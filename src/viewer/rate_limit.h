// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace touche::viewer {

/// Lets pass so much a second on average, and so much at once.
class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  RateLimit(double per_second, double at_once, Time now)
      : per_second_(per_second), at_once_(at_once), left_(at_once), last_(now) {}

  /// False means too much. A refused amount does not count. `now` never goes back.
  bool take(double amount, Time now) {
    const double seconds = std::chrono::duration<double>(now - last_).count();
    left_ = std::min(at_once_, left_ + seconds * per_second_);
    last_ = now;
    if (amount > left_) return false;
    left_ -= amount;
    return true;
  }

 private:
  double per_second_, at_once_, left_;
  Time last_;
};

}  // namespace touche::viewer
