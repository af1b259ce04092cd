// SPDX-License-Identifier: Apache-2.0
// Convex hulls at many poses in several libraries: whether they intersect, their distance and their
// depth. First every answer is judged: the ones of Touché against all planes that could separate
// two polytopes (faces of either, pairs of edges), the ones of the others against Touché's proved
// brackets. Then they are timed, in processor time of the one thread; the runs of all libraries for
// one query alternate, so that disturbances affect all of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>

#include "base/random.h"
#include "convex/growing_hull.h"
#include "driver.h"
#include "program.h"
#include "touche/shape.h"

namespace touche::bench {
namespace {

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Vec3 vec(const std::array<double, 3>& p) { return {p[0], p[1], p[2]}; }

/// Returns the triangles of the hull of corners that are all extreme.
std::vector<std::array<int, 3>> triangles_of(const std::vector<Vec3>& corners) {
  convex::GrowingHull hull;
  std::vector<int> number = {0, 1, 2, 3};
  if (!hull.start(corners[0], corners[1], corners[2], corners[3])) std::abort();
  for (int i = 0; i < 4; ++i)  // it may have exchanged two
    number[static_cast<std::size_t>(i)] = static_cast<int>(
        std::ranges::find(corners, hull.points()[static_cast<std::size_t>(i)]) - corners.begin());
  for (std::size_t i = 4; i < corners.size(); ++i)
    for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
      if (hull.faces()[f].alive && hull.sees(corners[i], f)) {
        hull.grow(corners[i], f);
        number.push_back(static_cast<int>(i));
        break;
      }
  std::vector<std::array<int, 3>> triangles;
  for (const auto& f : hull.faces())
    if (f.alive)
      triangles.push_back({number[f.corner[0]], number[f.corner[1]], number[f.corner[2]]});
  return triangles;
}

/// Corners on an ellipsoid, no two alike.
HullData random_hull(base::Random& random, int corners) {
  const Vec3 size(random.uniform(0.6, 1), random.uniform(0.6, 1), random.uniform(0.6, 1));
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) points.push_back(size.cwiseProduct(random.direction()));
  HullData hull;
  for (const Vec3& p : points) hull.corners.push_back({p.x(), p.y(), p.z()});
  hull.triangles = triangles_of(points);
  return hull;
}

PlaceData place_of(const Pose& pose) {
  PlaceData p;
  const Mat3 r = pose.matrix();
  for (int i = 0; i < 9; ++i) p.rotation[static_cast<std::size_t>(i)] = r(i / 3, i % 3);
  const Eigen::Quaterniond q = pose.rotation();
  p.quaternion = {q.w(), q.x(), q.y(), q.z()};
  p.translation = {pose.translation().x(), pose.translation().y(), pose.translation().z()};
  return p;
}

Pose pose_of(const ShapeCase& c) {
  const auto& q = c.place.quaternion;
  return Pose::from_quaternion_unchecked(q[0], q[1], q[2], q[3], vec(c.place.translation));
}

/// The least width of the difference over all planes that can be its faces: the planes of faces of
/// either hull, and of pairs of edges that are farthest along one direction, each in its hull. A
/// positive value is the depth, a negative one a lower bound of the distance.
class AllPlanes {
 public:
  explicit AllPlanes(const std::vector<HullData>& hulls) : hulls_(hulls) {}

  double least_overlap(const ShapeCase& c) const {
    const Posed a(hulls_[static_cast<std::size_t>(c.a)], Pose()),
        b(hulls_[static_cast<std::size_t>(c.b)], pose_of(c));
    double least = kInfinity;
    const auto look = [&](const Vec3& n) {
      const double length = n.norm();
      if (length < 1e-12) return;
      double most_a = -kInfinity, least_b = kInfinity;
      for (const Vec3& p : a.corners) most_a = std::max(most_a, n.dot(p) / length);
      for (const Vec3& p : b.corners) least_b = std::min(least_b, n.dot(p) / length);
      least = std::min(least, most_a - least_b);
    };
    for (const Edge& e : a.edges) look(e.left), look(e.right);
    for (const Edge& f : b.edges) look(-f.left), look(-f.right);
    for (const Edge& e : a.edges)
      for (const Edge& f : b.edges)
        // The arcs of their normals cross, or nearly do.
        if (f.left.dot(e.along) * f.right.dot(e.along) < 1e-9 &&
            e.left.dot(f.along) * e.right.dot(f.along) < 1e-9) {
          look(e.along.cross(f.along));
          look(f.along.cross(e.along));
        }
    return least;
  }

