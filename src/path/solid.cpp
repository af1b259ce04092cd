// SPDX-License-Identifier: Apache-2.0
// The thickness of the overlap of two convex shapes. A ball of radius r around c fits into a convex
// set if and only if u · c + r <= h(u) for each unit vector u, where h(u) is how far the set
// reaches along u. So the largest ball in both sets is the solution of a linear program in four
// unknowns with infinitely many constraints. It is solved with finitely many of them; the side of
// each set that is nearest to the solution's centre adds a constraint, until the bounds agree.
//
// Upper bound: for weights w >= 0 the sum of the constraints gives
//
//   r · sum w <= sum w h(u) - (sum w u) · c,
//
// whatever the weights, and |c| is bounded by the box around the sets. Lower bound: the depth of
// any point c, which is proved for either set. So rounding in the solution costs precision only.
#include "path/solid.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "math/rounding.h"
#include "path/interior.h"
#include "query/relative.h"

namespace touche::paths {
namespace {

constexpr std::uint64_t kMostRounds = 1'000;
// Exchanges of constraints between two points that are tested.
constexpr int kMostExchanges = 100;

class LargestBall {
 public:
  /// In the frame of a, which is bounded.
  LargestBall(const Interior::Solid& a, const Interior::Solid& b, const query::RelativePose& a_in_b,
              const ThicknessOptions& options)
      : a_(a), b_(b), a_in_b_(a_in_b), options_(options) {
    const Aabb box = a.bounds();
    reach_ = box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).norm();
    error_ = moving_error(box, a_in_b.translation);
    // The box reaches at least as far as the shape, so its constraints hold for the shape.
    const Vec3 centre = box.centre(), half = 0.5 * (box.hi - box.lo);
    const double side = std::sqrt(1.0 / 3);
    for (const Vec3& u : {Vec3(side, side, side), Vec3(side, -side, -side),
                          Vec3(-side, side, -side), Vec3(-side, -side, side)})
      add(u, u.dot(centre) + u.cwiseAbs().dot(half));
    for (int k = 0; k < 3; ++k) {
      add(Vec3::Unit(k), box.hi[k]);
      add(-Vec3::Unit(k), -box.lo[k]);
    }
  }

  Thickness run() {
    Thickness result;
    Vec3 best_centre = Vec3::Zero();
    double lower = 0, upper = kInfinity, unresolved = 0;
    const auto agree = [&] {
      return upper <= lower +
                          std::max({0.5 * options_.absolute_error, options_.relative_error * lower,
                                    16 * error_}) +
                          unresolved;
    };
    while (solve(upper) && !agree()) {
      if (result.work >= std::min(options_.max_points, kMostRounds) || options_.budget.expired())
        break;
      ++result.work;
      const Interior::Solid::Side a = a_.side(centre_), b = b_.side(a_in_b_ * centre_);
      const double here = -std::max(a.distance.upper, b.distance.upper);
      if (here > lower) {
        lower = here;
        best_centre = centre_;
      }
      add(a.normal, a.farthest);
      add(a_in_b_.rotation.transpose() * b.normal, b.farthest - b.normal.dot(a_in_b_.translation));
      // If the new constraints hold already, further points would show nothing new: the bounds
      // agree up to rounding, or as far as the bounds of this point's depths do.
      if (!is_violated(constraints_.size() - 1) && !is_violated(constraints_.size() - 2)) {
        const double width =
            std::max(a.distance.upper - a.distance.lower, b.distance.upper - b.distance.lower);
        if (std::isfinite(width)) unresolved = width;
        break;
      }
    }
    result.diameter.lower = 2 * std::max(0.0, lower - error_);
    result.diameter.upper = 2 * std::max(0.0, upper);
    result.centre = best_centre;
    result.complete = agree();
    return result;
  }

 private:
  using Vec4 = Eigen::Vector4d;

  struct Constraint {
    Vec3 u;
    double h;
    Vec4 column() const { return {u.x(), u.y(), u.z(), 1}; }
  };

  void add(const Vec3& u, double h) { constraints_.push_back({u, h}); }

  bool is_violated(std::size_t i) const {
    const Constraint& c = constraints_[i];
    return c.u.dot(centre_) + radius_ - c.h > error_;
  }

