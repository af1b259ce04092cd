// SPDX-License-Identifier: Apache-2.0
// Branch and bound over boxes: the depth of a point in a body changes no faster than the point
// moves, so within a box the lesser of both depths is at most that of its centre and half the
// diagonal. And no depth is more than the distance of any one face, which is convex: so the mean of
// the distances of two faces, one of each body, is greatest at a corner of the box. Between two
// parallel faces it is the same everywhere, and large boxes are enough. The box with the greatest
// bound is halved across the side along which that mean rises most.
#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "geometry/point_triangle.h"
#include "path/interior.h"
#include "query/relative.h"

namespace touche {
namespace {

// Distances are this accurate, as a share of the bodies' size.
constexpr double kDepthError = 1e-12;

/// The depth of a point in one body, and what helps with points near it.
struct Depth {
  double value = -kInfinity;
  Index face = 0;
};

struct Box {
  Vec3 lo, hi;
  Depth a, b;
  double bound;
  int axis;              // to halve it along
  std::uint64_t number;  // ties go to the older

  Vec3 centre() const { return 0.5 * (lo + hi); }
  double radius() const { return 0.5 * (hi - lo).norm(); }
  bool operator<(const Box& o) const {
    return bound != o.bound ? bound < o.bound : number > o.number;
  }
};

Depth depth_of(const Interior::Data& body, const Vec3& x, const Depth& known, double moved) {
  const tree::Foot foot = body.faces.nearest(x, known.face);
  // Nearer to a point of known depth than its faces are: on the same side of them.
  const bool same_side = std::abs(known.value) > moved && std::isfinite(known.value);
  const bool inside = same_side ? known.value > 0 : body.contains(x);
  return {inside ? foot.distance : -foot.distance, foot.face};
}

class Search {
 public:
  Search(const Interior& a, const Interior& b, const RelativePose& b_in_a,
         const RelativePose& a_in_b, const ThicknessOptions& options)
      : a_(a.data()), b_(b.data()), a_in_b_(a_in_b), options_(options) {
    Aabb box;
    const Aabb& other = b.object().bounds();
    for (int corner = 0; corner < 8; ++corner)
      box.include(b_in_a * Vec3(corner & 1 ? other.lo.x() : other.hi.x(),
                                corner & 2 ? other.lo.y() : other.hi.y(),
                                corner & 4 ? other.lo.z() : other.hi.z()));
    const Aabb& own = a.object().bounds();
    region_ = {box.lo.cwiseMax(own.lo), box.hi.cwiseMin(own.hi)};
    error_ = kDepthError * (own.diagonal() + other.diagonal());
  }

  Thickness run() {
    Thickness result;
    double bound = 0;
    if (!region_.empty()) {
      look_at(region_.lo, region_.hi, {}, {}, 0);
      while (!queue_.empty()) {
        bound = queue_.top().bound;
        const double allowed =
            std::max(0.5 * options_.absolute_error, options_.relative_error * best_);
        if (bound <= best_ + allowed || work_ >= options_.max_work) break;
        const Box box = queue_.top();
        queue_.pop();
        halve(box);
        bound = 0;
      }
    }
    result.lower = 2 * std::max(0.0, best_ - error_);
    result.upper = 2 * std::max(best_, bound) + (bound > 0 || best_ > 0 ? 2 * error_ : 0);
    result.centre = centre_;
    result.work = work_;
    return result;
  }

 private:
  void halve(const Box& box) {
    const int axis = box.axis;
    const double middle = box.centre()[axis],
                 moved = 0.5 * (box.hi[axis] - middle) * (1 + 1e-9) + error_;
    Vec3 hi = box.hi, lo = box.lo;
    hi[axis] = lo[axis] = middle;
    look_at(box.lo, hi, box.a, box.b, moved);
    look_at(lo, box.hi, box.a, box.b, moved);
  }

  void look_at(const Vec3& lo, const Vec3& hi, const Depth& a, const Depth& b, double moved) {
    ++work_;
    Box box{lo, hi, a, b, 0, 0, work_};
    const Vec3 x = box.centre();
    const double radius = box.radius() * (1 + 1e-12) + error_;
    box.a = depth_of(a_, x, a, moved);
    if (!(box.a.value + radius > std::max(best_, 0.0))) return;
    box.b = depth_of(b_, a_in_b_ * x, b, moved);
    const double depth = std::min(box.a.value, box.b.value);
    if (depth > best_) {
      best_ = depth;
      centre_ = x;
    }
    box.bound = depth + radius;
    if (!(box.bound > std::max(best_, 0.0))) return;
    bound_by_faces(box);
    if (box.bound > std::max(best_, 0.0)) queue_.push(box);
  }

  // By the faces nearest to its centre.
  void bound_by_faces(Box& box) const {
    const Triangle face_a = a_.faces.face(box.a.face), face_b = b_.faces.face(box.b.face);
    const Vec3 centre = box.centre(), half = 0.5 * (box.hi - box.lo);
    struct Far {
      double a, b;
    };
    const auto at = [&](const Vec3& x) {
      return Far{nearest_offset(x, face_a).norm(), nearest_offset(a_in_b_ * x, face_b).norm()};
    };
    double most_a = 0, most_b = 0, most = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const Far far =
          at({corner & 1 ? box.lo.x() : box.hi.x(), corner & 2 ? box.lo.y() : box.hi.y(),
              corner & 4 ? box.lo.z() : box.hi.z()});
      most_a = std::max(most_a, far.a);
      most_b = std::max(most_b, far.b);
      most = std::max(most, 0.5 * (far.a + far.b));
    }
    box.bound = std::min({box.bound, most_a + error_, most_b + error_, most + error_});
    half.maxCoeff(&box.axis);
    double steepest = 1e-6 * half.maxCoeff();
    const Far middle = at(centre);
    for (int axis = 0; axis < 3; ++axis) {
      double rise = 0;
      for (const double side : {-1.0, 1.0}) {
        const Far far = at(centre + side * half[axis] * Vec3::Unit(axis));
        rise = std::max(rise, 0.5 * (far.a + far.b - middle.a - middle.b));
      }
      if (rise <= steepest) continue;
      steepest = rise;
      box.axis = axis;
    }
  }

  const Interior::Data &a_, &b_;
  const RelativePose& a_in_b_;
  const ThicknessOptions& options_;
  Aabb region_;
  double error_ = 0;
  std::priority_queue<Box> queue_;
  double best_ = 0;
  Vec3 centre_ = Vec3::Zero();
  std::uint64_t work_ = 0;
};

}  // namespace

Thickness overlap_thickness(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const ThicknessOptions& options) {
  if (!(options.relative_error >= 0) || !(options.absolute_error >= 0))
    throw InvalidInput("overlap thickness: errors must not be negative");
  const RelativePose b_in_a(pose_a, pose_b), a_in_b(pose_b, pose_a);
  Thickness result = Search(a, b, b_in_a, a_in_b, options).run();
  result.centre = pose_a * result.centre;
  return result;
}

}  // namespace touche
