// SPDX-License-Identifier: Apache-2.0
// The basic profile of ISO metric threads (ISO 68-1) as a helical surface.
//
// A thread is a radius as a function of s = z − P θ / 2π. One pitch is cut into 48 units: the crest
// spans 6 of them (P/8), each flank 15, the root 12 (P/4). Rows of vertices run along the helix at
// whole units, so that facets follow the thread and meet at equal keys.
#pragma once

#include <vector>

#include "mesh_builder.h"

namespace touche::scenes {

struct ThreadSize {
  const char* name;
  double diameter, pitch;  ///< D, P
  double across_flats;     ///< s of ISO 4014 and ISO 4032
  double head_height;      ///< k
  double nut_height;       ///< m
};
/// Throws InvalidInput for a size that is not in the table.
const ThreadSize& thread_size(const std::string& name);

class ThreadProfile {
 public:
  static constexpr int kUnits = 48;  ///< per pitch

  /// `shift` moves the whole profile away from the axis; a bolt's is negative.
  ThreadProfile(const ThreadSize& size, double shift);

  double crest() const { return crest_; }          ///< D/2, largest radius
  double root() const { return crest_ - depth_; }  ///< D1/2, smallest radius
  double pitch() const { return pitch_; }
  double radius(double units) const;  ///< at s in units, a crest is centred at 0

 private:
  double crest_, depth_, pitch_;
};

/// One column of the surface at the angle i / n of a turn: its points from bottom to top.
struct ColumnPoint {
  double units;  ///< s, the key that joins neighbouring columns
  double z, radius;
};
using Column = std::vector<ColumnPoint>;
Column thread_column(const ThreadProfile& profile, double bottom, double top, Index i, Index n);

/// Cuts a column off at the line from `radius` at z = `at`, growing by `slope` along z: what is
/// outside is brought to the line (`keep_inside`), or what is inside.
Column cut(const Column& column, double at, double radius, double slope, bool keep_inside);

/// Columns joined to a surface around the axis; facing outwards, or to the axis for a nut.
/// Radii are multiplied by `stretch`. Returns the rings at both ends.
struct ThreadEnds {
  Ring bottom, top;
};
ThreadEnds add_thread(MeshBuilder& mesh, const std::vector<Column>& columns, double stretch,
                      bool outwards);

}  // namespace touche::scenes
