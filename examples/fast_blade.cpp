// SPDX-License-Identifier: Apache-2.0
// A blade turns five times, past a thin card. Testing single poses misses the contact unless one of
// them happens to hit; the time of impact is found at any speed.
#include <touche/touche.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

touche::Object box(const touche::Vec3& half, const char* name) {
  std::array<double, 24> coordinates{};
  for (std::size_t v = 0; v < 8; ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      coordinates[3 * v + k] =
          (v >> k & 1) ? half[static_cast<int>(k)] : -half[static_cast<int>(k)];
    }
  }
  const std::array<touche::Index, 24> corners = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                                 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  const std::array<touche::Index, 6> sizes = {4, 4, 4, 4, 4, 4};
  return touche::Object(touche::PolygonSoup(coordinates, corners, sizes), name);
}

}  // namespace

int main() {
  const touche::Object blade = box({100, 5, 1}, "blade");   // turns about its middle
  const touche::Object card = box({10, 0.05, 10}, "card");  // 0.1 mm thick
  const touche::Pose beside = touche::Pose::from_axis_angle(
      touche::Vec3::UnitZ(), 0.25, touche::Vec3(95 * std::cos(0.25), 95 * std::sin(0.25), 0));
  const touche::Motion spin = touche::Motion::screw({}, touche::Vec3::Zero(), touche::Vec3::UnitZ(),
                                                    10 * std::numbers::pi, 0);

  int hits = 0;
  const int samples = 20;
  for (int i = 0; i <= samples; ++i) {
    hits += touche::intersects(blade, spin.pose(1.0 * i / samples), card, beside) ? 1 : 0;
  }
  const touche::ToiResult first =
      touche::time_of_impact(blade, spin, card, touche::Motion::at(beside), {.tolerance = 1e-3});
  std::printf("%d sampled poses: %d touch\n", samples + 1, hits);
  std::printf("certified: %s, free until t = %.6f (%.2f degrees), touched at t = %.6f\n",
              name(first.status).data(), first.time.lower, first.time.lower * 1800,
              first.time.upper);
  const bool right = first.status == touche::ToiStatus::contact && first.time.lower * 1800 > 9 &&
                     first.time.upper * 1800 < 15;
  return right ? 0 : 1;
}
