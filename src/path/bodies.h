// SPDX-License-Identifier: Apache-2.0
// The two bodies of a path, and the queries that its analysis makes. The analysis is the same for
// all kinds of bodies; src/shape_path implements these queries for shapes, which src/path must not
// know.
#pragma once

#include <memory>
#include <span>

#include "touche/path.h"

namespace touche::paths {

/// Queries about two bodies while they are apart. For any number of threads.
class ApartQueries {
 public:
  virtual ~ApartQueries() = default;

  virtual ToiResult time_of_impact(const Motion& motion_a, const Motion& motion_b,
                                   const ToiOptions& options) const = 0;
  virtual DistanceResult distance(const Pose& pose_a, const Pose& pose_b,
                                  const DistanceOptions& options) const = 0;

  /// The distance that a result proves, up to an error far below the tolerance of any path.
  virtual double proved(const DistanceResult& result) const = 0;

  /// The body whose displacement, seen from the other one, bounds changes of the distance: one that
  /// is bounded.
  struct Follower {
    bool is_b = true;
    Aabb bounds;
  };
  virtual Follower follower() const = 0;
};

/// Proves that two bodies do no more than touch at every moment of a stretch of time.
class TouchProof {
 public:
  virtual ~TouchProof() = default;

  /// Returns a time, at most `end`, such that from t to it the bodies come apart by at most `most`
  /// (a length): so no ball inside both has a larger diameter at any time between. Returns t if
  /// nothing is proved.
  virtual double proved_from(double t, double end, double most) = 0;
};

/// Queries about the overlap of two bodies at one pose each. For any number of threads.
class Overlaps {
 public:
  virtual ~Overlaps() = default;

  /// Whether it is known what lies inside of both bodies, which may have slits. If not, the proofs
  /// below are about surfaces only.
  virtual bool closed() const = 0;
  virtual Thickness thickness(const Pose& pose_a, const Pose& pose_b,
                              const ThicknessOptions& options) const = 0;
  /// Whether a shift by at most `most` is found that separates the bodies; and the same, or by any
  /// other method that proves that no ball with a larger diameter fits into both.
  virtual bool apart_after_shift(const Pose& pose_a, const Pose& pose_b, double most,
                                 const Budget& budget) const = 0;
  virtual bool come_apart(const Pose& pose_a, const Pose& pose_b, double most,
                          const Budget& budget) const = 0;
  /// The largest chord error of faces that meet the other body; 0 if the budget ends first.
  virtual double chord_error(const Pose& pose_a, const Pose& pose_b, const PathOptions& options,
                             const Budget& budget) const = 0;
  /// For the motions from t_start to t_end, which must outlive it. The tolerance is that of the
  /// contacts.
  virtual std::unique_ptr<TouchProof> touch_proof(const Motion& motion_a, const Motion& motion_b,
                                                  double t_start, double t_end, double tolerance,
                                                  const Budget& budget) const = 0;
};

/// For one thread at a time, except for what is const.
class Bodies {
 public:
  virtual ~Bodies() = default;

  virtual const ApartQueries& apart() const = 0;

  /// Whether a part of one body lies inside the other, if the bodies are apart from begin to end:
  /// all the time, or at some time if the other body is not closed. `open` if that is unknown
  /// at some time because that body is open. Of the budget only the deadline and the stop flag
  /// count.
  virtual Containment containment(const Motion& motion_a, const Motion& motion_b, double begin,
                                  double end, const Budget& budget) = 0;

  /// The same for open bodies only, whether or not the bodies are in contact: `open` if an open
  /// body may hold the other one at some time, else `none`; also if that reaches beyond its hull by
  /// up to `slack`, a length by which surfaces that touch may pass each other. Undecided only if
  /// the budget ends.
  virtual Containment containment_in_open(const Motion& motion_a, const Motion& motion_b,
                                          double begin, double end, double slack,
                                          const Budget& budget) = 0;

  /// Returns false only if from begin to end neither body reaches into the other one through its
  /// openings or gaps, given that they are `apart`, a lower bound of the distance.
  virtual bool may_reach_in(const Motion& motion_a, const Motion& motion_b, double begin,
                            double end, double apart) = 0;

  /// Made at the first use.
  virtual const Overlaps& overlaps() = 0;
};

struct EarlyClearance;

/// Throws InvalidInput unless chord errors are given for each face of an object, or not at all.
void check_chord_errors(std::span<const double> errors, const Object& object);

/// Analyses the path of any two bodies. `early`: what was proved of the clearance if it was
/// followed before with the same options. Throws InvalidInput for invalid options; chord errors are
/// not checked.
PathResult follow_path(Bodies& bodies, const Motion& motion_a, const Motion& motion_b,
                       const PathOptions& options, const EarlyClearance* early = nullptr);

}  // namespace touche::paths