 private:
  struct Edge {
    Vec3 along, left, right;  // and the normals of its faces
  };
  struct Posed {
    std::vector<Vec3> corners;
    std::vector<Edge> edges;
    Posed(const HullData& hull, const Pose& pose) {
      for (const auto& p : hull.corners) corners.push_back(pose * vec(p));
      std::map<std::pair<int, int>, Vec3> normal_left_of;
      for (const auto& t : hull.triangles) {
        const auto at = [&](std::size_t k) { return corners[static_cast<std::size_t>(t[k])]; };
        const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
        for (std::size_t k = 0; k < 3; ++k) normal_left_of[{t[k], t[(k + 1) % 3]}] = n;
      }
      for (const auto& [ends, normal] : normal_left_of)
        if (ends.first < ends.second)
          edges.push_back({corners[static_cast<std::size_t>(ends.second)] -
                               corners[static_cast<std::size_t>(ends.first)],
                           normal, normal_left_of.at({ends.second, ends.first})});
    }
  };
  const std::vector<HullData>& hulls_;
};

struct Truth {
  Bracket distance, depth;
  bool meets;
};

std::vector<Truth> judged_truth(const std::vector<HullData>& hulls,
                                const std::vector<ShapeCase>& cases) {
  std::vector<Shape> shapes;
  for (const HullData& h : hulls) {
    std::vector<Vec3> points;
    for (const auto& c : h.corners) points.push_back(vec(c));
    shapes.push_back(Shape::hull(points));
  }
  const AllPlanes all(hulls);
  std::vector<Truth> truth;
  double widest = 0;
  int wrong = 0;
  for (const ShapeCase& c : cases) {
    const Shape &a = shapes[static_cast<std::size_t>(c.a)],
                &b = shapes[static_cast<std::size_t>(c.b)];
    const Pose pose = pose_of(c);
    const Truth t = {distance(a, {}, b, pose).distance, depth(a, {}, b, pose).depth,
                     intersects(a, {}, b, pose).intersects};
    const double overlap = all.least_overlap(c);
    const bool right =
        t.meets == (overlap >= 0) && t.meets == (t.distance.upper == 0) &&
        (overlap < 0 ? t.depth.upper == 0 && t.distance.upper >= -overlap - 1e-12
                     : t.depth.lower <= overlap + 1e-12 && t.depth.upper >= overlap - 1e-12);
    wrong += !right;
    widest = std::max({widest, t.distance.upper - t.distance.lower, t.depth.upper - t.depth.lower});
    truth.push_back(t);
  }
  fmt::print("touche against all planes: {} of {} wrong, widest bracket {:.1e}\n", wrong,
             cases.size(), widest);
  if (wrong > 0) std::exit(1);
  return truth;
}

void judge(ShapeDriver& driver, const std::vector<ShapeCase>& cases,
           const std::vector<Truth>& truth) {
  constexpr double kSlack = 1e-5;  // of sizes of about one: single precision may pass, too
  int meets = 0, distances = 0, depths = 0;
  double worst_distance = 0, worst_depth = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Truth& t = truth[i];
    if (driver.intersects(cases[i]) != t.meets) ++meets;
    const auto off = [](double x, const Bracket& b) { return std::max(b.lower - x, x - b.upper); };
    if (const double by = off(driver.distance(cases[i]), t.distance); by > kSlack)
      ++distances, worst_distance = std::max(worst_distance, by);
    if (const double by = off(driver.depth(cases[i]), t.depth); by > kSlack)
      ++depths, worst_depth = std::max(worst_depth, by);
  }
  fmt::print(
      "{:16} wrong of {}: intersects {}, distance {} (by up to {:.1e}), depth {} (by up to "
      "{:.1e})\n",
      driver.name(), cases.size(), meets, distances, worst_distance, depths, worst_depth);
}

