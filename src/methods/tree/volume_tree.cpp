// SPDX-License-Identifier: Apache-2.0
#include "touche/methods/volume_tree.h"

#include "methods/tree/read.h"
#include "methods/tree/save.h"
#include "methods/tree/search.h"
#include "methods/tree/with_volume.h"

namespace touche {
namespace {

/// Swept spheres by what sweeps them: a point, a line, a rectangle.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOtherNames = {
    {{"pss", "sphere"}, {"lss", "capsule"}}};

}  // namespace

std::span<const std::string_view> volume_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const bounds::VolumeKind& kind : bounds::volume_kinds()) names.push_back(kind.name);
    return names;
  }();
  return kNames;
}

std::string_view volume_of_name(std::string_view name) {
  for (const auto& [other, volume] : kOtherNames)
    if (name == other) return volume;
  return bounds::find_kind(name) == nullptr ? std::string_view() : name;
}

VolumeTree::VolumeTree(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

VolumeTree::VolumeTree(PolygonSoup soup, const TreeOptions& options) {
  tree::check_options(options);
  if (soup.triangle_count() == 0) throw InvalidInput("tree: the soup has no faces");
  auto data = std::make_shared<Data>();
  data->soup = std::move(soup);
  data->volume = volume_of_name(options.volume);
  TreeOptions named = options;
  named.volume = data->volume;
  const bool known = tree::with_volume(named.volume, [&]<typename V>(std::type_identity<V>) {
    data->tree = tree::TypedTree<V>::build(data->soup, named);
  });
  if (!known) throw InvalidInput("tree: there is no volume \"" + options.volume + "\"");
  data_ = std::move(data);
}

namespace tree_file {

std::shared_ptr<const VolumeTree::Data> read(std::span<const std::byte> bytes,
                                             std::shared_ptr<const void> owner, PolygonSoup soup,
                                             const std::string& file) {
  auto data = std::make_shared<VolumeTree::Data>();
  data->soup = std::move(soup);
  const Reader reader(bytes, data->soup, file);
  data->volume = reader.volume();
  const bool known = tree::with_volume(data->volume, [&]<typename V>(std::type_identity<V>) {
    data->tree = reader.read<V>(std::move(owner));
  });
  if (!known) reader.fail("there is no such volume");
  return data;
}

}  // namespace tree_file

const PolygonSoup& VolumeTree::soup() const { return data_->soup; }
const std::string& VolumeTree::volume() const { return data_->volume; }
TreeShape VolumeTree::shape() const { return data_->tree->shape(); }
void VolumeTree::validate() const { data_->tree->validate(data_->soup); }

VolumeTree VolumeTree::refitted(std::span<const double> coordinates, int threads) const {
  auto moved = std::make_shared<Data>();
  moved->soup = data_->soup;
  moved->soup.move_vertices(coordinates);
  moved->volume = data_->volume;
  moved->tree = data_->tree->refitted(moved->soup, threads);
  return VolumeTree(std::move(moved));
}

TreeStats& TreeStats::operator+=(const TreeStats& o) {
  QueryStats::operator+=(o);
  for (std::size_t i = 0; i < by_kind.size(); ++i)
    for (std::size_t j = 0; j < by_kind.size(); ++j) by_kind[i][j] += o.by_kind[i][j];
  front += o.front;
  return *this;
}

TreeResult intersects(const VolumeTree& a, const Pose& pose_a, const VolumeTree& b,
                      const Pose& pose_b, const TraversalOptions& options) {
  if (a.volume() != b.volume())
    throw InvalidInput("trees of different volumes: " + a.volume() + " and " + b.volume());
  return base::data_of(a).tree->intersects(a.soup(), *base::data_of(b).tree, b.soup(),
                                           query::RelativePose(pose_a, pose_b), options);
}

namespace tree {

LevelOutline outline(const VolumeTree& tree, int level, std::size_t most) {
  return base::data_of(tree).tree->outline(level, most);
}

}  // namespace tree

}  // namespace touche
