// SPDX-License-Identifier: Apache-2.0
#include "touche/object.h"

#include "bvh/bvh.h"

namespace touche {

struct Object::Data {
  PolygonSoup soup;
  Bvh bvh;
  std::string name;

  Data(PolygonSoup s, std::string n, const BuildOptions& options)
      : soup(std::move(s)), bvh(soup, options), name(std::move(n)) {}
  Data(PolygonSoup s, Bvh&& b, std::string n)
      : soup(std::move(s)), bvh(std::move(b)), name(std::move(n)) {}
};

Object::Object(PolygonSoup soup, std::string name, const BuildOptions& options)
    : data_(std::make_shared<const Data>(std::move(soup), std::move(name), options)) {}

Object::Object(PolygonSoup soup, Bvh&& bvh, std::string name)
    : data_(std::make_shared<const Data>(std::move(soup), std::move(bvh), std::move(name))) {}

Object Object::refitted(std::span<const double> coordinates, const BuildOptions& options) const {
  PolygonSoup moved = soup();
  moved.move_vertices(coordinates);
  Bvh bounds = bvh().refitted(moved, options);
  return Object(std::move(moved), std::move(bounds), name());
}

double Object::area_ratio() const { return data_->bvh.area_ratio(); }

const PolygonSoup& Object::soup() const { return data_->soup; }
const Bvh& Object::bvh() const { return data_->bvh; }
const std::string& Object::name() const { return data_->name; }

Object::Memory Object::memory() const {
  return {data_->soup.memory_bytes(), data_->bvh.memory_bytes()};
}

void Object::validate() const { data_->bvh.validate(data_->soup); }

}  // namespace touche
