// SPDX-License-Identifier: Apache-2.0
#include "query/object_thread.h"

#include <memory>
#include <optional>

#include "bvh/object_data.h"

namespace touche::query {
namespace {

struct FoundThread final : Object::Data::Derived {
  std::optional<ObjectThread> thread;
};

std::unique_ptr<const FoundThread> find_thread(const Object& object) {
  auto found = std::make_unique<FoundThread>();
  if (const std::optional<SlidingScrew> screw = sliding_screw(object.soup()))
    found->thread.emplace(object, *screw);
  return found;
}

}  // namespace

ObjectThread::ObjectThread(const Object& object, const SlidingScrew& screw)
    : advance_(screw.advance) {
  const Vec3 side = screw.axis.unitOrthogonal();
  map_.rotation << side.transpose(), screw.axis.cross(side).transpose(), screw.axis.transpose();
  const Vec3 origin =
      screw.point + screw.axis.dot(object.bounds().centre() - screw.point) * screw.axis;
  map_.translation = -(map_.rotation * origin);
}

const HelixTree& ObjectThread::tree(const Object& object) const {
  std::call_once(asked_, [&] {
    tree_.begin(object, map_, advance_);
    while (tree_.add(object.soup().triangle_count())) {
    }
    tree_.add_root();
    tree_.divide_all();
  });
  return tree_;
}

const ObjectThread* thread_of(const Object& object) {
  const auto& found = static_cast<const FoundThread&>(
      base::data_of(object).derived(Object::Data::kThread, [&] { return find_thread(object); }));
  return found.thread ? &*found.thread : nullptr;
}

}  // namespace touche::query
