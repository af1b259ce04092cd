// SPDX-License-Identifier: Apache-2.0
// A hull of 40 corners against a soup of 20,000 triangles at many poses, near to each other:
// whether they intersect and their distance, compared with FCL, whose answers are judged first; and
// the time of impact of motions, for which FCL has no certified answer. Processor time of the one
// thread.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "base/random.h"
#include "convex/growing_hull.h"
#include "program.h"
#include "shapes.h"
#include "soup_peer.h"
#include "touche/shape.h"

namespace touche::bench {
namespace {

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::array<double, 3> numbers(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// Corners on a sphere, all of them extreme.
HullData random_hull(base::Random& random, int corners, double radius) {
  HullData hull;
  convex::GrowingHull growing;
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) points.push_back(radius * random.direction());
  if (!growing.start(points[0], points[1], points[2], points[3])) std::abort();
  for (std::size_t i = 4; i < points.size(); ++i)
    for (std::uint32_t f = 0; f < growing.faces().size(); ++f)
      if (growing.faces()[f].alive && growing.sees(points[i], f)) {
        growing.grow(points[i], f);
        break;
      }
  for (const Vec3& p : growing.points()) hull.corners.push_back(numbers(p));
  for (const auto& f : growing.faces())
    if (f.alive)
      hull.triangles.push_back({static_cast<int>(f.corner[0]), static_cast<int>(f.corner[1]),
                                static_cast<int>(f.corner[2])});
  return hull;
}

HullData data_of_soup(const PolygonSoup& soup) {
  HullData data;
  for (Index v = 0; v < soup.vertex_count(); ++v) data.corners.push_back(numbers(soup.vertex(v)));
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    const auto& [i, j, k] = soup.triangle(t);
    data.triangles.push_back({static_cast<int>(i), static_cast<int>(j), static_cast<int>(k)});
  }
  return data;
}

PlaceData place_of(const Pose& pose) {
  PlaceData p;
  const Mat3 r = pose.matrix();
  for (int i = 0; i < 9; ++i) p.rotation[static_cast<std::size_t>(i)] = r(i / 3, i % 3);
  const Eigen::Quaterniond q = pose.rotation();
  p.quaternion = {q.w(), q.x(), q.y(), q.z()};
  p.translation = numbers(pose.translation());
  return p;
}

struct Question {
  std::string name;
  std::function<void(std::size_t)> ask;
};

/// Passes alternate, so that what disturbs one disturbs all.
void time(const char* what, const std::vector<Question>& questions, std::size_t count) {
  std::vector<double> least(questions.size(), kInfinity);
  for (int pass = 0; pass < 15; ++pass)
    for (std::size_t q = 0; q < questions.size(); ++q) {
      const double start = thread_seconds();
      for (std::size_t i = 0; i < count; ++i) questions[q].ask(i);
      least[q] = std::min(least[q], thread_seconds() - start);
    }
  for (std::size_t q = 0; q < questions.size(); ++q)
    fmt::print("{:12} {:16} {:9.3f} us, {:.1f} times touche's\n", what, questions[q].name,
               1e6 * least[q] / static_cast<double>(count), least[q] / least[0]);
}

void run(std::size_t count) {
  base::Random random(1801);
  const Object object(scenes::bumpy_sphere(20000, 5));
  const HullData soup = data_of_soup(object.soup()), hull = random_hull(random, 40, 0.35);
  std::vector<Vec3> corners;
  for (const auto& c : hull.corners) corners.emplace_back(c[0], c[1], c[2]);
  const Shape shape = Shape::hull(corners), surface = Shape::soup(object);
  std::vector<Pose> poses;
  std::vector<PlaceData> places;
  for (std::size_t i = 0; i < count; ++i) {
    poses.push_back(Pose::from_axis_angle(random.direction(), random.uniform(0, 3),
                                          random.uniform(1.15, 1.6) * random.direction()));
    places.push_back(place_of(poses.back()));
  }

  std::vector<std::unique_ptr<SoupPeer>> peers;
  peers.push_back(fcl_soup_peer(hull, soup, true));
  peers.push_back(fcl_soup_peer(hull, soup, false));
  std::size_t hits = 0;
  std::vector<bool> meets;
  std::vector<Bracket> distances;
  QueryStats meeting, measuring;
  for (const Pose& pose : poses) {
    const IntersectsResult m = intersects(shape, pose, surface, {});
    const DistanceResult d = distance(shape, pose, surface, {});
    if (!m.complete || !d.complete || m.intersects != (d.distance.upper == 0)) std::abort();
    meeting += m.stats;
    measuring += d.stats;
    meets.push_back(m.intersects);
    distances.push_back(d.distance);
    hits += m.intersects;
  }
  const auto each = [&](std::uint64_t n) {
    return static_cast<double>(n) / static_cast<double>(count);
  };
  fmt::print(
      "{} of {} meet; nodes and triangles tested: intersects {:.1f} {:.1f}, distance {:.1f} "
      "{:.1f}\n",
      hits, count, each(meeting.node_pairs), each(meeting.primitive_tests),
      each(measuring.node_pairs), each(measuring.primitive_tests));
  for (const auto& peer : peers) {
    int wrong = 0, wrong_distances = 0;
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      wrong += peer->intersects(places[i]) != meets[i];
      const double d = peer->distance(places[i]);
      const double off = std::max(distances[i].lower - d, d - distances[i].upper);
      wrong_distances += off > 1e-6;
      worst = std::max(worst, off);
    }
    fmt::print("{:16} wrong of {}: intersects {}, distance {} (by up to {:.1e})\n", peer->name(),
               count, wrong, wrong_distances, worst);
  }

