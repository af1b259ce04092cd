// SPDX-License-Identifier: Apache-2.0
// The tests of tree building share these soups, which are easy or nasty to divide, and two simple
// volumes to rate parts by.
#pragma once

#include <array>
#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "methods/bounds/aabb.h"
#include "methods/bounds/smallest_sphere.h"
#include "methods/tree/faces.h"
#include "methods/tree/fitter.h"
#include "methods/tree/splitter.h"
#include "shapes.h"

namespace touche::test {

inline constexpr std::array kAllMethods = {
    SplitMethod::gottschalk,     SplitMethod::zachmann,  SplitMethod::hochbaum_shmoys,
    SplitMethod::moving_centres, SplitMethod::insertion, SplitMethod::branch_and_bound,
    SplitMethod::middle,         SplitMethod::median,    SplitMethod::least_overlap,
    SplitMethod::surface_area};

inline const char* name(SplitMethod method) {
  constexpr std::array names = {
      "gottschalk",       "zachmann", "hochbaum_shmoys", "moving_centres", "insertion",
      "branch_and_bound", "middle",   "median",          "least_overlap",  "surface_area"};
  return names[static_cast<std::size_t>(method)];
}

/// Triangles from their corners.
inline PolygonSoup soup_of(const std::vector<Triangle>& triangles) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const Triangle& t : triangles)
    for (const Vec3& p : t) {
      corners.push_back(static_cast<Index>(corners.size()));
      coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
    }
  return {coordinates, corners};
}

/// A small triangle about (x, 0, 0).
inline Triangle tile(double x, double size = 0.25) {
  return {Vec3(x - size, -size, 0), Vec3(x + size, -size, 0), Vec3(x, 2 * size, 0)};
}

struct NamedSoup {
  std::string name;
  PolygonSoup soup;
};

/// Makes soups of `faces` faces that cannot be distinguished, lie in a line, or are points.
inline std::vector<NamedSoup> degenerate_soups(Index faces) {
  std::vector<Triangle> equal(faces, tile(0)), line, points, one_point(faces), nested, twins;
  for (Index i = 0; i < faces; ++i) {
    const double x = i;
    line.push_back({Vec3(x, 0, 0), Vec3(x + 1, 0, 0), Vec3(x + 0.5, 0, 0)});
    points.push_back({Vec3(x, x * x, 1), Vec3(x, x * x, 1), Vec3(x, x * x, 1)});
    one_point[i] = {Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(1, 2, 3)};
    nested.push_back(tile(0, 1.0 / (1 + i)));
    twins.push_back(tile(i % 2 * 4));
  }
  return {{"equal", soup_of(equal)},
          {"line", soup_of(line)},
          {"points", soup_of(points)},
          {"one point", soup_of(one_point)},
          {"nested", soup_of(nested)},
          {"twins", soup_of(twins)},
          {"huge", soup_of({{Vec3(1e90, 0, 0), Vec3(0, -1e90, 0), Vec3(0, 0, 1e90)}, tile(0)})},
          {"tiny", soup_of({tile(0, 1e-89), tile(1e-88, 1e-89), tile(0, 1e-89)})}};
}

inline std::vector<Index> all_of(const tree::Faces& faces) {
  std::vector<Index> set(faces.size());
  std::iota(set.begin(), set.end(), Index{0});
  return set;
}

inline double box_quality(const Aabb& box, Quality quality) {
  if (box.empty()) return 0;
  const Vec3 d = box.hi - box.lo;
  switch (quality) {
    case Quality::volume:
      return d.prod();
    case Quality::diameter:
      return d.norm();
    default:
      return 2 * (d.x() * d.y() + d.y() * d.z() + d.z() * d.x());
  }
}

/// Boxes along the axes; counts how often a volume was rated with one more face.
class BoxFitter final : public tree::Fitter {
 public:
  explicit BoxFitter(const tree::Faces& faces, Quality quality = Quality::surface_area)
      : faces_(faces), quality_(quality) {}

  double quality(std::span<const Index> set) const override {
    Aabb box;
    for (const Index face : set)
      for (const Vec3& p : faces_.corners(face)) box.include(p);
    return box_quality(box, quality_);
  }
  std::unique_ptr<tree::GrowingVolume> empty() const override {
    return std::make_unique<Growing>(*this);
  }

