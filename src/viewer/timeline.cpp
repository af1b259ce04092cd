// SPDX-License-Identifier: Apache-2.0
#include "viewer/timeline.h"

#include <algorithm>

namespace touche::viewer {

double Timeline::advanced(double value, int count) const {
  if (keys.empty()) return value;
  const auto last = static_cast<std::int64_t>(keys.size()) - 1;
  const auto after = std::upper_bound(keys.begin(), keys.end(), value) - keys.begin();
  const auto at_or_after = std::lower_bound(keys.begin(), keys.end(), value) - keys.begin();
  // Forwards from the key at or before, backwards from that at or after.
  const std::int64_t from = count >= 0 ? after - 1 : at_or_after;
  return keys[static_cast<std::size_t>(std::clamp<std::int64_t>(from + count, 0, last))];
}

void PlayState::go_on(const Timeline& timeline, double seconds) {
  if (speed == 0 || timeline.empty()) return;
  value += speed * seconds * (timeline.end - timeline.start) / timeline.duration;
  if (value > timeline.start && value < timeline.end) return;
  value = std::clamp(value, timeline.start, timeline.end);
  speed = 0;
}

}  // namespace touche::viewer
