// SPDX-License-Identifier: Apache-2.0
#include "io/gltf_animation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "io/text_scanner.h"

namespace touche::io {
namespace {

constexpr double kMostOffUnit = 1e-3;  // of the length of a quaternion from 1

// Between two key frames: how much of an interval's `length` has passed, from 0 to 1.
struct KeyTime {
  std::size_t key = 0;  // the last one that is not later
  double part = 0, length = 0;
};

// The values of a sampler at one time.
class KeyFrames {
 public:
  KeyFrames(const JsonCursor& sampler, const char* type, std::size_t width,
            std::initializer_list<int> components, double seconds, GltfBuffers& buffers)
      : sampler_(sampler),
        width_(width),
        values_(buffers.accessor(sampler.at("output"), type, components)),
        is_scalar_(type == std::string_view("SCALAR")) {
    const auto named = sampler.find("interpolation");
    const std::string how = named ? named->text() : "LINEAR";
    is_cubic_ = how == "CUBICSPLINE";
    is_step_ = how == "STEP";
    if (!is_cubic_ && !is_step_ && how != "LINEAR")
      named->fail(fmt::format("\"{}\", expected one of: LINEAR, STEP, CUBICSPLINE", how));
    const GltfAccessor times = buffers.accessor(sampler.at("input"), "SCALAR", {5126});
    // Many channels may refer to one long list, so that reading it counts as if it were there.
    buffers.allowance().take(4 * times.count(), sampler.path());
    find(times, seconds);
    const std::size_t per_key = is_cubic_ ? 3 : 1;
    // A scalar type has several numbers to a key: the weights of all morph targets.
    if (width_ == 0) width_ = values_.count() / (times.count() * per_key);
    const std::size_t elements = is_scalar_ ? width_ : 1;
    if (width_ == 0 || values_.count() != times.count() * per_key * elements)
      sampler.fail(fmt::format("{} values for {} key frames", values_.count(), times.count()));
    if (is_scalar_) buffers.allowance().take(8 * width_, sampler.path());
  }

  std::size_t width() const { return width_; }
  double part() const { return is_step_ ? 0 : at_.part; }
  bool is_cubic() const { return is_cubic_; }
  std::size_t key() const { return at_.key; }

  // Of a key frame that is interpolated linearly, or not at all.
  double of_key(std::size_t key, std::size_t k) const {
    return number(is_cubic_ ? 3 * key + 1 : key, k);
  }

  // Between key frames. A quaternion is turned by its own rule instead, except by splines.
  double value(std::size_t k) const {
    const double t = part();
    if (t == 0) return of_key(at_.key, k);
    const double a = of_key(at_.key, k), b = of_key(at_.key + 1, k);
    if (!is_cubic_) return a + t * (b - a);
    const double out = at_.length * number(3 * at_.key + 2, k),
                 in = at_.length * number(3 * (at_.key + 1), k);
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * out + (3 * t2 - 2 * t3) * b +
           (t3 - t2) * in;
  }

 private:
  void find(const GltfAccessor& times, double seconds) {
    double before = -std::numeric_limits<double>::infinity();
    std::size_t key = 0;
    for (std::size_t i = 0; i < times.count(); ++i) {
      const double time = times.real(i, 0);
      if (!std::isfinite(time) || !(time > before))
        sampler_.at("input").fail(fmt::format("key frame {} is at {}: times must ascend", i, time));
      if (time <= seconds) key = i;
      before = time;
    }
    at_.key = key;
    if (key + 1 == times.count()) return;
    const double start = times.real(key, 0), end = times.real(key + 1, 0);
    at_.length = end - start;
    at_.part = std::clamp((seconds - start) / at_.length, 0., 1.);
  }

  double number(std::size_t element, std::size_t k) const {
    const double value =
        is_scalar_ ? values_.real(element * width_ + k, 0) : values_.real(element, k);
    if (!std::isfinite(value)) sampler_.fail(fmt::format("value {} is not finite", element));
    return value;
  }

