// SPDX-License-Identifier: Apache-2.0
// touche_plane_bench [EDGES]: two wavy outlines at several distances, queried by touche::plane, by
// the same search over triangles without area (the alternative of decision 0021), and by
// Boost.Geometry, whose answers must be the same. Processor time of this thread, fastest of three
// runs.
#include <fmt/core.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/linestring.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/random.h"
#include "program.h"
#include "touche/plane.h"

namespace touche {
namespace {

namespace bg = boost::geometry;
using Line = bg::model::linestring<bg::model::d2::point_xy<double>>;
using plane::Vec2;

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// In microseconds.
template <class Ask>
double time_of(const Ask& ask) {
  double least = kInfinity;
  for (int run = 0; run < 3; ++run) {
    const double start = processor_time();
    int count = 0;
    while (count == 0 || processor_time() - start < 0.05) ask(), ++count;
    least = std::min(least, (processor_time() - start) / count);
  }
  return 1e6 * least;
}

/// About a circle of radius 1, no two edges in line.
plane::Outline wavy(Index edges, std::uint64_t seed) {
  base::Random random(seed);
  plane::Chain chain{{}, true, ""};
  for (Index k = 0; k < edges; ++k) {
    const double angle = 2 * std::numbers::pi * k / edges;
    const double r = 1 + 0.1 * std::sin(13 * angle) + 0.02 * std::sin(170 * angle) +
                     2.0 / edges * random.uniform(-1, 1);
    chain.points.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return plane::Outline(std::vector{chain});
}

/// Edges as triangles p, q, q.
Object without_area(const plane::Outline& outline) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const Vec2& p : outline.vertices())
    coordinates.insert(coordinates.end(), {p.x(), p.y(), 0.0});
  for (Index e = 0; e < outline.edge_count(); ++e)
    corners.insert(corners.end(), {outline.edge(e)[0], outline.edge(e)[1], outline.edge(e)[1]});
  return Object(PolygonSoup(coordinates, corners));
}

Line boost_line(const plane::Outline& outline, const plane::Pose& pose) {
  Line line;
  for (const Vec2& p : outline.vertices()) line.emplace_back((pose * p).x(), (pose * p).y());
  line.push_back(line.front());
  return line;
}

void require(bool same, const char* what) {
  if (same) return;
  fmt::print("{}: answers differ\n", what);
  std::exit(1);
}

int measure(Index edges) {
  const plane::Outline outline_a = wavy(edges, 1), outline_b = wavy(edges, 2);
  const plane::Object a(outline_a), b(outline_b);
  const Object flat_a = without_area(outline_a), flat_b = without_area(outline_b);
  fmt::print("{} edges each; µs\n{:>5}{:>8}|{:>24}{:>9}|{:>24}{:>9}|{:>15}{:>9}\n", edges, "apart",
             "", "intersects", "Boost", "distance", "Boost", "time of impact", "no area");
  for (const double away : {1.9, 2.2, 2.21, 2.3, 3.0}) {
    const plane::Pose pose(0.3, {away, 0.1});
    const Line line_a = boost_line(outline_a, {}), line_b = boost_line(outline_b, pose);
    bool met = false, boost_met = false, found = false;
    double apart = 0, boost_apart = 0;
    const double t_met = time_of([&] { met = intersects(a, {}, b, pose).intersects; });
    const double t_flat_met =
        time_of([&] { found = intersects(flat_a, {}, flat_b, pose.in_space()).intersects; });
    const double t_boost_met = time_of([&] { boost_met = bg::intersects(line_a, line_b); });
    require(met == boost_met && met == found, "intersects");
    const double t_apart = time_of([&] { apart = distance(a, {}, b, pose).distance.upper; });
    const double t_flat_apart =
        time_of([&] { (void)distance(flat_a, {}, flat_b, pose.in_space()); });
    const double t_boost_apart = time_of([&] { boost_apart = bg::distance(line_a, line_b); });
    require(std::abs(apart - boost_apart) < 1e-12, "distance");
    const plane::Motion motion =
        plane::Motion::turning(plane::Pose(), 1.5, {0, 0}, {away - 1.9, 0});
    const plane::Motion still = plane::Motion::at(pose);
    const ToiOptions options{.tolerance = 1e-7};
    ToiStatus status{}, flat_status{};
    const double t_toi =
        time_of([&] { status = time_of_impact(a, motion, b, still, options).status; });
    const double t_flat_toi = time_of([&] {
      flat_status =
          time_of_impact(flat_a, motion.in_space(), flat_b, still.in_space(), options).status;
    });
    require(status == flat_status, "time of impact");
    fmt::print(
        "{:13.4f}|{:8.2f} (no area{:7.2f}){:9.1f}|{:8.2f} (no "
        "area{:7.2f}){:9.0f}|{:15.1f}{:9.1f}\n",
        apart, t_met, t_flat_met, t_boost_met, t_apart, t_flat_apart, t_boost_apart, t_toi,
        t_flat_toi);
  }
  const plane::Region region(a);
  base::Random random(3);
  int inside = 0;
  const double t_place = time_of([&] {
    for (int k = 0; k < 1000; ++k)
      inside += region.place({random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)}) ==
                plane::Place::inside;
  });
  fmt::print("where a point lies: {:.3f} µs ({})\n", t_place / 1000, inside > 0 ? "some" : "none");
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Outlines of the plane: whether they meet, how far apart they are and when they meet, "
      "against "
      "triangles without area and Boost.Geometry."};
  Index edges = 20000;
  app.add_option("edges", edges, "Of each of the two outlines")
      ->check(CLI::Range(3, 10'000'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return measure(edges);
}

}  // namespace
}  // namespace touche

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_plane_bench", touche::run, argc, argv);
}
