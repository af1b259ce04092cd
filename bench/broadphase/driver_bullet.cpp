// SPDX-License-Identifier: Apache-2.0
// Bullet's dynamic tree, with its memory of pairs and alone, and its axis sweep. Debian's libraries
// are single precision.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include "driver.h"

namespace touche::bench {
namespace {

btVector3 vector(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

std::uint32_t number(const void* data) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data));
}

// It stores pairs of larger boxes; which of the bodies' own boxes overlap is tested at the end.
class Remembering : public ListingDriver {
 public:
  void init(std::span<const Box> boxes) override {
    world_ = make(boxes);
    for (const Box& box : boxes)
      proxies_.push_back(world_->createProxy(
          vector(box.lo), vector(box.hi), 0, reinterpret_cast<void*>(proxies_.size()),
          btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter, nullptr));
    // The axis sweep notes boxes only here.
    for (std::size_t i = 0; i < boxes.size(); ++i)
      world_->setAabb(proxies_[i], vector(boxes[i].lo), vector(boxes[i].hi), nullptr);
  }

  std::size_t frame(std::span<const Moved> moved) override {
    for (const Moved& m : moved)
      world_->setAabb(proxies_[m.body], vector(m.box.lo), vector(m.box.hi), nullptr);
    world_->calculateOverlappingPairs(nullptr);
    btOverlappingPairCache& cache = *world_->getOverlappingPairCache();
    const btBroadphasePair* pairs = cache.getOverlappingPairArrayPtr();
    pairs_.clear();
    for (int i = 0; i < cache.getNumOverlappingPairs(); ++i) {
      const btBroadphaseProxy &a = *pairs[i].m_pProxy0, &b = *pairs[i].m_pProxy1;
      if (TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax))
        pairs_.push_back({number(a.m_clientObject), number(b.m_clientObject)});
    }
    return pairs_.size();
  }

  std::size_t pair_bytes() const override {
    // The array of pairs, and two tables of numbers for its hashes.
    const auto remembered = static_cast<std::size_t>(
        world_->getOverlappingPairCache()->getOverlappingPairArray().capacity());
    return remembered * (sizeof(btBroadphasePair) + 2 * sizeof(int)) + ListingDriver::pair_bytes();
  }

 protected:
  virtual std::unique_ptr<btBroadphaseInterface> make(std::span<const Box> boxes) = 0;

 private:
  std::unique_ptr<btBroadphaseInterface> world_;
  std::vector<btBroadphaseProxy*> proxies_;
};

class Dbvt final : public Remembering {
  std::unique_ptr<btBroadphaseInterface> make(std::span<const Box>) override {
    return std::make_unique<btDbvtBroadphase>();
  }
};

class AxisSweep final : public Remembering {
  std::unique_ptr<btBroadphaseInterface> make(std::span<const Box> boxes) override {
    btVector3 lo = vector(boxes[0].lo), hi = vector(boxes[0].hi);
    for (const Box& box : boxes) lo.setMin(vector(box.lo)), hi.setMax(vector(box.hi));
    const btVector3 room = 0.1f * (hi - lo);
    return std::make_unique<bt32BitAxisSweep3>(lo - room, hi + room,
                                               static_cast<unsigned>(boxes.size()) + 2);
  }
};

// The tree alone, all pairs anew in each frame.
class Tree final : public ListingDriver {
 public:
  void init(std::span<const Box> boxes) override {
    for (const Box& box : boxes)
      leaves_.push_back(tree_.insert(volume(box), reinterpret_cast<void*>(leaves_.size())));
    tree_.optimizeTopDown();
  }

  std::size_t frame(std::span<const Moved> moved) override {
    for (const Moved& m : moved) {
      btDbvtVolume box = volume(m.box);
      tree_.update(leaves_[m.body], box);
    }
    tree_.optimizeIncremental(1 + static_cast<int>(moved.size() / 100));
    Collector collector{pairs_};
    pairs_.clear();
    tree_.collideTTpersistentStack(tree_.m_root, tree_.m_root, collector);
    return pairs_.size();
  }

 private:
  struct Collector : btDbvt::ICollide {
    explicit Collector(std::vector<Pair>& pairs) : to(pairs) {}
    void Process(const btDbvtNode* a, const btDbvtNode* b) override {
      to.push_back({number(a->data), number(b->data)});
    }
    std::vector<Pair>& to;
  };
  static btDbvtVolume volume(const Box& box) {
    return btDbvtVolume::FromMM(vector(box.lo), vector(box.hi));
  }

  btDbvt tree_;
  std::vector<btDbvtNode*> leaves_;
};

}  // namespace

void add_bullet(std::vector<NamedDriver>& all) {
  all.push_back({"Bullet broadphase", [] { return std::make_unique<Dbvt>(); }});
  all.push_back({"Bullet tree", [] { return std::make_unique<Tree>(); }});
  // Putting n boxes in takes n² time.
  all.push_back({"Bullet axis sweep", [] { return std::make_unique<AxisSweep>(); }, 10'000});
}

}  // namespace touche::bench