  /// Solves the program with the constraints so far, from the last solution: as long as one is
  /// violated, it replaces one of the four that determine the solution. Lowers `upper`. Returns
  /// false if rounding makes these four dependent.
  bool solve(double& upper) {
    for (int exchange = 0; exchange < kMostExchanges; ++exchange) {
      Eigen::Matrix4d columns;
      Vec4 h;
      for (int k = 0; k < 4; ++k) {
        columns.col(k) = constraints_[chosen_[k]].column();
        h[k] = constraints_[chosen_[k]].h;
      }
      const Eigen::FullPivLU<Eigen::Matrix4d> factors(columns);
      if (!factors.isInvertible()) return false;
      const Vec4 solution = factors.transpose().solve(h);
      const Vec4 weights = factors.solve(Vec4(0, 0, 0, 1)).cwiseMax(0.0);
      if (!solution.allFinite() || !weights.allFinite()) return false;
      centre_ = solution.head<3>();
      radius_ = solution[3];
      upper = std::min(upper, proved_by(weights));
      // The constraint that is violated most.
      std::size_t worst = 0;
      double most = error_;
      for (std::size_t i = 0; i < constraints_.size(); ++i) {
        const Constraint& c = constraints_[i];
        const double excess = c.u.dot(centre_) + radius_ - c.h;
        if (excess > most) worst = i, most = excess;
      }
      if (!(most > error_)) return true;
      // It replaces the one whose weight falls to zero first.
      const Vec4 falls = factors.solve(constraints_[worst].column());
      int leaves = -1;
      double least = kInfinity;
      for (int k = 0; k < 4; ++k) {
        if (!(falls[k] > 1e-12) || !(weights[k] / falls[k] < least)) continue;
        leaves = k;
        least = weights[k] / falls[k];
      }
      if (leaves < 0) return false;
      chosen_[static_cast<std::size_t>(leaves)] = worst;
    }
    return true;
  }

  /// Upper bound of the radius, for any weights >= 0.
  double proved_by(const Vec4& weights) const {
    Vec3 rest = Vec3::Zero();
    double sum = 0, total = 0;
    for (int k = 0; k < 4; ++k) {
      const Constraint& c = constraints_[chosen_[static_cast<std::size_t>(k)]];
      rest += weights[k] * c.u;
      sum += weights[k] * c.h;
      total += weights[k];
    }
    if (!(total > 0.5)) return kInfinity;
    return (sum + rest.norm() * reach_) / total + error_;
  }

  const Interior::Solid &a_, &b_;
  const query::RelativePose& a_in_b_;
  const ThicknessOptions& options_;
  double reach_ = 0, error_ = 0;
  std::vector<Constraint> constraints_;
  std::array<std::size_t, 4> chosen_ = {0, 1, 2, 3};
  Vec3 centre_ = Vec3::Zero();
  double radius_ = 0;
};

bool is_bounded(const Interior::Solid& solid) { return std::isfinite(solid.bounds().diagonal()); }

/// Whether all vertices of an object's faces lie inside a convex shape: then all of it does.
Holds all_inside(const Interior& inner, const Pose& pose_inner, const Interior::Solid& outer,
                 const Pose& pose_outer, const Budget& budget) {
  const query::RelativePose to_outer(pose_outer, pose_inner);
  const Object& object = inner.object();
  const double error = moving_error(object.bounds(), to_outer.translation);
  bool undecided = false;
  std::uint64_t points = 0;
  for (const std::vector<Index>& part : base::data_of(inner).parts)
    for (const Index v : part) {
      if (points++ >= budget.max_work || budget.expired()) return Holds::undecided;
      const Bracket at = outer.side(to_outer * object.soup().vertex(v)).distance;
      if (at.lower > error) return Holds::no;
      undecided = undecided || !(at.upper < -error);
    }
  if (undecided) return Holds::undecided;
  return points > 0 ? Holds::yes : Holds::no;
}

Holds lies_inside(const Interior& inner, const Pose& pose_inner, const Interior& outer,
                  const Pose& pose_outer, const Budget& budget) {
  if (const Interior::Solid* solid = solid_of(inner))
    return solid->is_inside(pose_inner, outer, pose_outer, budget);
  return all_inside(inner, pose_inner, *solid_of(outer), pose_outer, budget);
}

}  // namespace

void refuse_outline(const char* who, const Interior& body) {
  if (base::data_of(body).flat != nullptr)
    throw InvalidInput(std::string(who) +
                       ": an object that stands on an outline has no height, a shape in space has");
}

double moving_error(const Aabb& box, const Vec3& translation) {
  return math::kFormulaError * (box.lo.norm() + box.hi.norm() + 2 * translation.norm());
}

Containment containment_of_solids(const Interior& a, const Pose& pose_a, const Interior& b,
                                  const Pose& pose_b, const Budget& budget) {
  for (const Interior* body : {&a, &b})
    if (solid_of(*body) == nullptr) refuse_outline("containment", *body);
  const Holds a_in_b = lies_inside(a, pose_a, b, pose_b, budget);
  if (a_in_b == Holds::yes) return Containment::a_in_b;
  return containment_of(a_in_b, lies_inside(b, pose_b, a, pose_a, budget));
}

Thickness thickness_of_solids(const Interior& a, const Pose& pose_a, const Interior& b,
                              const Pose& pose_b, const ThicknessOptions& options) {
  const Interior::Solid &solid_a = *solid_of(a), &solid_b = *solid_of(b);
  if (!is_bounded(solid_a)) {
    if (!is_bounded(solid_b))
      throw InvalidInput("overlap thickness: two half spaces have room for balls of any size");
    return thickness_of_solids(b, pose_b, a, pose_a, options);
  }
  const query::RelativePose a_in_b(pose_b, pose_a);
  Thickness result = LargestBall(solid_a, solid_b, a_in_b, options).run();
  result.centre = pose_a * result.centre;
  return result;
}

}  // namespace touche::paths
