// SPDX-License-Identifier: Apache-2.0
// A case of the benchmark for continuous collision of rigid bodies: two triangle soups, their
// motions, and what is true. docs/ccd-benchmark.md describes the text format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "touche/motion.h"
#include "touche/soup.h"

namespace touche::bench {

struct CcdMotion {
  enum class Kind { still, linear, screw };
  Kind kind = Kind::still;
  Pose start, end;                                  // end: of a linear one
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();  // of a screw
  double angle = 0, travel = 0;

  Motion motion() const;
};

struct CcdCase {
  std::string family{}, name{};
  PolygonSoup a{}, b{};
  CcdMotion motion_a{}, motion_b{};
  double tolerance = 0;  ///< farther apart than this must never be called a contact
  bool contact = false;
  Bracket time = {0, 1};  ///< of the first contact; before, they are apart
  double distance = 0;    ///< without contact: they stay at least this far apart
};

/// Throws Error naming the line.
std::vector<CcdCase> read_ccd(const std::filesystem::path& file);
void write_ccd(const std::vector<CcdCase>& cases, const std::filesystem::path& file);

/// The same on every machine. `count`: of each family.
std::vector<CcdCase> generate_ccd(int count);

}  // namespace touche::bench
