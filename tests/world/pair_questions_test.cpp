// SPDX-License-Identifier: Apache-2.0
// Questions about two objects that their hulls answer, or begin to, beside distances at many times.
#include "world/pair_questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "query/distance_of_disjoint.h"
#include "random.h"
#include "shape/soup_hull.h"
#include "shapes.h"
#include "test_scale.h"
#include "world/pair_search.h"

namespace touche::pair_questions_test {
namespace {

using scenes::Random;
using test::scaled;

constexpr double kTolerance = 0.01;

std::vector<Object> convex_objects() {
  std::vector<Object> objects;
  objects.emplace_back(scenes::sphere(0.7, 80));
  objects.emplace_back(scenes::box({-1, -0.2, -0.5}, {0.4, 0.2, 0.5}));
  objects.emplace_back(scenes::box({2, 3, -0.01}, {4, 3.5, 0.01}));  // far from its origin
  objects.emplace_back(scenes::cylinder(0.3, 1.5, 9));
  return objects;
}

std::vector<Object> hollow_objects() {
  std::vector<Object> objects = convex_objects();
  objects.emplace_back(scenes::torus(1, 0.2, 9, 5));
  objects.emplace_back(scenes::random_soup(5, {.faces = 20}));
  return objects;
}

Pose placed(base::Random& random, const Object& object, const Vec3& centre) {
  const Pose turn = Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), Vec3::Zero());
  return Pose::from_translation(centre - turn.rotate(object.bounds().centre())) * turn;
}

Motion some_motion(base::Random& random, const Object& object, const Vec3& centre,
                   const Vec3& way) {
  const Pose start = placed(random, object, centre);
  if (random.uniform() < 0.2) {
    const Pose poses[] = {start, placed(random, object, centre + 0.5 * way),
                          placed(random, object, centre + way)};
    return Motion::through(poses);
  }
  if (random.uniform() < 0.2)
    return Motion::interpolated(start, Pose::from_translation(way) * start);
  return Motion::screw(start, centre, way.normalized(), random.uniform(-1, 1), way.norm());
}

double distance_at(const Object& a, const Motion& way_a, const Object& b, const Motion& way_b,
                   double t) {
  return distance(a, way_a.pose(t), b, way_b.pose(t), {}).distance.upper;
}

double nearest_until(const Object& a, const Motion& way_a, const Object& b, const Motion& way_b,
                     double until) {
  double least = kInfinity;
  for (int i = 0; i <= 24; ++i)
    least = std::min(least, distance_at(a, way_a, b, way_b, until * i / 24));
  return least;
}

struct Passing {
  const Object &a, &b;
  Motion way_a, way_b;
};

Passing some_pair(base::Random& random, const std::vector<Object>& objects) {
  const Index count = static_cast<Index>(objects.size());
  const Object &a = objects[random.below(count)], &b = objects[random.below(count)];
  const double size = 0.5 * (a.bounds().diagonal() + b.bounds().diagonal());
  const Vec3 centre = 5 * random.in_box(1), away = random.uniform(0, 2) * size * random.direction();
  // To somewhere beside the other one, or past it.
  const Vec3 way = 0.7 * size * random.in_box(1) - random.uniform(0, 1.5) * away;
  return {a, b, some_motion(random, a, centre, 0.1 * size * random.in_box(1)),
          some_motion(random, b, centre + away, way)};
}

// Proofs by hulls hold for whatever the hulls are around, and for convex bodies they prove it all.
TEST(PairQuestions, HullsProveWhatIsSo) {
  base::Random random(4711);
  const std::vector<Object> any = hollow_objects(), convex = convex_objects();
  int free = 0, known_free = 0, proved = 0;
  const int cases = scaled(2000, 300);
  for (int i = 0; i < cases; ++i) {
    const bool is_convex = i % 2 == 0;
    const Passing p = some_pair(random, is_convex ? convex : any);
    const double clearance = random.below(2) == 0 ? 0 : 0.05;
    const bool apart = shape::hulls_stay_apart(p.a, p.way_a, p.b, p.way_b,
                                               {.tolerance = kTolerance, .clearance = clearance});
    if (apart) {
      EXPECT_GT(nearest_until(p.a, p.way_a, p.b, p.way_b, 1), clearance) << i;
    }
    free += apart;
    if (!is_convex) continue;
    const ToiResult faces = time_of_impact(
        p.a, p.way_a, p.b, p.way_b, {.tolerance = kTolerance, .clearance = clearance + kTolerance});
    known_free += faces.status == ToiStatus::free;
    proved += faces.status == ToiStatus::free && apart;
  }
  EXPECT_GT(free, 0.2 * cases);
  EXPECT_LT(free, 0.7 * cases);
  EXPECT_GT(known_free, 0.1 * cases);
  EXPECT_GT(proved, 0.98 * known_free);
}

