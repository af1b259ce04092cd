// SPDX-License-Identifier: Apache-2.0
#include "bvh/object_data.h"

namespace touche {

Object::Object(PolygonSoup soup, std::string name, const BuildOptions& options)
    : data_(std::make_shared<const Data>(std::move(soup), std::move(name), options)) {}

Object Object::refitted(std::span<const double> coordinates, const BuildOptions& options) const {
  PolygonSoup moved = soup();
  moved.move_vertices(coordinates);
  bvh::Bvh bounds = data_->bvh.refitted(moved, options);
  return bvh::object_of(std::move(moved), std::move(bounds), name());
}

double Object::area_ratio() const { return data_->bvh.area_ratio(); }

const PolygonSoup& Object::soup() const { return data_->soup; }
const std::string& Object::name() const { return data_->name; }

Object::Memory Object::memory() const {
  return {data_->soup.memory_bytes(), data_->bvh.memory_bytes()};
}

void Object::validate() const { data_->bvh.validate(data_->soup); }

}  // namespace touche
