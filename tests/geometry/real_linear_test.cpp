// SPDX-License-Identifier: Apache-2.0
// Queries from simulations of deforming bodies, with exact truth: no contact is missed, and what is
// reported without being one came within the tolerance.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "exact.h"
#include "shared_data.h"
#include "study_files.h"
#include "touche/linear.h"

namespace touche {
namespace {

namespace fs = std::filesystem;
using test::Rational;
using test::RVec;
using Query = std::array<MovingVertex, 4>;

struct Truth {
  Query query;
  bool contact;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Eight lines a query, each coordinate a quotient that is a double.
std::vector<Truth> load(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::vector<Truth> result;
  std::vector<Vec3> points;
  for (std::string line; std::getline(in, line);) {
    const auto cells = cells_of(line);
    if (cells.size() < 6) continue;
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      const Rational exact = Rational(cells[2 * k]) / Rational(cells[2 * k + 1]);
      p[k] = static_cast<double>(exact);
      EXPECT_EQ(Rational(p[k]), exact);
    }
    points.push_back(p);
    if (points.size() < 8) continue;
    Truth truth;
    for (int i = 0; i < 4; ++i) truth.query[i] = {points[i], points[i + 4]};
    truth.contact = cells.size() > 6 && cells[6] == "1";
    result.push_back(truth);
    points.clear();
  }
  EXPECT_TRUE(points.empty()) << file;
  return result;
}

double distance_at(bool edges, const Query& q, double t) {
  const auto at = [&](int i) {
    return RVec(q[i].start) + Rational(t) * (RVec(q[i].end) - RVec(q[i].start));
  };
  const Rational squared = edges ? test::segment_segment2(at(0), at(1), at(2), at(3))
                                 : test::point_triangle2(at(0), {at(1), at(2), at(3)});
  return std::sqrt(static_cast<double>(squared));
}

LinearImpact impact(bool edges, const Query& q, double tolerance) {
  return edges ? edge_edge_impact(q, {.tolerance = tolerance})
               : vertex_face_impact(q, {.tolerance = tolerance});
}

struct Counts {
  int contacts = 0, missed = 0, false_alarms = 0, total = 0;
  std::uint64_t steps = 0;
};

void judge(bool edges, const Truth& truth, double tolerance, Counts& counts) {
  const LinearImpact r = impact(edges, truth.query, tolerance);
  EXPECT_TRUE(r.complete);
  ++counts.total;
  counts.steps += r.steps;
  counts.contacts += truth.contact ? 1 : 0;
  if (truth.contact && !r.contact) ++counts.missed;
  if (!r.contact) return;
  EXPECT_LE(distance_at(edges, truth.query, r.t), 2 * tolerance);
  counts.false_alarms += truth.contact ? 0 : 1;
}

TEST(RealLinear, SampleQueries) {
  TOUCHE_NEED_SHARED_DATA();
  Counts counts;
  for (const auto& entry : fs::recursive_directory_iterator(test::shared_data() / "ccd_queries")) {
    if (entry.path().extension() != ".csv") continue;
    SCOPED_TRACE(entry.path().string());
    const bool edges = entry.path().parent_path().filename() == "edge-edge";
    for (const Truth& truth : load(entry.path())) judge(edges, truth, 1e-10, counts);
  }
  EXPECT_EQ(counts.missed, 0);
  EXPECT_EQ(counts.total, 2324);
  EXPECT_EQ(counts.contacts, 279);
  RecordProperty("false_alarms", counts.false_alarms);
  RecordProperty("steps_per_query", static_cast<int>(counts.steps / counts.total));
}

// Exact times of contact to 25 digits.
TEST(RealLinear, SimulatedFrames) {
  TOUCHE_NEED_SHARED_DATA();
  const fs::path data = test::shared_data() / "scalable_ccd";
  constexpr double kTolerance = 1e-13;
  Counts counts;
  double latest = -1, earliest = 0;  // of reported minus exact times
  for (const std::string scene : {"rod-twist_3036", "cloth-funnel_227"})
    for (const bool edges : {false, true}) {
      SCOPED_TRACE(scene);
      const std::string folder = scene.substr(0, scene.find('_'));
      const std::string name = scene.substr(scene.find('_') + 1) + (edges ? "ee" : "vf");
      std::vector<Truth> truths = load(data / folder / "queries" / (name + ".csv"));
      const auto hits = test::read_json(data / folder / "mma_bool" / (name + "_mma_bool.json"));
      ASSERT_EQ(hits.size(), truths.size());
      for (std::size_t i = 0; i < truths.size(); ++i) {
        truths[i].contact = hits[i];
        judge(edges, truths[i], kTolerance, counts);
      }
      std::ifstream in(data / "toi" / (scene + (edges ? "ee" : "vf") + ".csv"));
      ASSERT_TRUE(in);
      std::string line;
      std::getline(in, line);
      while (std::getline(in, line)) {
        const auto cells = cells_of(line);
        const Query& q = truths.at(std::stoul(cells[0])).query;
        const double exact = std::stod(cells[2]);
        const LinearImpact r = impact(edges, q, kTolerance);
        ASSERT_TRUE(r.contact) << line;
        latest = std::max(latest, r.t - exact);
        earliest = std::min(earliest, r.t - exact);
      }
    }
  EXPECT_EQ(counts.missed, 0);
  EXPECT_GT(counts.contacts, 4000);
  EXPECT_LE(latest, 1e-15);    // the exact time is rounded here
  EXPECT_GT(earliest, -1e-5);  // where surfaces graze, a tolerance is a long time
  RecordProperty("false_alarms", counts.false_alarms);
  RecordProperty("earliest", std::to_string(earliest));
}

}  // namespace
}  // namespace touche