world::PairAnswer asked_bit_by_bit(const world::PairQuestion& question) {
  world::PairSearch search;
  search.begin(question, nullptr);
  world::PairAnswer answer;
  for (int turn = 0; turn < 100000 && answer.status == ToiStatus::undecided; ++turn) {
    const Budget little{.max_work = 3};
    base::BudgetMeter meter(little);
    answer = search.go_on(meter);
  }
  return answer;
}

// Whether or not hulls prove pairs free, the answer is that of the faces. For pairs of convex
// objects, free and contact are true of their faces: until a contact they are apart, and at the
// contact the reported faces are as near as reported.
TEST(PairQuestions, AnswersAreThoseOfTheFaces) {
  base::Random random(4712);
  const std::vector<Object> objects = hollow_objects();
  Workspace workspace;
  int contacts = 0, free = 0, within = 0, convex_contacts = 0, convex_free = 0;
  const int cases = scaled(1500, 300);
  for (int i = 0; i < cases; ++i) {
    const Passing p = some_pair(random, objects);
    if (distance_at(p.a, p.way_a, p.b, p.way_b, 0) <= kTolerance) continue;  // later stages
    const world::PairQuestion question{
        .a = p.a, .motion_a = p.way_a, .b = p.b, .motion_b = p.way_b, .tolerance = kTolerance};
    const world::PairAnswer answer = world::ask_pair(question, workspace);
    const ToiOptions band{.tolerance = 0.5 * kTolerance, .clearance = 0.5 * kTolerance};
    const ToiResult faces = time_of_impact(p.a, p.way_a, p.b, p.way_b, band);
    const bool convex = shape::impact_by_hulls(p.a, p.way_a, p.b, p.way_b, band).has_value();
    ASSERT_EQ(answer.contact.has_value(), answer.status == ToiStatus::contact) << i;
    if (!convex) {
      ASSERT_EQ(answer.status, faces.status) << i;
      ASSERT_EQ(answer.time, faces.time) << i;
    } else if (answer.status == ToiStatus::contact) {
      const Contact& contact = *answer.contact;
      EXPECT_LE(distance_at(p.a, p.way_a, p.b, p.way_b, answer.time.upper), kTolerance) << i;
      EXPECT_LE(contact.distance, kTolerance) << i;
      EXPECT_LT(contact.face_a, p.a.soup().face_count()) << i;
      EXPECT_LT(contact.face_b, p.b.soup().face_count()) << i;
      EXPECT_NE(contact.feature_a.index, kNone) << i;
    } else if (faces.status == ToiStatus::contact) {
      // A pair that passes within the band may be reported as free or not.
      EXPECT_GT(distance_at(p.a, p.way_a, p.b, p.way_b, faces.time.upper), 0.5 * kTolerance) << i;
    }
    const double nearest = nearest_until(p.a, p.way_a, p.b, p.way_b, answer.time.lower);
    EXPECT_GT(nearest, 0.5 * kTolerance) << i;
    contacts += answer.status == ToiStatus::contact;
    free += answer.status == ToiStatus::free;
    convex_contacts += convex && answer.status == ToiStatus::contact;
    convex_free += convex && answer.status == ToiStatus::free;
    within += answer.status == ToiStatus::free &&
              !shape::hulls_stay_apart(p.a, p.way_a, p.b, p.way_b, {.tolerance = kTolerance});
    const world::PairAnswer slow = asked_bit_by_bit(question);
    EXPECT_EQ(slow.status, answer.status) << i;
    EXPECT_EQ(slow.time, answer.time) << i;
  }
  EXPECT_GT(contacts, 0.1 * cases);
  EXPECT_GT(free, 0.1 * cases);
  EXPECT_GT(convex_contacts, 0.05 * cases);
  EXPECT_GT(convex_free, 0.05 * cases);
  EXPECT_GT(within, 0.003 * cases);  // inside of hulls
}