  const JsonCursor& sampler_;
  std::size_t width_;
  GltfAccessor values_;
  bool is_scalar_, is_cubic_ = false, is_step_ = false;
  KeyTime at_;
};

Vec3 vector_at(const KeyFrames& frames) {
  return {frames.value(0), frames.value(1), frames.value(2)};
}

Eigen::Quaterniond rotation_at(const KeyFrames& frames, const JsonCursor& sampler) {
  const auto of_key = [&](std::size_t key) {
    return unit_quaternion(sampler, {frames.of_key(key, 0), frames.of_key(key, 1),
                                     frames.of_key(key, 2), frames.of_key(key, 3)});
  };
  if (frames.part() == 0) return of_key(frames.key());
  if (!frames.is_cubic())
    return of_key(frames.key()).slerp(frames.part(), of_key(frames.key() + 1));
  const Eigen::Quaterniond q(frames.value(3), frames.value(0), frames.value(1), frames.value(2));
  if (!(q.norm() > 0)) sampler.fail("the spline of rotations passes through 0");
  return q.normalized();
}

bool morphed_at(const KeyFrames& frames) {
  for (std::size_t k = 0; k < frames.width(); ++k)
    if (frames.value(k) != 0) return true;
  return false;
}

template <class Value>
void set_once(std::optional<Value>& value, Value found, const JsonCursor& target) {
  if (value) target.fail("two channels of the animation move the same");
  value = std::move(found);
}

void read_channel(const JsonCursor& channel, const std::vector<JsonCursor>& samplers,
                  double seconds, std::size_t node_count, GltfBuffers& buffers,
                  std::map<std::size_t, NodePose>& poses) {
  const JsonCursor target = channel.at("target"), path = target.at("path");
  if (const auto pointer = extension_of(target, "KHR_animation_pointer")) {
    const std::string moved = pointer->at("pointer").text();
    if (moved.starts_with("/nodes/") || moved.starts_with("/meshes/"))
      pointer->fail("nodes and meshes that are moved by KHR_animation_pointer are not read");
    return;  // of materials, lights, cameras
  }
  const auto node = target.find("node");
  if (!node) return;
  NodePose& pose = poses[node->below(node_count)];
  const JsonCursor& sampler = samplers[channel.at("sampler").below(samplers.size())];
  const std::string what = path.text();
  if (what == "translation")
    set_once(pose.translation, vector_at({sampler, "VEC3", 3, {5126}, seconds, buffers}), target);
  else if (what == "scale")
    set_once(pose.scale, vector_at({sampler, "VEC3", 3, {5126}, seconds, buffers}), target);
  else if (what == "rotation")
    set_once(pose.rotation,
             rotation_at({sampler, "VEC4", 4, {5126, 5120, 5121, 5122, 5123}, seconds, buffers},
                         sampler),
             target);
  else if (what == "weights")
    set_once(pose.morphed,
             morphed_at({sampler, "SCALAR", 0, {5126, 5120, 5121, 5122, 5123}, seconds, buffers}),
             target);
  else
    path.fail(fmt::format("\"{}\", expected one of: translation, rotation, scale, weights", what));
}

std::string quoted_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace

Eigen::Quaterniond unit_quaternion(const JsonCursor& where, const std::array<double, 4>& xyzw) {
  const Eigen::Quaterniond q(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
  if (!(std::abs(q.norm() - 1) <= kMostOffUnit))
    where.fail(fmt::format("length {}, expected 1", q.norm()));
  return q.normalized();
}

GltfAnimations::GltfAnimations(const JsonCursor& root)
    : root_(root), animations_(entries(root, "animations")) {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < animations_.size(); ++i) {
    const auto name = animations_[i].find("name");
    std::string text = name ? name->text_or_empty() : "";
    if (text.empty()) text = fmt::format("animation {}", i);
    const std::size_t count = ++seen[text];
    names_.push_back(count > 1 ? fmt::format("{}#{}", text, count) : text);
  }
}

std::vector<FileAnimation> GltfAnimations::list() const {
  const std::vector<JsonCursor> accessors = entries(root_, "accessors");
  std::vector<FileAnimation> result;
  for (std::size_t i = 0; i < animations_.size(); ++i) {
    double start = std::numeric_limits<double>::infinity(), end = -start;
    for (const JsonCursor& sampler : entries(animations_[i], "samplers")) {
      const JsonCursor& input = accessors[sampler.at("input").below(accessors.size())];
      if (!input.has("min") || !input.has("max")) continue;
      start = std::min(start, input.at("min").numbers(1)[0]);
      end = std::max(end, input.at("max").numbers(1)[0]);
    }
    result.push_back(start <= end ? FileAnimation{names_[i], start, end}
                                  : FileAnimation{names_[i], 0, 0});
  }
  return result;
}

std::map<std::size_t, NodePose> GltfAnimations::poses(const AnimationTime& at,
                                                      std::size_t node_count,
                                                      GltfBuffers& buffers) const {
  const auto found = std::find(names_.begin(), names_.end(), at.name);
  if (found == names_.end())
    root_.fail(
        fmt::format("there is no animation {}; {}", in_quotes(at.name),
                    names_.empty() ? "the file has none" : "the file has " + quoted_names(names_)));
  const JsonCursor& animation = animations_[static_cast<std::size_t>(found - names_.begin())];
  const std::vector<JsonCursor> samplers = animation.at("samplers").items(1);
  std::map<std::size_t, NodePose> poses;
  for (const JsonCursor& channel : animation.at("channels").items(1))
    read_channel(channel, samplers, at.seconds, node_count, buffers, poses);
  return poses;
}

std::string unused_animations(const std::vector<FileAnimation>& animations) {
  std::vector<std::string> names;
  names.reserve(animations.size());
  for (const FileAnimation& animation : animations) names.push_back(animation.name);
  return fmt::format("its animations ({}) are not used: parts are where they are at rest",
                     quoted_names(names));
}

}  // namespace touche::io
