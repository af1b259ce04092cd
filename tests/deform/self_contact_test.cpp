// SPDX-License-Identifier: Apache-2.0
// A soup against itself, step by step, against comparing everything with everything.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>

#include "deforming_scenes.h"
#include "hit_share.h"
#include "moved_vertices.h"
#include "progress_record.h"
#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "shared_data.h"
#include "study_files.h"
#include "test_scale.h"
#include "touche/io.h"
#include "touche/self_contact.h"

namespace touche::self_contact_test {
namespace {

using scenes::Random;
using test::Coordinates;
using test::coordinates_of;

/// Every vertex with every triangle, every edge of a triangle with every other.
SelfImpact brute_force(const PolygonSoup& soup, const Coordinates& start, const Coordinates& end,
                       const LinearOptions& options) {
  const auto moving = [&](Index v) {
    return MovingVertex{Vec3(start[3 * v], start[3 * v + 1], start[3 * v + 2]),
                        Vec3(end[3 * v], end[3 * v + 1], end[3 * v + 2])};
  };
  SelfImpact best{.t = options.t_end};
  const auto compare = [&](const std::array<Index, 4>& v, bool edges) {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (v[i] == v[j]) return;
    const std::array<MovingVertex, 4> q = {moving(v[0]), moving(v[1]), moving(v[2]), moving(v[3])};
    const LinearImpact r = edges ? edge_edge_impact(q, options) : vertex_face_impact(q, options);
    if (r.contact && (!best.contact || r.t < best.t)) best.contact = true, best.t = r.t;
  };
  for (const auto& t : soup.triangles()) {
    for (Index v = 0; v < soup.vertex_count(); ++v) compare({v, t[0], t[1], t[2]}, false);
    for (const auto& u : soup.triangles())
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          compare({t[i], t[(i + 1) % 3], u[j], u[(j + 1) % 3]}, true);
  }
  return best;
}

TEST(SelfContact, AgreesWithComparingEverything) {
  base::Random random(51);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(120, 12); ++round) {
    const PolygonSoup soup = scenes::bumpy_sphere(32, static_cast<std::uint64_t>(round));
    SelfContact self(soup);
    for (const double strength : {0.15, 0.7}) {
      const Coordinates start = coordinates_of(soup);
      const Coordinates end =
          test::moved(soup, [&](const Vec3& v) { return Vec3(v + strength * random.in_box(1)); });
      const LinearOptions options{.tolerance = 1e-9, .clearance = round % 2 == 0 ? 0.0 : 1e-3};
      const SelfImpact expected = brute_force(soup, start, end, options);
      const SelfImpact found = self.first_contact(start, end, options, 1);
      EXPECT_EQ(found.contact, expected.contact);
      EXPECT_NEAR(found.t, expected.t, 1e-7);  // edges are tested in both orders
      EXPECT_TRUE(found.complete);
      const SelfImpact parallel = self.first_contact(start, end, options, 2);
      EXPECT_EQ(parallel.t, found.t);
      EXPECT_EQ(parallel.vertices, found.vertices);
      hits += found.contact;
      ++total;
    }
  }
  test::expect_about_half(hits, total);
}

TEST(SelfContact, SaysWhenItsBudgetEnds) {
  base::Random random(52);
  const PolygonSoup soup = scenes::bumpy_sphere(200, 3);
  SelfContact self(soup);
  const Coordinates start = coordinates_of(soup);
  const Coordinates end =
      test::moved(soup, [&](const Vec3& v) { return Vec3(v + 0.3 * random.in_box(1)); });
  const SelfImpact whole = self.first_contact(start, end);
  ASSERT_GT(whole.pairs, 100u);
  for (const int threads : {1, 2})
    for (const std::size_t work : {std::size_t{0}, std::size_t{1}, whole.pairs - 1, whole.pairs}) {
      test::ProgressRecord progress;
      const SelfImpact r = self.first_contact(
          start, end, {.budget = {.max_work = work, .progress = progress.function()}}, threads);
      EXPECT_EQ(r.pairs, work);
      EXPECT_EQ(progress.done, work);
      EXPECT_EQ(progress.total, work);
      EXPECT_EQ(r.complete, work == whole.pairs && whole.complete);
      EXPECT_TRUE(r.contact || r.complete);
      EXPECT_EQ(r.t, work == whole.pairs ? whole.t : 0);
    }
  const Cancel cancel = test::requested();
  const SelfImpact stopped = self.first_contact(start, end, {.budget = {.cancel = cancel}});
  EXPECT_TRUE(stopped.contact && !stopped.complete);
  EXPECT_EQ(stopped.t, 0);
}

// The two layers of a folded strip meet halfway.
TEST(SelfContact, FoldedStrip) {
  const std::vector<double> start = {0, 0,   0,   1, 0,   0,   0, 1,   0,   1, 1,
                                     0, 0.3, 0.3, 1, 0.5, 0.3, 1, 0.4, 0.5, 1};
  const PolygonSoup soup(start, std::vector<Index>{0, 1, 2, 1, 3, 2, 4, 5, 6});
  std::vector<double> end = start;
  for (std::size_t v = 4; v < 7; ++v) end[3 * v + 2] = -1;
  SelfContact self(soup);
  const SelfImpact hit = self.first_contact(start, end);
  EXPECT_TRUE(hit.contact);
  EXPECT_NEAR(hit.t, 0.5, 1e-12);
  EXPECT_LE(hit.t, 0.5);
  const SelfImpact early = self.first_contact(start, end, {.clearance = 0.2});
  EXPECT_NEAR(early.t, 0.4, 1e-12);
  EXPECT_FALSE(self.first_contact(start, end, {.t_end = 0.49}).contact);
  EXPECT_FALSE(self.first_contact(start, start).contact);
}

// A waving cloth does not touch itself; crumpled to a point it must.
TEST(SelfContact, Cloth) {
  const auto cloth = scenes::cloth_and_ball(200);
  SelfContact self(cloth.rest);
  for (int i = 0; i < 4; ++i)
    EXPECT_FALSE(
        self.first_contact(cloth.vertices(0.2 * i), cloth.vertices(0.2 * i + 0.2)).contact);
  Coordinates flat = cloth.vertices(0);
  base::Random random(52);
  for (double& x : flat) x = random.uniform();
  EXPECT_TRUE(self.first_contact(cloth.vertices(0), flat).contact);
}

TEST(SelfContact, BadInputIsRefused) {
  const PolygonSoup soup = scenes::bumpy_sphere(60, 1);
  SelfContact self(soup);
  const Coordinates good = coordinates_of(soup);
  Coordinates bad = good;
  bad[7] = std::nan("");
  EXPECT_THROW((void)self.first_contact(good, bad), InvalidInput);
  EXPECT_THROW((void)self.first_contact(good, std::span(good).first(3)), InvalidInput);
  EXPECT_THROW((void)self.first_contact(good, good, {.tolerance = -1}), InvalidInput);
}

// Two frames of simulations, whose solver left no contact at their starts: the earliest contact is
// the earliest of the exact times recorded for all pairs that came near each other.
TEST(SelfContact, SimulatedFrames) {
  TOUCHE_NEED_SHARED_DATA();
  const auto data = test::shared_data() / "scalable_ccd";
  struct Scene {
    const char *folder, *before, *after, *toi;
  };
  const Scene scenes[] = {{"cloth-funnel", "227", "228", "cloth-funnel_227"},
                          {"rod-twist", "3036", "3037", "rod-twist_3036"}};
  for (const Scene& scene : std::span(scenes).first(static_cast<std::size_t>(test::scaled(2, 1)))) {
    SCOPED_TRACE(scene.folder);
    const auto frames = data / scene.folder / "frames";
    const PolygonSoup before = load_soup(frames / (std::string(scene.before) + ".ply"));
    const PolygonSoup after = load_soup(frames / (std::string(scene.after) + ".ply"));
    double exact = 1;
    for (const char* kind : {"vf", "ee"}) {
      std::ifstream in(data / "toi" / (scene.toi + std::string(kind) + ".csv"));
      ASSERT_TRUE(in);
      std::string line;
      std::getline(in, line);
      while (std::getline(in, line)) {
        const auto first = line.find(',', line.find(',') + 1) + 1;
        exact = std::min(exact, std::stod(line.substr(first)));
      }
    }
    SelfContact self(before);
    const SelfImpact found =
        self.first_contact(coordinates_of(before), coordinates_of(after), {.tolerance = 1e-13});
    EXPECT_TRUE(found.contact);
    EXPECT_LE(found.t, exact + 1e-15);
    EXPECT_NEAR(found.t, exact, 1e-6);
    RecordProperty("pairs", std::to_string(found.pairs));
  }
}

}  // namespace
}  // namespace touche::self_contact_test
