// SPDX-License-Identifier: Apache-2.0
// The heuristic of Hochbaum and Shmoys for faces (thesis §3.7.2, Fig. 3.6): centres are corners
// that lie far from each other, a face belongs to the centre from which its farthest corner is
// nearest. O(n d).
#include "methods/bounds/smallest_sphere.h"
#include "methods/tree/split_methods.h"
#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

class HochbaumShmoys final : public Splitter {
 public:
  explicit HochbaumShmoys(const Faces& faces) : faces_(faces) {}

  Split split(std::span<const Index> set, int degree, std::uint64_t /*seed*/) const override {
    std::vector<Vec3> corners;  // three of each face
    faces_.gather(set, corners);
    std::vector<std::uint8_t> part(set.size());
    std::vector<double> face_distance(set.size(), kInfinity);
    std::vector<double> corner_distance(corners.size(), kInfinity);

    // The first centre lies at the border: farthest from the middle of all.
    const Vec3 middle = bounds::smallest_sphere(corners).sphere.centre;
    std::size_t next = 0;
    for (std::size_t v = 1; v < corners.size(); ++v)
      if ((corners[v] - middle).squaredNorm() > (corners[next] - middle).squaredNorm()) next = v;

    for (int i = 0; i < degree_for(set, degree); ++i) {
      const Vec3 centre = corners[next];
      for (std::size_t f = 0; f < set.size(); ++f) {
        double farthest = 0;
        for (std::size_t v = 3 * f; v < 3 * f + 3; ++v) {
          const double d2 = (corners[v] - centre).squaredNorm();
          farthest = std::max(farthest, d2);
          corner_distance[v] = std::min(corner_distance[v], d2);
        }
        if (farthest < face_distance[f])
          face_distance[f] = farthest, part[f] = static_cast<std::uint8_t>(i);
      }
      next = static_cast<std::size_t>(std::ranges::max_element(corner_distance) -
                                      corner_distance.begin());
    }
    return numbered(std::move(part));
  }

 private:
  const Faces& faces_;
};

}  // namespace

std::unique_ptr<Splitter> make_hochbaum_shmoys(const Faces& faces) {
  return std::make_unique<HochbaumShmoys>(faces);
}

}  // namespace touche::tree
