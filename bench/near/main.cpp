// SPDX-License-Identifier: Apache-2.0
// Measures the cost of contact geometry: near_faces against contacts for about the same number of
// pairs, near_features of parts that a hand moves and of hulls that rest on each other, and the
// manifolds of both. Each row is first checked against the slow reference implementation if that
// ends in reasonable time. Minimum of several runs, in processor time of the one thread.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "program.h"
#include "scenes.h"
#include "touche/manifold.h"
#include "touche/near_faces.h"
#include "touche/reference.h"

namespace touche::bench {
namespace {

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Microseconds: the minimum of ten runs of a tenth of a second each, or of one call each.
template <class Ask>
double microseconds(const Ask& ask) {
  const double first = thread_seconds();
  ask();
  const int count = std::max(1, static_cast<int>(0.1 / (thread_seconds() - first + 1e-7)));
  double least = kInfinity;
  for (int run = 0; run < 10; ++run) {
    const double start = thread_seconds();
    for (int i = 0; i < count; ++i) ask();
    least = std::min(least, 1e6 * (thread_seconds() - start) / count);
  }
  return least;
}

void row(const char* name, double time, std::size_t pairs, const QueryStats& stats) {
  fmt::print("{:44} {:10.2f} us {:8} pairs {:8} triangles {:8} nodes\n", name, time, pairs,
             stats.primitive_tests, stats.node_pairs);
}

void check(const NearResult& fast, const NearResult& slow) {
  if (fast.contacts.size() == slow.contacts.size()) return;
  fmt::print("wrong: {} instead of {} pairs\n", fast.contacts.size(), slow.contacts.size());
  std::exit(1);
}

// Lists as many pairs within the margin of balls that are apart as intersect where they overlap.
void faces_and_contacts() {
  const Object a(scenes::bumpy_sphere(20000, 1)), b(scenes::bumpy_sphere(20000, 2));
  Workspace workspace;
  const Pose overlapping = Pose::from_translation({1.5, 0.1, 0.2});
  const ContactsResult where = contacts(a, {}, b, overlapping, {.workspace = &workspace});
  row("contacts of balls that overlap",
      microseconds([&] { (void)contacts(a, {}, b, overlapping, {.workspace = &workspace}); }),
      where.contacts.size(), where.stats);

  NearResult near;
  const Pose apart = Pose::from_translation({2.2, 0.1, 0.2});
  const double gap = distance(a, {}, b, apart, {}).distance.upper;
  double margin = gap;
  do {
    margin *= 1.02;
    near_faces(a, {}, b, apart, {.max_distance = margin, .workspace = &workspace}, near);
  } while (near.contacts.size() < where.contacts.size());
  row("near_faces of balls that are apart", microseconds([&] {
        near_faces(a, {}, b, apart, {.max_distance = margin, .workspace = &workspace}, near);
      }),
      near.contacts.size(), near.stats);
  near_faces(a, {}, b, overlapping, {.max_distance = 0, .workspace = &workspace}, near);
  row("near_faces without margin, that overlap", microseconds([&] {
        near_faces(a, {}, b, overlapping, {.max_distance = 0, .workspace = &workspace}, near);
      }),
      near.contacts.size(), near.stats);
}

void features(const char* name, const Object& a, const Object& b, const Pose& pose,
              const NearOptions& asked, bool checked) {
  Workspace workspace;
  NearOptions options = asked;
  options.workspace = &workspace;
  NearResult near;
  near_features(a, {}, b, pose, options, near);
  if (checked) check(near, brute_force::near_features(a, {}, b, pose, options));
  row(name, microseconds([&] { near_features(a, {}, b, pose, options, near); }),
      near.contacts.size(), near.stats);
  Manifold manifold;
  const auto update = [&] {
    manifold.update(near.contacts, {.error = 0.1, .reach = options.max_distance});
  };
  update();
  const double time = microseconds(update);
  fmt::print("{:44} {:10.2f} us {:8} kept\n", "  its manifold, from one moment to the next", time,
             manifold.contacts().size());
}

void nut_on_its_bolt() {
  const scenes::Scene scene = scenes::nut_and_bolt({});
  const Object bolt(placed(scene.parts[0])), nut(placed(scene.parts[1]));
  const Pose pose = Pose::from_translation({0.05, 0, 0});
  features("nut on bolt, margin 0.15, turn 0.02", bolt, nut, pose, {.max_distance = 0.15}, false);
  features("nut on bolt, margin 0.15, turn 0", bolt, nut, pose, {.max_distance = 0.15, .turn = 0},
           false);
  features("nut on bolt, margin 0.09, turn 0.02", bolt, nut, pose, {.max_distance = 0.09}, false);
}

void resting_hulls() {
  const Object hull(scenes::sphere(0.5, 80));
  const Vec3 up = Vec3(0.2, 0.1, 0.95);
  Pose pose = Pose::from_axis_angle({0.3, 0.2, 1}, 0.5, up);
  const double gap = distance(hull, {}, hull, pose).distance.upper;
  pose = Pose::from_axis_angle({0.3, 0.2, 1}, 0.5, up - (gap - 0.001) * up.normalized());
  Workspace workspace;
  const double meet = microseconds([&] { (void)intersects(hull, {}, hull, pose, {}, &workspace); });
  fmt::print("{:44} {:10.2f} us\n", "hulls that rest: intersects, to compare", meet);
  features("hulls that rest, margin 0.005", hull, hull, pose, {.max_distance = 0.005}, true);
  features("hulls that rest, margin 0.05", hull, hull, pose, {.max_distance = 0.05}, true);
  const Object box(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  features("boxes that rest, margin 0.05", box, box, Pose::from_translation({0.3, 0.2, 1.001}),
           {.max_distance = 0.05}, true);
}

int run(int argc, char** argv) {
  CLI::App app{
      "Contact geometry: near faces and features, and the manifolds of what is near, in processor "
      "time of the one thread."};
  CLI11_PARSE(app, argc, argv);
  faces_and_contacts();
  nut_on_its_bolt();
  resting_hulls();
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_near_bench", touche::bench::run, argc, argv);
}
