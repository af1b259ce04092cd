// SPDX-License-Identifier: Apache-2.0
#include "touche/object.h"

#include <atomic>

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
    : data_(std::make_shared<Data>(std::move(soup), std::move(name), options)) {}

Object::Object(PolygonSoup soup, Bvh&& bvh, std::string name)
    : data_(std::make_shared<Data>(std::move(soup), std::move(bvh), std::move(name))) {}

void Object::refit(std::span<const double> coordinates, const BuildOptions& options) {
  // Nobody can come to share data that this object alone holds, unless through this object.
  const bool alone = data_.use_count() == 1;
  // Whoever let go of them last has finished reading.
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::shared_ptr<Data> data = alone ? data_ : std::make_shared<Data>(*data_);
  data->soup.move_vertices(coordinates);
  data->bvh = data->bvh.refitted(data->soup, options);
  data_ = data;
}

Object Object::refitted(std::span<const double> coordinates, const BuildOptions& options) const {
  Object moved = *this;
  moved.refit(coordinates, options);
  return moved;
}

double Object::looseness() const { return data_->bvh.looseness(); }

const PolygonSoup& Object::soup() const { return data_->soup; }
const Bvh& Object::bvh() const { return data_->bvh; }
const std::string& Object::name() const { return data_->name; }

Object::Memory Object::memory() const {
  return {data_->soup.memory_bytes(), data_->bvh.memory_bytes()};
}

void Object::validate() const { data_->bvh.validate(data_->soup); }

}  // namespace touche
