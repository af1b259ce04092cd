// SPDX-License-Identifier: Apache-2.0
// Analysis of a whole path of two bodies: all intervals of contact, the depth of the overlap in
// them, and the proved clearance in between.
//
// The function for shapes belongs to the library touche::shapes and needs touche/shape.h.
#pragma once

#include <optional>
#include <vector>

#include "touche/overlap.h"
#include "touche/query.h"

namespace touche {

struct PathOptions {
  double tolerance = 0;  ///< length, must be > 0: as ToiOptions
  double clearance = 0;  ///< length, >= 0: bodies closer than this are near
  /// Length, >= 0. Bodies in contact count as touching if they separate when one is shifted by at
  /// most this length, or, if closed, when both together are shrunk by it; otherwise as a clash.
  /// Bodies that are closed except for slits count as closed, see overlap_thickness. At least the
  /// tolerance is used.
  double max_touching_thickness = 0;
  /// Lengths, >= 0, one for each face, or empty. At each time, the largest value of the faces of a
  /// that meet b then, plus that of b's, is added to the allowed thickness. See chord_errors.
  std::vector<double> chord_errors_a = {}, chord_errors_b = {};
  /// In (0, 1]: the largest step of t from one sample of the clearance to the next, and in a
  /// contact between tests of whether it has ended. Bodies that separate for a shorter time may
  /// count as in contact throughout.
  double step = 1.0 / 256;
  /// In (0, 1): the relative error of the proved lower bound of the least clearance. Elsewhere the
  /// bound may be half of the clearance, and less at the ends of contacts. A smaller bound is
  /// proved where this would cost more than about twice the proof that there is no contact, as for
  /// surfaces that slide closely along each other. Also the relative error of thicknesses.
  double relative_error = 0.1;
  /// In [0, 1]: the bodies are known to be apart at all earlier times, from an earlier search with
  /// the same tolerance.
  double apart_until = 0;
  bool profile = true;  ///< whether to compute the clearance, besides the contacts
  /// Points tested for the thickness at one time, see ThicknessOptions. In each contact all of them
  /// are spent at the time of the thickest overlap that was found, a thirty-second, or 256, at some
  /// forty other times; more only while no overlap is known that is thicker than what counts as
  /// touching. With 0 no thickness is computed, and each contact is a clash.
  std::uint64_t thickness_points = 20'000;
  int threads = 0;  ///< 0: all; the result is the same
  /// Work: limits each search for a contact, or for a time at which a proof ends, and the points of
  /// each thickness.
  Budget budget = {};
};

enum class PathVerdict {
  undecided,  ///< the budget ended, or rounding prevents a decision
  free,       ///< proved: the clearance is kept everywhere
  near,       ///< proved: no contact, but at some time at most clearance + tolerance apart
  touching,   ///< contacts, all proved to be touching only
  /// Proved of the surfaces: they are apart or only touch. But a body is open, see
  /// Containment::open, and it is unknown whether it contains a part of the other one.
  open,
  clash,  ///< other contacts, or one body lies inside the other
};
template <>
inline constexpr std::array<std::string_view, 6> kNames<PathVerdict> = {
    "undecided", "free", "near", "touching", "open", "clash"};

/// An interval of contact: from a first contact to the last one before the bodies separate for
/// `step` or longer.
struct ContactInterval {
  /// Before start.lower, back to the previous contact, the bodies are proved apart. At start.upper
  /// they are within the tolerance.
  Bracket start;
  /// At end.lower, the last time at which contact was found, they are within the tolerance. After
  /// end.upper, until the next contact, they are proved apart. An end.upper of 1 proves nothing.
  Bracket end;
  std::optional<Contact> first, last;  ///< at start.upper and end.lower
  /// Containment from then on until the next contact; `none` if the contact lasts until then.
  Containment after = Containment::undecided;
  /// The thickest overlap that was found; see PathOptions::step. [0, ∞] if no time was tested. If a
  /// body is open: 0, and the length of a shift that separates the surfaces, or ∞ if none is found.
  /// If some overlaps are thicker than what counts as touching, it is one of these.
  Thickness deepest;
  double deepest_at = 0;
  /// Length: proved upper bound of the thickness at all tested times.
  double max_thickness = kInfinity;
  /// Length: the largest thickness that counted as touching at any time.
  double max_touching_thickness = 0;
  /// Whether the bodies are proved to be only touching at all tested times.
  bool only_touching = false;
  /// At all times from start.lower to here the bodies are proved to be only touching: no ball
  /// larger than max_touching_thickness fits into both (if a body is open: a shift by that length
  /// separates the surfaces). Chord errors are evaluated at some twenty
  /// times in a contact.
  double touching_until = 0;
};

/// One sample of the clearance.
struct ClearanceSample {
  double t = 0;
  /// `upper` is the distance at t. From here to the next sample the distance is proved to be at
  /// least `lower`, which is 0 in contacts.
  Bracket clearance;
};

struct [[nodiscard]] PathResult {
  PathVerdict verdict = PathVerdict::undecided;
  std::vector<ContactInterval> contacts;  ///< in order
  /// In order, from t = 0 to `decided_until`, after which nothing is proved; empty without
  /// PathOptions::profile.
  std::vector<ClearanceSample> samples;
  /// The least clearance of all times; 0 if there are contacts or one body is inside the other.
  Bracket min_clearance;
  double min_clearance_at = 0;  ///< t at which the clearance is min_clearance.upper
  /// Containment from t = 0 until the first contact. If that is at t = 0: `open` if an open body
  /// may contain the other one at some time, else `none`.
  Containment before = Containment::undecided;
  /// Whether one body may reach into the other one through openings or gaps, and out of it, without
  /// touching it. Then only this is proved: surfaces meet in the contacts only, and neither body
  /// lies inside the other except as the containments say; bounds of thicknesses are bounds of
  /// shifts that separate the surfaces.
  bool may_reach_in = false;
  double decided_until = 0;  ///< time until which all contacts are known; 1 unless undecided
  double tolerance = 0;      ///< the tolerance used
  QueryStats stats;
};

/// Analyses the whole path. For groups of bodies that move together, see merged(). Throws
/// InvalidInput for invalid options.
///
///     const PathResult r = path(a, motion_a, b, motion_b, {.tolerance = 1e-3, .clearance = 0.1});
///     for (const ContactInterval& c : r.contacts) report(c.start.lower, c.end.upper);
PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options);

