// SPDX-License-Identifier: Apache-2.0
// Touché and the peer libraries of the other benchmarks: queried by their own continuous tests or,
// if they have none for meshes, by tests at many poses.
#include "driver.h"
#include "peer.h"
#include "touche/query.h"

namespace touche::bench {
namespace {

class ToucheDriver final : public CcdDriver {
 public:
  std::string name() const override { return "Touché"; }
  bool can(const CcdCase&) const override { return true; }
  void load(const CcdCase& scene) override {
    a_.emplace(scene.a, "a", BuildOptions{.threads = 1});
    b_.emplace(scene.b, "b", BuildOptions{.threads = 1});
  }
  CcdAnswer first_contact(const CcdCase& scene) override {
    const ToiResult r = time_of_impact(*a_, scene.motion_a.motion(), *b_, scene.motion_b.motion(),
                                       {.tolerance = scene.tolerance});
    return {r.status != ToiStatus::free, std::min(1.0, r.time.upper)};
  }

 private:
  std::optional<Object> a_, b_;
};

/// From one pose to another, the only motions the peers know.
Sweep sweep_of(const CcdCase& scene) {
  const auto end = [](const CcdMotion& m) {
    return m.kind == CcdMotion::Kind::still ? m.start : m.end;
  };
  return {{scene.motion_a.start, scene.motion_b.start}, {end(scene.motion_a), end(scene.motion_b)}};
}

class PeerDriver final : public CcdDriver {
 public:
  PeerDriver(Peer peer, std::string name) : peer_(std::move(peer)), name_(std::move(name)) {}
  std::string name() const override { return name_; }
  bool can(const CcdCase& scene) const override {
    return scene.motion_a.kind != CcdMotion::Kind::screw &&
           scene.motion_b.kind != CcdMotion::Kind::screw;
  }
  void load(const CcdCase& scene) override { rival_ = peer_.load(scene.a, scene.b); }
  CcdAnswer first_contact(const CcdCase& scene) override {
    const Impact impact = rival_->continuous(sweep_of(scene), scene.tolerance);
    return {impact.contact, impact.time.upper};
  }

 private:
  Peer peer_;
  std::string name_;
  std::unique_ptr<Rival> rival_;
};

class SamplingDriver final : public CcdDriver {
 public:
  SamplingDriver(Peer peer, int poses) : peer_(std::move(peer)), poses_(poses) {}
  std::string name() const override {
    return peer_.name + ", " + std::to_string(poses_) + " poses";
  }
  bool can(const CcdCase&) const override { return true; }
  void load(const CcdCase& scene) override { rival_ = peer_.load(scene.a, scene.b); }
  CcdAnswer first_contact(const CcdCase& scene) override {
    const Motion a = scene.motion_a.motion(), b = scene.motion_b.motion();
    for (int i = 0; i < poses_; ++i) {
      const double t = static_cast<double>(i) / (poses_ - 1);
      if (rival_->intersects({a.pose(t), b.pose(t)})) return {true, t};
    }
    return {};
  }

 private:
  Peer peer_;
  int poses_;
  std::unique_ptr<Rival> rival_;
};

}  // namespace

std::vector<std::unique_ptr<CcdDriver>> ccd_drivers() {
  std::vector<std::unique_ptr<CcdDriver>> drivers;
  drivers.push_back(std::make_unique<ToucheDriver>());
  drivers.push_back(std::make_unique<PeerDriver>(fcl_peer(), "FCL naive, 4,001 poses"));
  drivers.push_back(std::make_unique<PeerDriver>(fcl_advancement_peer(), "FCL advancement"));
  drivers.push_back(std::make_unique<SamplingDriver>(bullet_peer(), 1001));
  drivers.push_back(std::make_unique<SamplingDriver>(cgal_peer(), 1001));
  return drivers;
}

}  // namespace touche::bench
