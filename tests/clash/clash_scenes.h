// SPDX-License-Identifier: Apache-2.0
// Small assemblies for tests of clash checks.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "engine_bay.h"
#include "shapes.h"
#include "study_files.h"
#include "touche/clash.h"

namespace touche::test {

/// Parts with names, placed one by one.
class PartsBuilder {
 public:
  std::size_t object(const PolygonSoup& soup) {
    parts_.objects.emplace_back(soup);
    return parts_.objects.size() - 1;
  }
  PartsBuilder& part(const std::string& name, std::size_t object, const Pose& pose = {}) {
    const std::size_t slash = name.rfind('/');
    parts_.parts.push_back(
        {name, slash == std::string::npos ? "" : name.substr(0, slash), object, pose});
    return *this;
  }
  PartsBuilder& part(const std::string& name, const PolygonSoup& soup, const Pose& pose = {}) {
    return part(name, object(soup), pose);
  }
  ClashParts take() {
    parts_.source = "test";
    parts_.unit = "mm";
    return std::move(parts_);
  }

 private:
  ClashParts parts_;
};

inline ClashParts load_one(const std::filesystem::path& file,
                           const ClashLoadOptions& options = {}) {
  return load_clash_parts({file}, options);
}

using NamePair = std::pair<std::string, std::string>;

/// The pairs of a result by the names of their parts, the lesser name first.
inline std::map<NamePair, ClashPair> by_names(const ClashParts& parts, const ClashResult& result) {
  std::map<NamePair, ClashPair> pairs;
  for (const ClashPair& pair : result.pairs) {
    const auto &a = parts.parts[pair.part_a].name, &b = parts.parts[pair.part_b].name;
    pairs[std::minmax(a, b)] = pair;
  }
  return pairs;
}

/// The class of a pair of named parts.
inline ClashPairVerdict class_of(const ClashParts& parts, const ClashResult& result,
                                 const std::string& a, const std::string& b) {
  const auto pairs = by_names(parts, result);
  const auto found = pairs.find(std::minmax(a, b));
  return found == pairs.end() ? ClashPairVerdict::free : found->second.verdict;
}

inline PolygonSoup cube(double lo, double hi) {
  return scenes::box(Vec3::Constant(lo), Vec3::Constant(hi), 1);
}
inline Pose shifted(double x, double y = 0, double z = 0) {
  return Pose::from_translation({x, y, z});
}

/// The answer of a check that lists one pair.
inline ClashPair only_pair(const ClashParts& parts, const ClashOptions& options = {}) {
  const ClashResult result = find_clashes(parts, options);
  EXPECT_EQ(result.pairs.size(), 1u);
  return result.pairs.empty() ? ClashPair{} : result.pairs[0];
}

}  // namespace touche::test
