// SPDX-License-Identifier: Apache-2.0
// The data of an Object: its soup and the hierarchy over it, which are private, and the outline
// that it represents, if any.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/data_access.h"
#include "bvh/bvh.h"
#include "geometry/surface_features.h"
#include "touche/object.h"

namespace touche::bvh {

/// The outline of an object whose faces stand on the edges of an outline in the plane z = 0: face e
/// on edge e, which leads from its first corner to its second one (decision 0021). Results of
/// queries contain no heights.
class Flat {
 public:
  Flat() = default;
  Flat(const Flat&) = delete;
  Flat& operator=(const Flat&) = delete;
  virtual ~Flat() = default;

  /// Whether every chain is closed.
  [[nodiscard]] virtual bool closed() const = 0;
  /// The edges of open chains, single points excepted.
  [[nodiscard]] virtual std::vector<Index> open_edges() const = 0;
  /// Whether the closed chains enclose a point, by the even-odd rule; chains that occur twice count
  /// once. Exact; false for points on the border.
  [[nodiscard]] virtual bool contains(const Vec3& x) const = 0;
  /// The same as for a mesh.
  [[nodiscard]] virtual double chord_error() const = 0;
  /// An object on the same outline after each vertex of a closed chain was moved inwards by
  /// `length` (> 0), up to rounding. Chains that then enclose nothing are kept.
  [[nodiscard]] virtual Object shrunk(double length) const = 0;
  /// Walls on the edges, all of one height, each with the number of its edge: for display.
  [[nodiscard]] virtual const PolygonSoup& walls() const = 0;
};

}  // namespace touche::bvh

namespace touche {

struct Object::Data {
  PolygonSoup soup;
  bvh::Bvh bvh;
  std::string name;
  std::shared_ptr<const bvh::Flat> flat = nullptr;

  Data(PolygonSoup s, std::string n, const BuildOptions& options)
      : soup(std::move(s)), bvh(soup, options), name(std::move(n)) {}
  Data(PolygonSoup s, std::string n, const BuildOptions& options,
       std::shared_ptr<const bvh::Flat> f)
      : soup(std::move(s)), bvh(soup, options), name(std::move(n)), flat(std::move(f)) {}
  /// The hierarchy must have been made for this soup.
  Data(PolygonSoup s, bvh::Bvh&& b, std::string n)
      : soup(std::move(s)), bvh(std::move(b)), name(std::move(n)) {}

  /// Created on first use by one thread, and never changed afterwards: few queries need them.
  const geometry::SurfaceFeatures& features() const {
    std::call_once(features_asked_, [this] { features_.emplace(soup); });
    return *features_;
  }

  /// Data that queries derive from an object, created likewise.
  struct Derived {
    Derived() = default;
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;
    virtual ~Derived() = default;
  };
  enum Finding : std::uint8_t { kThread, kHull, kFindings };
  /// `make` returns the same for the same object, in a std::unique_ptr.
  template <class Make>
  const Derived& derived(Finding finding, const Make& make) const {
    Asked& asked = derived_[finding];
    std::call_once(asked.once, [&] { asked.found = make(); });
    return *asked.found;
  }

 private:
  struct Asked {
    std::once_flag once;
    std::unique_ptr<const Derived> found;
  };
  mutable std::once_flag features_asked_;
  mutable std::optional<geometry::SurfaceFeatures> features_;
  mutable std::array<Asked, kFindings> derived_;
};

}  // namespace touche

namespace touche::bvh {

inline const Bvh& bvh_of(const Object& object) { return base::data_of(object).bvh; }
inline const geometry::SurfaceFeatures& features_of(const Object& object) {
  return base::data_of(object).features();
}

/// The outline that an object stands on; null for all others.
inline const Flat* flat_of(const Object& object) { return base::data_of(object).flat.get(); }

/// Returns the surface to display for an object.
inline const PolygonSoup& soup_to_show(const Object& object) {
  const Flat* flat = flat_of(object);
  return flat != nullptr ? flat->walls() : object.soup();
}

/// An object with a hierarchy that was made for this soup.
inline Object object_of(PolygonSoup soup, Bvh&& bvh, std::string name) {
  return DataAccess::make<Object>(
      std::make_shared<const Object::Data>(std::move(soup), std::move(bvh), std::move(name)));
}

}  // namespace touche::bvh
