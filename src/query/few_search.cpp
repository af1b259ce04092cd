// SPDX-License-Identifier: Apache-2.0
#include "query/few_search.h"

#include "math/rounding.h"
#include "query/triangle_filter.h"

namespace touche::query {
namespace {

// The map from the few triangles' local coordinates to the fine mesh's. `pose` gives the positions
// of b's vertices; its inverse is off by less than 64 roundings of the summed terms, because its
// matrix is orthonormal up to about eight roundings.
bvh::LocalMap map_to_fine(const bvh::Bvh& a, const bvh::Bvh& b, const RelativePose& pose,
                          bool fine_is_a) {
  if (fine_is_a) return {a, b, pose.rotation, pose.translation};
  const Mat3 back = pose.rotation.transpose();
  const double size = a.normalization().largest_number + pose.translation.lpNorm<1>();
  return {b, a, back, -(back * pose.translation), 64 * math::kUnitRoundoff * size};
}

}  // namespace

bool PlacedFew::are_large(const bvh::Bvh& few, const bvh::Bvh& fine) {
  // If `few` is smaller, a first guess that descends both hierarchies finds near pairs sooner.
  constexpr double kHardlySmaller = 0.5;
  const auto extent = [](const bvh::Bvh& bvh) {
    return static_cast<double>(bvh.bounds(bvh.root()).extent()) * bvh.normalization().inverse_scale;
  };
  return extent(few) >= kHardlySmaller * extent(fine);
}

PlacedFew::PlacedFew(const bvh::Bvh& a, const bvh::Bvh& b, const RelativePose& pose,
                     bool fine_is_a) {
  const bvh::Bvh& few = fine_is_a ? b : a;
  const bvh::LocalMap map = map_to_fine(a, b, pose, fine_is_a);
  const FewKernels& kernel = few_kernels();
  for (std::size_t i = 0; i < few.leaf_count(); ++i) {
    const bvh::BvhLeaf& leaf = few.leaf(~static_cast<bvh::NodeRef>(i));
    const int first = bvh::kWidth * static_cast<int>(i);
    kernel.place(map, leaf, first, triangles_);
    all_ |= ((1u << leaf.count()) - 1) << first;
  }
}

std::optional<TriangleIds> any_intersecting_pair_of_few(const Object& a, const Object& b,
                                                        const RelativePose& pose, bool fine_is_a,
                                                        base::BudgetMeter& meter,
                                                        QueryStats& stats) {
  const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
  const bvh::Kernels& kernel = bvh::kernels();
  const FewKernels& few_kernel = few_kernels();
  const PlacedFew few(bvh_a, bvh_b, pose, fine_is_a);
  TriangleFilter filter(a, b, pose, stats);
  std::optional<bvh::LocalMap> map;
  std::optional<TriangleIds> hit;
  const auto found = [&](Index ta, Index tb) {
    hit = TriangleIds{ta, tb};
    return false;
  };
  const auto open_leaves = [&](NodePair nodes) {
    if (!meter.spend()) return false;
    FramedPair framed;
    ++stats.volume_tests;
    if (framed.relate(kernel, bvh_a, bvh_b, nodes, *map) > 0) return true;
    const bvh::BvhLeaf &leaf_a = bvh_a.leaf(nodes.a), &leaf_b = bvh_b.leaf(nodes.b);
    ++stats.node_pairs;
    stats.volume_tests += static_cast<std::uint64_t>(leaf_a.count() * leaf_b.count());
    kernel.add_triangles(leaf_a, leaf_b, framed.frame, filter.batch());
    return filter.flush(found);
  };
  FewDescent<FewMeetings>(fine_is_a ? bvh_a : bvh_b, meter, stats)
      .run(
          few.all(),
          [&](const bvh::BvhNode& node, std::uint32_t triangles, FewMeetings& meetings) {
            return few_kernel.meet(node, few.triangles(), triangles, meetings);
          },
          [](const FewMeetings&, int) { return true; },
          [&](bvh::NodeRef leaf, std::uint32_t triangles, const FewMeetings&, int) {
            if (!map) map.emplace(bvh_a, bvh_b, pose.rotation, pose.translation);
            return PlacedFew::for_leaves(triangles, [&](bvh::NodeRef other) {
              return open_leaves(fine_is_a ? NodePair{leaf, other} : NodePair{other, leaf});
            });
          });
  return hit;
}

}  // namespace touche::query
