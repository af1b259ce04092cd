// SPDX-License-Identifier: Apache-2.0
// FCL's managers of objects. Its interval tree loses pairs of boxes when few of them move. Its
// sweep and prune breaks its lists when one end of a box moves and the other stays: boxes keep
// their size.
#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/narrowphase/collision_object.h>

#include "driver.h"

namespace touche::bench {
namespace {

// A shape that is its box, so that no pose rounds it.
class BoxShape final : public fcl::CollisionGeometryd {
 public:
  explicit BoxShape(const Box& box) { set(box); }
  void set(const Box& box) {
    aabb_local.min_ = {box.lo[0], box.lo[1], box.lo[2]};
    aabb_local.max_ = {box.hi[0], box.hi[1], box.hi[2]};
  }
  void computeLocalAABB() override {}
};

std::uint32_t number(const fcl::CollisionObjectd* object) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
}

bool add(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
  // Some managers report each pair of neighbours along one axis.
  if (a->getAABB().overlap(b->getAABB()))
    static_cast<std::vector<Pair>*>(data)->push_back({number(a), number(b)});
  return false;  // go on
}

template <class Manager>
class Fcl final : public ListingDriver {
 public:
  void init(std::span<const Box> boxes) override {
    std::vector<fcl::CollisionObjectd*> all;
    for (const Box& box : boxes) {
      shapes_.push_back(std::make_shared<BoxShape>(box));
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shapes_.back()));
      objects_.back()->setUserData(reinterpret_cast<void*>(all.size()));
      all.push_back(objects_.back().get());
    }
    manager_.registerObjects(all);
    manager_.setup();
  }

  std::size_t frame(std::span<const Moved> moved) override {
    changed_.clear();
    for (const Moved& m : moved) {
      shapes_[m.body]->set(m.box);
      objects_[m.body]->computeAABB();
      changed_.push_back(objects_[m.body].get());
    }
    if (moved.size() > objects_.size() / 2)
      manager_.update();
    else
      manager_.update(changed_);
    pairs_.clear();
    manager_.collide(&pairs_, add);
    return pairs_.size();
  }

 private:
  std::vector<std::shared_ptr<BoxShape>> shapes_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  Manager manager_;
  std::vector<fcl::CollisionObjectd*> changed_;
};

template <class Manager>
void add(std::vector<NamedDriver>& all, const std::string& what) {
  all.push_back({"FCL " + what, [] { return std::make_unique<Fcl<Manager>>(); }});
}

}  // namespace

void add_fcl(std::vector<NamedDriver>& all) {
  add<fcl::DynamicAABBTreeCollisionManagerd>(all, "tree");
  add<fcl::DynamicAABBTreeCollisionManager_Arrayd>(all, "tree array");
  // Lists of pairs that are searched from end to end, and a search from each box for each other.
  add<fcl::SaPCollisionManagerd>(all, "sweep");
  all.back().most = 1000;
  add<fcl::IntervalTreeCollisionManagerd>(all, "interval tree");
  all.back().most = 1000;
}

}  // namespace touche::bench
