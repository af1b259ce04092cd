// SPDX-License-Identifier: Apache-2.0
// Embree's hierarchies of boxes, refitted or rebuilt in each frame. rtcCollide lists the pairs of
// primitives in leaves that overlap, each twice: what is not a pair is sorted out here.
#include <embree3/rtcore.h>

#include <algorithm>
#include <stdexcept>

#include "driver.h"

namespace touche::bench {
namespace {

class Embree final : public ListingDriver {
 public:
  explicit Embree(RTCBuildQuality scene, RTCBuildQuality geometry) {
    device_ = rtcNewDevice("threads=1");
    rtcSetDeviceMemoryMonitorFunction(device_, count, this);
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene_, scene);
    geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(geometry_, geometry);
  }
  ~Embree() override {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;

  void init(std::span<const Box> boxes) override {
    boxes_.assign(boxes.begin(), boxes.end());
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(boxes_.size()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, this);
    rtcCommitGeometry(geometry_);
    rtcAttachGeometry(scene_, geometry_);
    rtcCommitScene(scene_);
    if (rtcGetDeviceError(device_) != RTC_ERROR_NONE) throw std::runtime_error("Embree fails");
  }

  std::size_t frame(std::span<const Moved> moved) override {
    for (const Moved& m : moved) boxes_[m.body] = m.box;
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
    pairs_.clear();
    rtcCollide(scene_, scene_, collect, this);
    return pairs_.size();
  }

  std::size_t bytes() const override {
    return boxes_.capacity() * sizeof(Box) + pair_bytes() + static_cast<std::size_t>(bytes_);
  }

 private:
  static void bounds(const RTCBoundsFunctionArguments* args) {
    const Box& box = static_cast<const Embree*>(args->geometryUserPtr)->boxes_[args->primID];
    RTCBounds& to = *args->bounds_o;
    to.lower_x = box.lo[0], to.lower_y = box.lo[1], to.lower_z = box.lo[2];
    to.upper_x = box.hi[0], to.upper_y = box.hi[1], to.upper_z = box.hi[2];
  }
  static void collect(void* user, RTCCollision* collisions, unsigned count) {
    Embree& self = *static_cast<Embree*>(user);
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t a = collisions[i].primID0, b = collisions[i].primID1;
      if (a < b && meet(self.boxes_[a], self.boxes_[b])) self.pairs_.push_back({a, b});
    }
  }
  static bool count(void* user, ssize_t bytes, bool /*post*/) {
    static_cast<Embree*>(user)->bytes_ += bytes;
    return true;
  }

  RTCDevice device_;
  RTCScene scene_;
  RTCGeometry geometry_;
  std::vector<Box> boxes_;
  ssize_t bytes_ = 0;
};

void add(std::vector<NamedDriver>& all, const std::string& name, RTCBuildQuality scene,
         RTCBuildQuality geometry) {
  all.push_back({"Embree " + name, [=] { return std::make_unique<Embree>(scene, geometry); }});
}

}  // namespace

void add_embree(std::vector<NamedDriver>& all) {
  add(all, "refitted", RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_REFIT);
  // The fastest of its builders, which costs the traversal little.
  add(all, "rebuilt", RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_LOW);
}

}  // namespace touche::bench