// Hulls answer wherever pairs of convex objects begin beside each other, and in the end bodies that
// stop are as near and as far as the bands require.
TEST(PairQuestions, HullsTellWhoBeginsWithinABand) {
  base::Random random(4713);
  const std::vector<Object> objects = convex_objects();
  Workspace workspace;
  int contacts = 0;
  const int cases = scaled(400, 100);
  for (int i = 0; i < cases; ++i) {
    Passing p = some_pair(random, objects);
    const Pose start_a = p.way_a.pose(0);
    // Moved towards each other to a gap within the tolerance.
    const DistanceResult apart = distance(p.a, start_a, p.b, p.way_b.pose(0), {});
    if (!(apart.distance.lower > 0)) continue;
    const double gap = kTolerance * std::pow(10, random.uniform(-3, 0.2));
    const Vec3 towards = -(apart.distance.lower - gap) * apart.closest->normal;
    const Pose start_b = Pose::from_translation(towards) * p.way_b.pose(0);
    const Vec3 way = 0.1 * random.direction() - random.uniform(0, 0.1) * apart.closest->normal;
    const Motion rests = Motion::at(start_a),
                 moves = Motion::interpolated(start_b, Pose::from_translation(way) * start_b);
    const world::PairQuestion question{
        .a = p.a, .motion_a = rests, .b = p.b, .motion_b = moves, .tolerance = kTolerance};
    const world::PairAnswer answer = world::ask_pair(question, workspace);
    const double least = 0.12 * std::min(gap, kTolerance);  // a band ends at 8 times the next
    EXPECT_GT(nearest_until(p.a, rests, p.b, moves, answer.time.lower), least) << i;
    if (answer.status == ToiStatus::contact) {
      ++contacts;
      EXPECT_LE(distance_at(p.a, rests, p.b, moves, answer.time.upper), kTolerance) << i;
    }
    const world::PairAnswer slow = asked_bit_by_bit(question);
    EXPECT_EQ(slow.status, answer.status) << i;
    EXPECT_EQ(slow.time, answer.time) << i;
  }
  EXPECT_GT(contacts, 0.3 * cases);
  EXPECT_LT(contacts, 0.95 * cases);
}

// Bodies that begin near each other, separate and meet again stop as far from each other as bodies
// that come from afar.
TEST(PairQuestions, WhoComesBackKeepsAsMuchAsOthers) {
  base::Random random(4714);
  std::vector<Object> objects = convex_objects();
  objects.emplace_back(scenes::sphere(0.6, 800));  // has no hull here
  Workspace workspace;
  int came_back = 0, by_faces = 0;
  const int cases = scaled(400, 100);
  for (int i = 0; i < cases; ++i) {
    const Passing p = some_pair(random, objects);
    const Pose start_a = p.way_a.pose(0);
    const DistanceResult apart = distance(p.a, start_a, p.b, p.way_b.pose(0), {});
    if (!(apart.distance.lower > 0)) continue;
    const Vec3 normal = apart.closest->normal;
    const auto at_gap = [&](double gap) {
      return Pose::from_translation(-(apart.distance.lower - gap) * normal) * p.way_b.pose(0);
    };
    const double gap = kTolerance * std::pow(10, random.uniform(-4, -0.1));
    const Pose poses[] = {at_gap(gap), at_gap(random.uniform(3, 20) * kTolerance),
                          at_gap(random.uniform(-5, -1) * kTolerance)};
    const Motion rests = Motion::at(start_a), moves = Motion::through(poses);
    const world::PairQuestion question{
        .a = p.a, .motion_a = rests, .b = p.b, .motion_b = moves, .tolerance = kTolerance};
    const world::PairAnswer answer = world::ask_pair(question, workspace);
    ASSERT_EQ(answer.status, ToiStatus::contact) << i;
    EXPECT_GT(answer.time.lower, 0.5) << i;
    const auto left = [&](double t) { return distance_at(p.a, rests, p.b, moves, t); };
    EXPECT_GT(left(answer.time.lower), 0.5 * kTolerance) << i;
    EXPECT_LE(left(answer.time.upper), kTolerance) << i;
    EXPECT_GT(nearest_until(p.a, rests, p.b, moves, answer.time.lower), 0.12 * gap) << i;
    ++came_back;
    by_faces += shape::hull_of(p.a) == nullptr || shape::hull_of(p.b) == nullptr;
    const world::PairAnswer slow = asked_bit_by_bit(question);
    EXPECT_EQ(slow.status, answer.status) << i;
    EXPECT_EQ(slow.time, answer.time) << i;
  }
  EXPECT_GT(came_back, 0.5 * cases);
  EXPECT_GT(by_faces, 0.1 * cases);
}