using Question = std::function<void(ShapeDriver&, const ShapeCase&)>;

void time(const char* what, const std::vector<std::unique_ptr<ShapeDriver>>& drivers,
          const std::vector<ShapeCase>& cases, const Question& ask) {
  std::vector<double> least(drivers.size(), kInfinity);
  for (int pass = 0; pass < 15; ++pass)
    for (std::size_t d = 0; d < drivers.size(); ++d) {
      const double start = thread_seconds();
      for (const ShapeCase& c : cases) ask(*drivers[d], c);
      least[d] = std::min(least[d], thread_seconds() - start);
    }
  for (std::size_t d = 0; d < drivers.size(); ++d) {
    const double each = 1e6 * least[d] / static_cast<double>(cases.size());
    fmt::print("{:12} {:16} {:8.3f} us, {:.1f} times touche's\n", what, drivers[d]->name(), each,
               least[d] / least[0]);
  }
}

/// One pair of hulls at many poses, in one call.
struct PairAtPoses {
  Shape a, b;
  std::vector<Pose> all, apart, meeting;
};

/// Answers of one call, judged as single ones are.
void judge(const PairAtPoses& pair, const std::vector<HullData>& hulls,
           const std::vector<ShapeCase>& cases) {
  const AllPlanes planes(hulls);
  const auto meet = intersects_at(pair.a, {}, pair.b, pair.all);
  const auto far = distances_at(pair.a, {}, pair.b, pair.all);
  const auto deep = depths_at(pair.a, {}, pair.b, pair.all);
  int wrong = 0;
  double widest = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Bracket &d = far.answers[i].distance, &p = deep.answers[i].depth;
    const double overlap = planes.least_overlap(cases[i]);
    const bool meets = meet.answers[i].intersects;
    const bool right = meets == (overlap >= 0) && meets == (d.upper == 0) &&
                       (overlap < 0 ? p.upper == 0 && d.upper >= -overlap - 1e-12
                                    : p.lower <= overlap + 1e-12 && p.upper >= overlap - 1e-12) &&
                       d.lower <= distance(pair.a, {}, pair.b, pair.all[i]).distance.upper;
    wrong += !right;
    widest = std::max({widest, d.upper - d.lower, p.upper - p.lower});
  }
  fmt::print("touche at many poses: {} of {} wrong, widest bracket {:.1e}\n", wrong, cases.size(),
             widest);
  if (wrong > 0) std::exit(1);
}

/// `alone` and `together` take turns.
template <class Alone, class Together>
void time_poses(const char* what, const std::vector<PairAtPoses>& pairs,
                std::vector<Pose> PairAtPoses::*poses, const Alone& alone,
                const Together& together) {
  double least_alone = kInfinity, least_together = kInfinity, count = 0;
  for (const PairAtPoses& pair : pairs) count += static_cast<double>((pair.*poses).size());
  for (int pass = 0; pass < 15; ++pass) {
    const double start = thread_seconds();
    for (const PairAtPoses& pair : pairs)
      for (const Pose& pose : pair.*poses) alone(pair, pose);
    const double middle = thread_seconds();
    for (const PairAtPoses& pair : pairs) together(pair, pair.*poses);
    least_alone = std::min(least_alone, middle - start);
    least_together = std::min(least_together, thread_seconds() - middle);
  }
  fmt::print("{:12} alone {:8.3f} us, at many poses {:8.3f} us\n", what, 1e6 * least_alone / count,
             1e6 * least_together / count);
}

