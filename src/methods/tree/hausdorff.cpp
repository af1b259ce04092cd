// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/hausdorff.h"

#include <algorithm>
#include <queue>

#include "math/rounding.h"
#include "methods/tree/surface_region.h"

namespace touche::tree {
namespace {

template <typename Region>
class Search {
 public:
  /// `extent` bounds the size of the volume, from `centre`.
  Search(const Vec3& centre, double extent, const NearestPoint& faces,
         const HausdorffOptions& options)
      : centre_(centre), extent_(extent), faces_(faces), options_(options) {
    if (!(options.absolute >= 0 && options.relative >= 0))
      throw InvalidInput("the accuracy of a Hausdorff distance must not be negative");
  }

  template <typename Regions>
  HausdorffBracket run(const Regions& regions) {
    for (const Region& region : regions) add(region, kInfinity, 0, 0);
    for (;;) {
      const bool open = !waiting_.empty() && waiting_.top().upper > lower_;
      const double upper = std::max({lower_, closed_upper_, open ? waiting_.top().upper : 0});
      // Both bounds have a slack of their own, so the gap cannot be required to be less than twice
      // that.
      const bool reached = upper - lower_ <= std::max({options_.absolute, options_.relative * upper,
                                                       4 * slack(upper)});
      if (reached || !open || samples_ >= options_.max_samples)
        return {lower_, upper, samples_, reached};
      const Candidate worst = waiting_.top();
      waiting_.pop();
      for (const Region& part : worst.region.split())
        add(part, worst.upper, worst.depth + 1, worst.face);
    }
  }

 private:
  struct Candidate {
    double upper;
    int depth;
    Index face;  // nearest to the sample
    Region region;
    bool operator<(const Candidate& o) const { return upper < o.upper; }
  };

  /// Bounds the error of a distance d between a point of the surface and one of the faces.
  ///
  /// A point of the surface: 16 u of the centre, for its sum and for the rounded centre and widths
  /// of a box along the axes; 4 u of the extent for each time its region was divided, below 256 u
  /// in all, and 16 u more for the first regions. The distance to a face: kOffsetError = 256 u. A
  /// point or a corner of a face, seen from the centre: 4 u of its size, at most d + extent + edge.
  double slack(double d) const {
    return 16 * math::kUnitRoundoff * centre_.lpNorm<1>() +
           512 * math::kUnitRoundoff * (extent_ + faces_.longest_edge() + d) + math::kUnderflow;
  }
  static constexpr int kDeepest = 60;

  void add(const Region& region, double upper, int depth, Index guess) {
    ++samples_;
    const ClosestPoint foot = faces_.nearest(centre_ + region.sample(), guess);
    const double error = slack(foot.distance);
    lower_ = std::max(lower_, foot.distance - error);
    upper = std::min(upper, bound(region, foot) + error);
    if (depth == kDeepest)
      closed_upper_ = std::max(closed_upper_, upper);
    else if (upper > lower_)
      waiting_.push({upper, depth, foot.face, region});
  }

  double bound(const Region& region, const ClosestPoint& foot) const {
    const auto from_face = [&] {
      Triangle t = faces_.face(foot.face);
      for (Vec3& corner : t) corner -= centre_;
      return region.farthest_from(t);
    };
    switch (options_.correction) {
      case Correction::region_radius:
        return foot.distance + region.radius();
      case Correction::nearest_point:
        return region.farthest_from(Vec3(foot.point - centre_));
      case Correction::nearest_face:
        return from_face();
      case Correction::smallest:
        break;
    }
    const double simple =
        std::min(foot.distance + region.radius(), region.farthest_from(Vec3(foot.point - centre_)));
    return simple <= lower_ ? simple : std::min(simple, from_face());
  }

  Vec3 centre_;
  double extent_;
  const NearestPoint& faces_;
  const HausdorffOptions& options_;
  std::priority_queue<Candidate> waiting_;
  double lower_ = 0, closed_upper_ = 0;  // the latter for regions that are not divided further
  std::size_t samples_ = 0;
};

}  // namespace

HausdorffBracket hausdorff(const bounds::Sphere& sphere, const NearestPoint& faces,
                           const HausdorffOptions& options) {
  return Search<SphericalTriangle>(sphere.centre, sphere.radius, faces, options)
      .run(surface_regions(sphere));
}

HausdorffBracket hausdorff(const bounds::Obb& box, const NearestPoint& faces,
                           const HausdorffOptions& options) {
  return Search<Rectangle>(box.centre, box.half.lpNorm<1>(), faces, options)
      .run(surface_regions(box));
}

HausdorffBracket hausdorff(const bounds::AabbMinMax& box, const NearestPoint& faces,
                           const HausdorffOptions& options) {
  return hausdorff(to_obb(box), faces, options);
}

HausdorffBracket hausdorff(const bounds::Mixed& volume, const NearestPoint& faces,
                           const HausdorffOptions& options) {
  return volume.visit([&](const auto& shape) { return hausdorff(shape, faces, options); });
}

}  // namespace touche::tree