// Hulls give the distance at the start, and the same contacts without their faces.
TEST(PairQuestions, HullsTellContactsThatFacesConfirmLater) {
  base::Random random(4715);
  const std::vector<Object> objects = convex_objects();
  int contacts = 0, starts = 0;
  const int cases = scaled(1000, 200);
  for (int i = 0; i < cases; ++i) {
    const Passing p = some_pair(random, objects);
    const ToiOptions band{.tolerance = 0.5 * kTolerance, .clearance = 0.5 * kTolerance};
    double apart = 0, again = 0;
    const auto told = shape::impact_by_hulls(p.a, p.way_a, p.b, p.way_b, band,
                                             shape::Confirmed::by_faces, &apart);
    const auto waits =
        shape::impact_by_hulls(p.a, p.way_a, p.b, p.way_b, band, shape::Confirmed::later, &again);
    const double start = distance_at(p.a, p.way_a, p.b, p.way_b, 0);
    EXPECT_EQ(apart, again) << i;
    EXPECT_LE(apart, start) << i;
    if (start > kTolerance) {
      EXPECT_GT(apart, 0.8 * start) << i;
      ++starts;
    }
    ASSERT_EQ(told.has_value(), waits.has_value()) << i;
    if (!told) continue;
    EXPECT_EQ(told->status, waits->status) << i;
    EXPECT_EQ(told->time, waits->time) << i;
    if (told->status != ToiStatus::contact) continue;
    ++contacts;
    EXPECT_NE(told->contact->face_a, kNone) << i;
    EXPECT_EQ(waits->contact->face_a, kNone) << i;
    EXPECT_GE(waits->contact->distance, told->contact->distance) << i;
    EXPECT_LT(waits->contact->distance, told->contact->distance + 0.2 * kTolerance) << i;
  }
  EXPECT_GT(contacts, 0.2 * cases);
  EXPECT_LT(contacts, 0.7 * cases);
  EXPECT_GT(starts, 0.5 * cases);
}

// A body with a negligible motion is free, however small the gap.
TEST(PairQuestions, WhoHardlyMovesIsFree) {
  base::Random random(4716);
  const std::vector<Object> objects = convex_objects();
  Workspace workspace;
  int hardly = 0, asked = 0;
  for (int i = 0; i < 400; ++i) {
    const Passing p = some_pair(random, objects);
    const Pose start_a = p.way_a.pose(0);
    const DistanceResult apart = distance(p.a, start_a, p.b, p.way_b.pose(0), {});
    if (!(apart.distance.lower > 0)) continue;
    const double clearance = random.below(2) == 0 ? 0 : 0.02,
                 gap = kTolerance * std::pow(10, random.uniform(-4, 0.2)),
                 share = std::pow(2, random.uniform(-36, -4));
    const Vec3 towards = -(apart.distance.lower - clearance - gap) * apart.closest->normal;
    const Pose start_b = Pose::from_translation(towards) * p.way_b.pose(0);
    const Motion rests = Motion::at(start_a),
                 moves = Motion::interpolated(
                     start_b, Pose::from_translation(share * gap * random.direction()) * start_b);
    const world::PairQuestion question{.a = p.a,
                                       .motion_a = rests,
                                       .b = p.b,
                                       .motion_b = moves,
                                       .tolerance = kTolerance,
                                       .clearance = clearance};
    ++asked;
    QueryStats stats;
    if (!world::hardly_move(question, workspace, stats)) {
      EXPECT_GT(share, 0x1p-23) << i;
      continue;
    }
    ++hardly;
    EXPECT_LT(share, 0x1p-19) << i;
    EXPECT_EQ(world::ask_pair(question, workspace).status, ToiStatus::free) << i;
  }
  EXPECT_GT(hardly, 0.3 * asked);
  EXPECT_LT(hardly, 0.7 * asked);
}