  std::vector<Question> meet{
      {"touche", [&](std::size_t i) { (void)intersects(shape, poses[i], surface, {}); }}},
      apart{{"touche", [&](std::size_t i) { (void)distance(shape, poses[i], surface, {}); }}};
  for (const auto& peer : peers) {
    meet.push_back({peer->name(), [&](std::size_t i) { peer->intersects(places[i]); }});
    apart.push_back({peer->name(), [&](std::size_t i) { peer->distance(places[i]); }});
  }
  time("intersects", meet, count);
  time("distance", apart, count);

  // From outside to the next pose, turning; the hull as a soup is the peer.
  std::vector<double> hull_coordinates;
  std::vector<Index> hull_indices;
  for (const auto& c : hull.corners)
    hull_coordinates.insert(hull_coordinates.end(), c.begin(), c.end());
  for (const auto& t : hull.triangles)
    for (const int v : t) hull_indices.push_back(static_cast<Index>(v));
  const Object hull_surface{PolygonSoup(hull_coordinates, hull_indices)};
  std::vector<Motion> motions;
  for (const Pose& pose : poses)
    motions.push_back(Motion::interpolated(
        Pose::from_axis_angle(random.direction(), random.uniform(0, 3), 2.2 * random.direction()),
        pose));
  const Motion still = Motion::at({});
  const ToiOptions options{.tolerance = 1e-6};
  std::size_t contacts = 0;
  QueryStats moving;
  for (const Motion& motion : motions) {
    const ToiResult r = time_of_impact(shape, motion, surface, still, options);
    contacts += r.status == ToiStatus::contact;
    moving += r.stats;
  }
  fmt::print("{} of {} motions touch; nodes and triangles tested: {:.1f} {:.1f}\n", contacts, count,
             each(moving.node_pairs), each(moving.primitive_tests));
  time("impact",
       {{"touche",
         [&](std::size_t i) { (void)time_of_impact(shape, motions[i], surface, still, options); }},
        {"touche, as soups",
         [&](std::size_t i) {
           (void)time_of_impact(hull_surface, motions[i], object, still, options);
         }}},
       count);
}

}  // namespace
}  // namespace touche::bench

namespace {

int run_all(int argc, char** argv) {
  CLI::App app{
      "A hull of 40 corners near a soup of 20,000 triangles at many poses, beside another "
      "library."};
  std::size_t poses = 1000;
  app.add_option("poses", poses, "How many")->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  touche::bench::run(poses);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_shape_soup_bench", run_all, argc, argv);
}
