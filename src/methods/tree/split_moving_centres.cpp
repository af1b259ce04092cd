// SPDX-License-Identifier: Apache-2.0
// The heuristic without intermediate optimisation (thesis §3.7.3, Fig. 3.7): a face belongs to the
// centre from which its farthest corner is nearest, centres move to the mean of their faces'
// middles, and a centre is added where a face is farthest from its own. O(n d) a round.
#include "methods/tree/split_methods.h"
#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

// The mean of the middles is not the point that is best for the farthest corners, so rounds need
// not improve, and where faces are large they go in circles (tests/tree_centres_test.cpp has such
// sets). Thousands of small faces come to rest within the bound; of tens of thousands the last few
// at the borders may not (50,000 of a bumpy sphere take up to 327 rounds).
constexpr int kRounds = 100;

class MovingCentres final : public Splitter {
 public:
  explicit MovingCentres(const Faces& faces) : faces_(faces) {}

  Split split(std::span<const Index> set, int degree, std::uint64_t /*seed*/) const override {
    State state(faces_, set);
    for (int i = 1; i < degree_for(set, degree); ++i)
      if (state.add_centre())
        for (int round = 0; round < kRounds && state.move(); ++round) {
        }
    return numbered(std::move(state.part));
  }

 private:
  struct State {
    State(const Faces& f, std::span<const Index> s)
        : part(s.size()), faces(f), set(s), distance(s.size()), centres(1) {
      to_means();
      measure();
    }

    /// At the middle of the face that is farthest from its centre; whether a face prefers it.
    bool add_centre() {
      const auto far = std::ranges::max_element(distance) - distance.begin();
      centres.push_back(faces.middle(set[static_cast<std::size_t>(far)]));
      return take_over(centres.size() - 1);
    }

    /// Moves the centres, then the faces; whether a face changed its centre.
    bool move() {
      to_means();
      measure();
      bool changed = false;
      for (std::size_t c = 0; c < centres.size(); ++c) changed |= take_over(c);
      return changed;
    }

    std::vector<std::uint8_t> part;

   private:
    double from(std::size_t f, const Vec3& centre) const {
      return farthest_corner2(faces.corners(set[f]), centre);
    }

    /// A centre that has lost all its faces stays where it is.
    void to_means() {
      std::vector<Vec3> sum(centres.size(), Vec3::Zero());
      std::vector<double> count(centres.size());
      const Vec3& origin = faces.middle(set[0]);
      for (std::size_t f = 0; f < set.size(); ++f) {
        sum[part[f]] += faces.middle(set[f]) - origin;
        ++count[part[f]];
      }
      for (std::size_t c = 0; c < centres.size(); ++c)
        if (count[c] > 0) centres[c] = origin + sum[c] / count[c];
    }

    void measure() {
      for (std::size_t f = 0; f < set.size(); ++f) distance[f] = from(f, centres[part[f]]);
    }

    bool take_over(std::size_t c) {
      bool changed = false;
      for (std::size_t f = 0; f < set.size(); ++f) {
        const double d2 = from(f, centres[c]);
        if (!(d2 < distance[f])) continue;
        distance[f] = d2;
        part[f] = static_cast<std::uint8_t>(c);
        changed = true;
      }
      return changed;
    }

    const Faces& faces;
    std::span<const Index> set;
    std::vector<double> distance;  // squared
    std::vector<Vec3> centres;
  };

  const Faces& faces_;
};

}  // namespace

std::unique_ptr<Splitter> make_moving_centres(const Faces& faces) {
  return std::make_unique<MovingCentres>(faces);
}

}  // namespace touche::tree