// Pairs that are known to be apart need no test for intersection.
TEST(PairQuestions, DistancesOfDisjointObjectsAreDistances) {
  base::Random random(4717);
  const std::vector<Object> objects = hollow_objects();
  int compared = 0;
  const int cases = scaled(400, 100);
  for (int i = 0; i < cases; ++i) {
    const Passing p = some_pair(random, objects);
    const Pose a = p.way_a.pose(0), b = p.way_b.pose(0);
    const DistanceOptions options{.max_distance = random.uniform(0, 2)};
    if (intersects(p.a, a, p.b, b).intersects) continue;
    ++compared;
    const DistanceResult whole = distance(p.a, a, p.b, b, options),
                         rest = query::distance_of_disjoint(p.a, a, p.b, b, options);
    EXPECT_EQ(rest.distance, whole.distance) << i;
    EXPECT_EQ(rest.complete, whole.complete) << i;
    ASSERT_EQ(rest.closest.has_value(), whole.closest.has_value()) << i;
    if (!whole.closest) continue;
    EXPECT_EQ(rest.closest->feature_a, whole.closest->feature_a) << i;
    EXPECT_EQ(rest.closest->feature_b, whole.closest->feature_b) << i;
    EXPECT_EQ(rest.closest->point_a, whole.closest->point_a) << i;
    EXPECT_EQ(rest.closest->point_b, whole.closest->point_b) << i;
  }
  EXPECT_GT(compared, 0.5 * cases);
}

PolygonSoup soup_of(const std::vector<Vec3>& vertices, const std::vector<Index>& corners) {
  std::vector<double> coordinates;
  for (const Vec3& p : vertices) coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
  return PolygonSoup(coordinates, corners);
}

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<Index> corners;

  explicit Mesh(const PolygonSoup& soup)
      : vertices(soup.vertices().begin(), soup.vertices().end()) {
    for (const auto& triangle : soup.triangles())
      corners.insert(corners.end(), triangle.begin(), triangle.end());
  }
  Object object() const { return Object(soup_of(vertices, corners)); }
};

PolygonSoup cube() { return scenes::box(Vec3::Constant(-1), Vec3::Constant(1)); }

// Without the faces above.
Object open_box() {
  Mesh mesh(cube());
  std::vector<Index> kept;
  for (std::size_t i = 0; i < mesh.corners.size(); i += 3)
    if (std::any_of(mesh.corners.begin() + i, mesh.corners.begin() + i + 3,
                    [&](Index v) { return mesh.vertices[v].z() < 0; }))
      kept.insert(kept.end(), mesh.corners.begin() + i, mesh.corners.begin() + i + 3);
  EXPECT_EQ(kept.size(), 30U);
  mesh.corners = kept;
  return mesh.object();
}

TEST(PairQuestions, SurfacesOfHullsAreClosedAndConvex) {
  EXPECT_TRUE(shape::is_hull_surface(Object(cube())));
  EXPECT_TRUE(shape::is_hull_surface(Object(scenes::sphere(1, 80))));
  EXPECT_FALSE(shape::is_hull_surface(Object(scenes::torus(1, 0.2, 9, 5))));
  EXPECT_FALSE(shape::is_hull_surface(Object(scenes::sphere(1, 2000))));  // has no hull here
  EXPECT_FALSE(shape::is_hull_surface(open_box()));

  // Each triangle has corners of its own.
  Mesh apart(cube());
  std::vector<Vec3> vertices;
  for (Index& corner : apart.corners) {
    vertices.push_back(apart.vertices[corner]);
    corner = static_cast<Index>(vertices.size() - 1);
  }
  apart.vertices = vertices;
  EXPECT_TRUE(shape::is_hull_surface(apart.object()));

  Mesh twice(cube());  // each face
  twice.corners.insert(twice.corners.end(), twice.corners.begin(), twice.corners.end());
  EXPECT_FALSE(shape::is_hull_surface(twice.object()));
  Mesh beside(cube());  // a vertex of no face
  beside.vertices.emplace_back(3, 0, 0);
  EXPECT_FALSE(shape::is_hull_surface(beside.object()));
  Mesh line(cube());  // a face without area, in place of a lid
  line.corners.resize(30);
  line.corners.insert(line.corners.end(), {line.corners[0], line.corners[0], line.corners[1]});
  EXPECT_FALSE(shape::is_hull_surface(line.object()));

  // A flat frame whose two sides are the same: its hole is in its hull.
  std::vector<Vec3> frame;
  for (const double r : {1.0, 2.0})
    for (int k = 0; k < 4; ++k) frame.emplace_back(k & 1 ? r : -r, k & 2 ? r : -r, 0);
  const std::vector<Index> side{0, 1, 5, 0, 5, 4, 1, 3, 7, 1, 7, 5,
                                3, 2, 6, 3, 6, 7, 2, 0, 4, 2, 4, 6};
  std::vector<Index> both = side;
  both.insert(both.end(), side.begin(), side.end());
  EXPECT_FALSE(shape::is_hull_surface(Object(soup_of(frame, both))));
}