/// The same for shapes; for two soups it calls the function above. Convex shapes are solid, so a
/// body inside of a convex shape is in contact with it, and the containments of the result name
/// only a convex shape inside of a soup. Two convex shapes count as touching if a shift by at most
/// the allowed length separates them; a convex shape and a soup likewise, unless the soup has
/// slits: then each contact is a clash, and whether a round shape is inside of it is undecided
/// unless some point is proved to stay outside. Contacts name no features, and faces of soups only.
/// Throws InvalidInput for two half spaces, which are in contact without end; for rounded soups,
/// whose inside no faces enclose; for an outline's in_space(), which has no height; for chord
/// errors of a convex shape; and for invalid options.
///
///     const PathResult r = path(gripper, motion, bolt, Motion::at({}), {.tolerance = 1e-3});
PathResult path(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                const PathOptions& options);

/// An estimate, for each face of a mesh, of its distance from the smooth surface that it
/// approximates. It is computed from the angles at edges, without edges of more than 30 degrees; 0
/// where nothing is curved. Only edges whose two faces share vertices count.
[[nodiscard]] std::vector<double> chord_errors(const PolygonSoup& soup);

/// The largest chord error of all faces.
[[nodiscard]] double chord_error(const PolygonSoup& soup);

/// Why points in a mesh may count as outside although the mesh seems to enclose them, or vice
/// versa.
enum class InsideFault : std::uint8_t {
  none,
  /// Each triangle of the mesh, or of one of its outermost closed surfaces, is present equally
  /// often in both orientations, as in exports for rendering. So the winding number of each point
  /// in it is 0.
  two_sided,
  /// Adjacent faces have different orientations, and reversing faces cannot correct that, as in a
  /// Möbius strip or where edges have more than two faces. Faces that can be reversed are no fault.
  unoriented,
  /// Closed surfaces of opposite orientation overlap, and neither is a cavity of the other, as for
  /// a body and its mirror image whose faces were not reversed. Or one surface lies in another one,
  /// and more than a quarter of the area of either was reversed. Surfaces that may be solids count
  /// as solid.
  ambiguous,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<InsideFault> = {"none", "two_sided",
                                                                        "unoriented", "ambiguous"};
[[nodiscard]] InsideFault inside_fault(const PolygonSoup& soup);
/// The sentence that reports print after the name of such a mesh; empty if there is no fault.
[[nodiscard]] std::string_view remark_of(InsideFault fault);

}  // namespace touche
