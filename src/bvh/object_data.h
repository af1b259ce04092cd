// SPDX-License-Identifier: Apache-2.0
// The parts of an Object: its soup and the hierarchy around it, which users do not see.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/data_access.h"
#include "bvh/bvh.h"
#include "geometry/surface_features.h"
#include "touche/object.h"

namespace touche {

struct Object::Data {
  PolygonSoup soup;
  Bvh bvh;
  std::string name;

  Data(PolygonSoup s, std::string n, const BuildOptions& options)
      : soup(std::move(s)), bvh(soup, options), name(std::move(n)) {}
  /// The hierarchy must have been made for this very soup.
  Data(PolygonSoup s, Bvh&& b, std::string n)
      : soup(std::move(s)), bvh(std::move(b)), name(std::move(n)) {}

  /// Made when first asked for, by one thread, and then never changed: few queries need them.
  const SurfaceFeatures& features() const {
    std::call_once(features_asked_, [this] { features_.emplace(soup); });
    return *features_;
  }

 private:
  mutable std::once_flag features_asked_;
  mutable std::optional<SurfaceFeatures> features_;
};

inline const Bvh& bvh_of(const Object& object) { return data_of(object).bvh; }
inline const SurfaceFeatures& features_of(const Object& object) {
  return data_of(object).features();
}

/// An object with a hierarchy that was made for this very soup.
inline Object object_of(PolygonSoup soup, Bvh&& bvh, std::string name) {
  return DataAccess::make<Object>(
      std::make_shared<const Object::Data>(std::move(soup), std::move(bvh), std::move(name)));
}

}  // namespace touche