// A box that comes into an open one from above meets its bottom only.
TEST(PairQuestions, TheMouthOfAnOpenBoxIsNoFace) {
  const Object open = open_box(), small(scenes::box(Vec3::Constant(-0.1), Vec3::Constant(0.1)));
  Workspace workspace;
  for (const double clearance : {0.0, 0.2})
    for (const double gap : {0.9, 0.1, 1e-3, 1e-5, 1e-9, 1e-12}) {
      const Motion rests = Motion::at({}),
                   falls = Motion::interpolated(Pose::from_translation({0, 0, 1.1 + gap}),
                                                Pose::from_translation({0, 0, -2}));
      EXPECT_FALSE(shape::impact_by_hulls(open, rests, small, falls, {.tolerance = kTolerance}));
      const world::PairAnswer met = world::ask_pair({.a = open,
                                                     .motion_a = rests,
                                                     .b = small,
                                                     .motion_b = falls,
                                                     .tolerance = kTolerance,
                                                     .clearance = clearance},
                                                    workspace);
      ASSERT_EQ(met.status, ToiStatus::contact);
      const double left =
          1.1 + gap - met.time.lower * (3.1 + gap) + 0.9 - clearance;  // above the bottom
      EXPECT_GT(left, 0.4 * kTolerance) << gap;
      EXPECT_LT(left, kTolerance) << gap;
    }
}

// A bar that goes through a ring without touching it, and one that meets it from inside.
TEST(PairQuestions, WhoIsInsideOfAHullIsAskedByItsFaces) {
  const Object ring(scenes::torus(1, 0.2, 12, 6)),
      bar(scenes::box({-0.1, -0.1, -2}, {0.1, 0.1, 2}));
  const Motion rests = Motion::at({});
  const auto bar_to = [](const Vec3& end) {
    return Motion::interpolated({}, Pose::from_translation(end));
  };
  const Motion through = bar_to({0.1, 0, 1}), against = bar_to({1, 0, 0});
  Workspace workspace;
  const auto ask = [&](const Motion& way) {
    return world::ask_pair(
        {.a = ring, .motion_a = rests, .b = bar, .motion_b = way, .tolerance = kTolerance},
        workspace);
  };
  EXPECT_FALSE(shape::hulls_stay_apart(ring, rests, bar, through, {.tolerance = kTolerance}));
  EXPECT_EQ(ask(through).status, ToiStatus::free);
  const world::PairAnswer met = ask(against);
  EXPECT_EQ(met.status, ToiStatus::contact);
  EXPECT_NEAR(met.time.lower, 0.7, 0.05);
}

// Beyond some size nothing is found out.
TEST(PairQuestions, NotAllObjectsHaveHulls) {
  EXPECT_NE(shape::hull_of(Object(scenes::sphere(1, 80))), nullptr);
  EXPECT_EQ(shape::hull_of(Object(scenes::sphere(1, 2000))), nullptr);
  EXPECT_EQ(shape::hull_of(Object(scenes::box(Vec3::Constant(-1e-70), Vec3::Constant(1e-70)))),
            nullptr);
  EXPECT_EQ(shape::hull_of(Object(scenes::box(Vec3::Constant(-1e70), Vec3::Constant(1e70)))),
            nullptr);
  const Object flat(
      PolygonSoup(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0}, std::vector<Index>{0, 1, 2}));
  ASSERT_NE(shape::hull_of(flat), nullptr);
  const Motion rests = Motion::at({}),
               falls = Motion::interpolated(Pose::from_translation({0, 0, 1}),
                                            Pose::from_translation({0, 0, 0.02}));
  EXPECT_TRUE(shape::hulls_stay_apart(flat, rests, flat, falls, {.tolerance = kTolerance}));
  EXPECT_FALSE(shape::hulls_stay_apart(flat, rests, flat, falls,
                                       {.tolerance = kTolerance, .clearance = 0.03}));
}

}  // namespace
}  // namespace touche::pair_questions_test
