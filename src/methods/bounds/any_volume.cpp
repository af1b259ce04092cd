// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/any_volume.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "methods/bounds/directed_volume.h"
#include "methods/bounds/outline.h"
#include "methods/bounds/skin.h"

namespace touche::bounds {
namespace {

template <typename V>
const VolumeKind& kind_for();

/// Volumes of numbers only are kept as they lie in memory.
template <typename V>
std::vector<double> numbers_in(const V& v) {
  if constexpr (requires { v.numbers(); }) {
    return v.numbers();
  } else {
    static_assert(std::is_trivially_destructible_v<V> && sizeof(V) % sizeof(double) == 0);
    std::vector<double> out(sizeof(V) / sizeof(double));
    std::memcpy(out.data(), static_cast<const void*>(&v), sizeof(V));
    return out;
  }
}

template <typename V>
V volume_from(std::span<const double> numbers) {
  if constexpr (requires { V::from_numbers(numbers); }) {
    return V::from_numbers(numbers);
  } else {
    V v;
    if (numbers.size() != sizeof(V) / sizeof(double))
      throw InvalidInput("these numbers are no " + std::string(V::kName));
    std::memcpy(static_cast<void*>(&v), numbers.data(), sizeof(V));
    if constexpr (std::same_as<V, Mixed>)
      if (v.kind > Mixed::Kind::obb) throw InvalidInput("a mixed volume of no known kind");
    return v;
  }
}

template <FittedVolume V>
struct ModelOf final : AnyVolume::Model {
  explicit ModelOf(V volume) : v(std::move(volume)) {}

  const VolumeKind& kind() const override { return kind_for<V>(); }
  const void* volume_itself() const override { return &v; }
  bool contains(const Vec3& p) const override { return v.contains(p); }
  double volume() const override { return v.volume(); }
  double surface_area() const override { return v.surface_area(); }
  double diameter() const override { return v.diameter(); }
  AnyVolume moved(const PoseMatrix& pose) const override;
  bool overlap(const Model& other, const PoseMatrix& pose) const override {
    return bounds::overlap(v, same(other), pose);
  }
  double lower_bound(const Model& other, const PoseMatrix& pose) const override {
    return bounds::lower_bound(v, same(other), pose);
  }
  void outline(Lines& lines) const override { bounds::outline(v, lines); }
  Skin skin() const override { return bounds::skin(v); }
  std::vector<double> numbers() const override { return numbers_in(v); }

  static const V& same(const Model& other) { return static_cast<const ModelOf&>(other).v; }

  V v;
};

template <FittedVolume V>
AnyVolume any(V volume) {
  return AnyVolume(std::make_shared<ModelOf<V>>(std::move(volume)));
}

template <FittedVolume V>
AnyVolume ModelOf<V>::moved(const PoseMatrix& pose) const {
  return any(bounds::moved(v, pose));
}

template <FittedVolume V>
AnyVolume fitted_to_faces(std::span<const Triangle> triangles) {
  if constexpr (requires { V::fit_faces(triangles); }) {
    return any(V::fit_faces(triangles));
  } else {
    static_assert(sizeof(Triangle) == 3 * sizeof(Vec3));
    if (triangles.empty()) throw InvalidInput("a bounding volume needs at least one triangle");
    return any(V::fit(std::span(triangles.front().data(), 3 * triangles.size())));
  }
}

template <typename V>
const VolumeKind& kind_for() {
  static constexpr VolumeKind::Makers kMakers = {
      [](const VolumeKind&, std::span<const Vec3> points) { return any(V::fit(points)); },
      [](const VolumeKind&, std::span<const Triangle> faces) { return fitted_to_faces<V>(faces); },
      [](const VolumeKind&, std::span<const double> numbers) {
        return any(volume_from<V>(numbers));
      }};
  static const VolumeKind kKind = {V::kName, nullptr, &kMakers};
  return kKind;
}

template <typename... A, typename... B>
std::vector<VolumeKind> kinds_of(std::type_identity<std::tuple<A...>>,
                                 std::type_identity<std::tuple<B...>>) {
  return {kind_for<A>()..., kind_for<B>()...};
}

}  // namespace

std::span<const VolumeKind> volume_kinds() {
  static const std::vector<VolumeKind> kKinds =
      kinds_of(std::type_identity<AllVolumes>(), std::type_identity<OtherVolumes>());
  return kKinds;
}

const VolumeKind* find_kind(std::string_view name) {
  if (name == kDirectedName) return &kind_without_directions();
  const auto found = std::ranges::find(volume_kinds(), name, &VolumeKind::name);
  return found == volume_kinds().end() ? nullptr : &*found;
}

}  // namespace touche::bounds