/// Pairs of hulls at `count` poses each, queried alone and in one call, in one thread.
void run_at_poses(int corners, int count) {
  base::Random random(41);
  std::vector<PairAtPoses> pairs;
  for (int k = 0; k < 4; ++k) {
    const std::vector<HullData> hulls = {random_hull(random, corners),
                                         random_hull(random, corners)};
    const auto shape = [&](std::size_t i) {
      std::vector<Vec3> points;
      for (const auto& c : hulls[i].corners) points.push_back(vec(c));
      return Shape::hull(points);
    };
    PairAtPoses pair{shape(0), shape(1), {}, {}, {}};
    std::vector<ShapeCase> cases;
    for (int i = 0; i < count; ++i) {
      const Vec3 axis = random.direction(), at = random.in_box(1.25);
      cases.push_back({0, 1, place_of(Pose::from_axis_angle(axis, random.uniform(0, 3), at))});
      const Pose pose = pose_of(cases.back());
      pair.all.push_back(pose);
      (intersects(pair.a, {}, pair.b, pose).intersects ? pair.meeting : pair.apart).push_back(pose);
    }
    judge(pair, hulls, cases);
    pairs.push_back(std::move(pair));
  }
  const BatchOptions one{.threads = 1};
  time_poses(
      "intersects", pairs, &PairAtPoses::all,
      [](const auto& p, const Pose& b) { (void)intersects(p.a, {}, p.b, b); },
      [&](const auto& p, const auto& all) { (void)intersects_at(p.a, {}, p.b, all, one); });
  time_poses(
      "distance", pairs, &PairAtPoses::apart,
      [](const auto& p, const Pose& b) { (void)distance(p.a, {}, p.b, b); },
      [&](const auto& p, const auto& all) { (void)distances_at(p.a, {}, p.b, all, {}, one); });
  time_poses(
      "depth", pairs, &PairAtPoses::meeting,
      [](const auto& p, const Pose& b) { (void)depth(p.a, {}, p.b, b); },
      [&](const auto& p, const auto& all) { (void)depths_at(p.a, {}, p.b, all, {}, one); });
  time_poses(
      "depth of all", pairs, &PairAtPoses::all,
      [](const auto& p, const Pose& b) { (void)depth(p.a, {}, p.b, b); },
      [&](const auto& p, const auto& all) { (void)depths_at(p.a, {}, p.b, all, {}, one); });
}

void run(int corners, int count) {
  base::Random random(40);
  std::vector<HullData> hulls;
  for (int i = 0; i < 20; ++i) hulls.push_back(random_hull(random, corners));
  std::vector<ShapeCase> cases, meeting;
  for (int i = 0; i < count; ++i) {
    const int a = static_cast<int>(random.below(20)), b = static_cast<int>(random.below(20));
    const Vec3 axis = random.direction(), at = random.in_box(1.25);
    cases.push_back({a, b, place_of(Pose::from_axis_angle(axis, random.uniform(0, 3), at))});
  }
  const std::vector<Truth> truth = judged_truth(hulls, cases);
  std::vector<ShapeCase> apart;
  for (std::size_t i = 0; i < cases.size(); ++i)
    (truth[i].meets ? meeting : apart).push_back(cases[i]);
  fmt::print("hulls of {} corners, {} poses, at {} of which they meet\n", corners, count,
             meeting.size());
  std::vector<std::unique_ptr<ShapeDriver>> drivers;
  drivers.push_back(touche_driver(hulls));
  drivers.push_back(fcl_driver(hulls, true));
  drivers.push_back(fcl_driver(hulls, false));
  drivers.push_back(bullet_driver(hulls));
  for (const auto& d : drivers) judge(*d, cases, truth);
  time("intersects", drivers, cases,
       [](ShapeDriver& d, const ShapeCase& c) { (void)d.intersects(c); });
  time("distance", drivers, apart, [](ShapeDriver& d, const ShapeCase& c) { (void)d.distance(c); });
  time("depth", drivers, meeting, [](ShapeDriver& d, const ShapeCase& c) { (void)d.depth(c); });
}

}  // namespace
}  // namespace touche::bench

/// Numbers of corners may be given.
namespace {

int run_all(int argc, char** argv) {
  using namespace touche::bench;
  CLI::App app{
      "Random hulls at many poses: whether they meet, how far they are apart and how deep in each "
      "other, beside other libraries. Every answer is judged."};
  std::vector<int> sizes;
  app.add_option("corners", sizes, "Of each hull (8, 40 and 200 by default)")
      ->check(CLI::Range(4, 4000));
  CLI11_PARSE(app, argc, argv);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const bool all = sizes.empty();
  if (all) sizes = {8, 40, 200};
  for (const int corners : sizes) {
    run(corners, corners > 100 && all ? 100 : 1000);
    run_at_poses(corners, corners > 64 ? 100 : 1000);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_shapes_bench", run_all, argc, argv);
}
