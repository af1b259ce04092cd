// SPDX-License-Identifier: Apache-2.0
#include "thread.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace touche::scenes {
namespace {

constexpr std::array<ThreadSize, 8> kSizes{{{"M4", 4, 0.7, 7, 2.8, 3.2},
                                            {"M5", 5, 0.8, 8, 3.5, 4.7},
                                            {"M6", 6, 1, 10, 4, 5.2},
                                            {"M8", 8, 1.25, 13, 5.3, 6.8},
                                            {"M10", 10, 1.5, 16, 6.4, 8.4},
                                            {"M12", 12, 1.75, 18, 7.5, 10.8},
                                            {"M16", 16, 2, 24, 10, 14.8},
                                            {"M20", 20, 2.5, 30, 12.5, 18}}};

/// Rows of one pitch: the ends of crest and root, and two more rows on each flank.
constexpr std::array<int, 8> kRows{-3, 3, 8, 13, 18, 30, 35, 40};

}  // namespace

const ThreadSize& thread_size(const std::string& name) {
  const auto found = std::find_if(kSizes.begin(), kSizes.end(),
                                  [&](const ThreadSize& size) { return name == size.name; });
  if (found == kSizes.end())
    throw InvalidInput("thread size " + name + " is not one of M4, M5, M6, M8, M10, M12, M16, M20");
  return *found;
}

ThreadProfile::ThreadProfile(const ThreadSize& size, double shift)
    : crest_(size.diameter / 2 + shift),
      depth_(0.625 * std::sqrt(0.75) * size.pitch),  // 5/8 H, H = √3/2 P
      pitch_(size.pitch) {}

double ThreadProfile::radius(double units) const {
  const double from_crest = std::abs(units - kUnits * std::round(units / kUnits));
  return crest_ - depth_ * std::clamp((from_crest - 3) / 15, 0.0, 1.0);
}

Column thread_column(const ThreadProfile& profile, double bottom, double top, Index i, Index n) {
  const double unit = profile.pitch() / ThreadProfile::kUnits;
  const double rise =
      ThreadProfile::kUnits * static_cast<double>(i) / n;  // of the helix up to here
  const auto at_end = [&](double z) {
    return ColumnPoint{z / unit - rise, z, profile.radius(z / unit - rise)};
  };
  Column column{at_end(bottom)};
  const double margin = 1e-3 * unit;  // closer to an end a row would only make needles
  const int first_turn = static_cast<int>(std::floor(bottom / profile.pitch())) - 2;
  const int last_turn = static_cast<int>(std::ceil(top / profile.pitch())) + 1;
  for (int turn = first_turn; turn <= last_turn; ++turn)
    for (const int row : kRows) {
      const double units = turn * ThreadProfile::kUnits + row;
      const double z = (units + rise) * unit;
      if (z > bottom + margin && z < top - margin)
        column.push_back({units, z, profile.radius(units)});
    }
  column.push_back(at_end(top));
  return column;
}

Column cut(const Column& column, double at, double radius, double slope, bool keep_inside) {
  const auto excess = [&](const ColumnPoint& p) {
    return p.radius - (radius + slope * (p.z - at));
  };
  Column result;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const ColumnPoint& p = column[i];
    if (i > 0) {
      const ColumnPoint& q = column[i - 1];
      const double a = excess(q), b = excess(p), w = a / (a - b);
      if ((a < 0) != (b < 0) && w > 1e-6 && w < 1 - 1e-6)
        result.push_back({std::lerp(q.units, p.units, w), std::lerp(q.z, p.z, w),
                          std::lerp(q.radius, p.radius, w)});
    }
    const bool outside = excess(p) > 0;
    result.push_back(p);
    if (outside == keep_inside) result.back().radius = radius + slope * (p.z - at);
  }
  return result;
}

ThreadEnds add_thread(MeshBuilder& mesh, const std::vector<Column>& columns, double stretch,
                      bool outwards) {
  const Index n = static_cast<Index>(columns.size());
  std::vector<std::vector<MeshBuilder::Keyed>> rows;
  ThreadEnds ends;
  for (Index i = 0; i < n; ++i) {
    const Vec2 direction = on_circle(i, n) * stretch;
    auto& row = rows.emplace_back();
    for (const ColumnPoint& p : columns[i]) {
      const Vec2 xy = direction * p.radius;
      row.push_back({mesh.vertex({xy.x(), xy.y(), p.z}), p.units});
    }
    ends.bottom.push_back(row.front().vertex);
    ends.top.push_back(row.back().vertex);
  }
  // After one turn the same height belongs to a point one pitch further down the helix.
  rows.push_back(rows.front());
  for (MeshBuilder::Keyed& k : rows.back()) k.key -= ThreadProfile::kUnits;
  for (Index i = 0; i < n; ++i)
    outwards ? mesh.zip(rows[i], rows[i + 1]) : mesh.zip(rows[i + 1], rows[i]);
  return ends;
}

}  // namespace touche::scenes