  mutable std::atomic<std::uint64_t> ratings = 0;

 private:
  class Growing final : public tree::GrowingVolume {
   public:
    explicit Growing(const BoxFitter& fitter) : fitter_(fitter) {}
    std::unique_ptr<GrowingVolume> clone() const override {
      return std::make_unique<Growing>(*this);
    }
    double quality() const override { return box_quality(box_, fitter_.quality_); }
    double quality_with(Index face) const override {
      ++fitter_.ratings;
      return box_quality(with(face), fitter_.quality_);
    }
    bool contains(Index face) const override {
      const Aabb box = with(face);
      return box.lo == box_.lo && box.hi == box_.hi;
    }
    void add(Index face) override { box_ = with(face); }

   private:
    Aabb with(Index face) const {
      Aabb box = box_;
      for (const Vec3& p : fitter_.faces_.corners(face)) box.include(p);
      return box;
    }
    const BoxFitter& fitter_;
    Aabb box_;
  };

  const tree::Faces& faces_;
  Quality quality_;
};

/// Smallest spheres, each found anew.
class SphereFitter final : public tree::Fitter {
 public:
  explicit SphereFitter(const tree::Faces& faces) : faces_(faces) {}

  double quality(std::span<const Index> set) const override {
    std::vector<Vec3> points;
    faces_.gather(set, points);
    return points.empty() ? 0 : bounds::smallest_sphere(points).sphere.surface_area();
  }
  std::unique_ptr<tree::GrowingVolume> empty() const override {
    return std::make_unique<Growing>(*this);
  }

 private:
  class Growing final : public tree::GrowingVolume {
   public:
    explicit Growing(const SphereFitter& fitter) : fitter_(fitter) {}
    std::unique_ptr<GrowingVolume> clone() const override {
      return std::make_unique<Growing>(*this);
    }
    double quality() const override { return quality_; }
    double quality_with(Index face) const override {
      std::vector<Index> set = set_;
      set.push_back(face);
      return std::max(quality_, fitter_.quality(set));
    }
    bool contains(Index face) const override {
      return !set_.empty() && quality_with(face) == quality_;
    }
    void add(Index face) override {
      quality_ = quality_with(face);
      set_.push_back(face);
    }

   private:
    const SphereFitter& fitter_;
    std::vector<Index> set_;
    double quality_ = 0;
  };

  const tree::Faces& faces_;
};

/// Smallest spheres, except that growing ones are enlarged only where necessary (Ritter), and so
/// are larger than fitted ones, and contain more.
class LooseSphereFitter final : public tree::Fitter {
 public:
  explicit LooseSphereFitter(const tree::Faces& faces) : faces_(faces), fitted_(faces) {}

  double quality(std::span<const Index> set) const override { return fitted_.quality(set); }
  std::unique_ptr<tree::GrowingVolume> empty() const override {
    return std::make_unique<Growing>(faces_);
  }

 private:
  class Growing final : public tree::GrowingVolume {
   public:
    explicit Growing(const tree::Faces& faces) : faces_(faces) {}
    std::unique_ptr<GrowingVolume> clone() const override {
      return std::make_unique<Growing>(*this);
    }
    double quality() const override { return sphere_.radius < 0 ? 0 : sphere_.surface_area(); }
    double quality_with(Index face) const override {
      Growing with = *this;
      with.add(face);
      return with.quality();
    }
    bool contains(Index face) const override { return quality_with(face) == quality(); }
    void add(Index face) override {
      for (const Vec3& p : faces_.corners(face)) {
        if (sphere_.radius < 0) sphere_ = {p, 0};
        const Vec3 d = p - sphere_.centre;
        if (d.norm() <= sphere_.radius) continue;
        const double radius = 0.5 * (sphere_.radius + d.norm());
        sphere_.centre += (1 - radius / d.norm()) * d;
        sphere_.radius = radius;
      }
    }

   private:
    const tree::Faces& faces_;
    bounds::Sphere sphere_{Vec3::Zero(), -1};
  };

  const tree::Faces& faces_;
  const SphereFitter fitted_;
};

}  // namespace touche::test
