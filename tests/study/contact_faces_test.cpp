// SPDX-License-Identifier: Apache-2.0
// One event is one contact, of the faces that face each other.
#include "study/contact_faces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "path/face_normal.h"
#include "study_answer.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::answer;
using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

double cosine(const PolygonSoup& soup, Index face, const Vec3& normal) {
  return std::abs(paths::face_normal(soup, face).normalized().dot(normal));
}

// Two boxes in one soup, all faces of them outwards.
PolygonSoup two_boxes() {
  std::vector<double> points;
  std::vector<Index> corners, sizes;
  for (Index box = 0; box < 2; ++box) {
    for (int i = 0; i < 8; ++i)
      for (const double x : {(i & 1) + 3.0 * box, (i >> 1 & 1) * 2.0, (i >> 2 & 1) * 0.5})
        points.push_back(x);
    for (const Index v : {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5})
      corners.push_back(8 * box + v);
    sizes.insert(sizes.end(), 6, 4);
  }
  return {points, corners, sizes};
}

TEST(ContactFaces, AreThoseWhoseNormalsFitBest) {
  const PolygonSoup soup = two_boxes();
  std::mt19937 random(7);
  std::normal_distribution<double> number;
  const int cases = test::scaled(2000);
  int changed = 0;
  for (int i = 0; i < cases; ++i) {
    const Vec3 normal = Vec3(number(random), number(random), number(random)).normalized();
    const auto corner = static_cast<Index>(random() % soup.corner_count());
    const bool edge = random() % 2 == 0;
    const Index given = soup.face_of_corner(corner), start = soup.corner_vertex(corner),
                end = soup.corner_vertex(soup.next_corner(corner));
    Index face = given;
    Feature feature =
        edge ? Feature{FeatureKind::edge, corner} : Feature{FeatureKind::vertex, start};
    study::fit_face(soup, normal, face, feature);
    // The slow reference implementation: all faces that have the vertices.
    double best = 0;
    for (Index f = 0; f < soup.face_count(); ++f) {
      const auto has = [&](Index v) {
        return std::find(soup.face(f).begin(), soup.face(f).end(), v) != soup.face(f).end();
      };
      if (has(start) && (!edge || has(end))) best = std::max(best, cosine(soup, f, normal));
    }
    ASSERT_NEAR(cosine(soup, face, normal), best, 1e-8);
    changed += face != given ? 1 : 0;
    // The feature is still the same one, and of the face.
    if (edge) {
      ASSERT_EQ(soup.face_of_corner(feature.index), face);
      const std::array vertices{soup.corner_vertex(feature.index),
                                soup.corner_vertex(soup.next_corner(feature.index))};
      ASSERT_TRUE((vertices == std::array{start, end}) || (vertices == std::array{end, start}));
    } else {
      ASSERT_EQ(feature, (Feature{FeatureKind::vertex, start}));
    }
  }
  EXPECT_GT(changed, cases * 3 / 10);
  EXPECT_LT(changed, cases * 7 / 10);
}

TEST(ContactFaces, StayWhereNoneFitsBetter) {
  const PolygonSoup soup = two_boxes();
  Index face = 0;
  Feature edge{FeatureKind::edge, 0};
  const Vec3 between =
      (paths::face_normal(soup, 0).normalized() +
       paths::face_normal(soup, soup.face_of_corner(soup.opposite(0))).normalized())
          .normalized();
  study::fit_face(soup, between, face, edge);
  EXPECT_EQ(face, 0u);
  EXPECT_EQ(edge.index, 0u);
  Feature inside{FeatureKind::face, 0};
  study::fit_face(soup, Vec3::UnitX(), face, inside);
  EXPECT_EQ(face, 0u);
  // An edge of a single triangle has no other side.
  const std::array<double, 9> points{0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::array<Index, 3> corners{0, 1, 2};
  const PolygonSoup one(points, corners);
  for (Feature feature : {Feature{FeatureKind::edge, 1}, Feature{FeatureKind::vertex, 1}}) {
    study::fit_face(one, Vec3::UnitX(), face, feature);
    EXPECT_EQ(face, 0u);
  }
}

// A cube that turns and sinks onto a wall's edge: steps and whole path search with other steps.
TEST(ContactFaces, OfStepsAndPathsAreTheSame) {
  const StudyFolder folder("one-contact");
  Json study = box_study();
  study["groups"][0]["motion"] = {
      {"screw", {{"axis", {0.1, 1, 0.2}}, {"point", {2, 2, 0}}, {"turns", 1}, {"pitch", 0.3}}},
      {"steps", 7}};
  const StudyResult a = answer(folder, study, {.paths = true});
  ASSERT_EQ(a.verdict, StudyVerdict::contact);
  const PairStep& first = a.pairs[*a.first];
  const ContactInterval& contact = a.paths[0].path.contacts.at(0);
  ASSERT_TRUE(first.contact && contact.first);
  EXPECT_EQ(contact.start.upper, path_position(a.study, first.step, first.time.upper));
  EXPECT_LE(contact.start.lower, contact.start.upper);
  EXPECT_EQ(contact.first->face_a, first.contact->face_a);
  EXPECT_EQ(contact.first->face_b, first.contact->face_b);
  EXPECT_EQ(contact.first->point_a, first.contact->point_a);
}

}  // namespace
}  // namespace touche
