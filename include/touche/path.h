// SPDX-License-Identifier: Apache-2.0
// A whole path: every interval of contact, how deep the bodies are in each other then, and how much
// clearance there is in between, proved.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "touche/overlap.h"
#include "touche/query.h"

namespace touche {

struct PathOptions {
  double tolerance = 0;  ///< length, must be > 0: as ToiOptions
  double clearance = 0;  ///< length, >= 0: less than this is near
  /// Length, >= 0: closed bodies (slits aside, see overlap_thickness) touch that come apart when
  /// one is shifted by no more than this, or both are shrunk by it together, else they clash. At
  /// least the tolerance is used.
  double max_touching_thickness = 0;
  /// Lengths, >= 0, one for each face, or empty: overlaps that are thicker by no more than the
  /// largest of the faces that meet at that time touch, too. See chord_errors. Not copied.
  std::span<const double> chord_errors_a = {}, chord_errors_b = {};
  /// In (0, 1]: how far t goes at most from one sample of the clearance to the next, and within a
  /// contact until one looks whether it has ended. Bodies that come apart for a shorter time may
  /// count as in contact throughout.
  double step = 1.0 / 256;
  /// In (0, 1): by how much the proved bound of the least clearance may fall short of it; elsewhere
  /// by half, and at the ends of contacts by more. Where that would cost more than about twice the
  /// proof that there is no contact, as between surfaces that slide along each other closely, a
  /// lesser bound is proved. Also the error of thicknesses.
  double relative_error = 0.1;
  /// In [0, 1]: the bodies are known to be apart for all t before this, by an earlier search with
  /// the same tolerance.
  double apart_until = 0;
  bool profile = true;  ///< whether to follow the clearance; else only the contacts
  /// At each time, as ThicknessOptions. 0: none; each contact is a clash then, since no thickness
  /// is known by which it could be a touch.
  std::uint64_t thickness_work = 20'000;
  int threads = 0;     ///< 0: all; the result is the same
  Budget budget = {};  ///< work: of each search for a contact
};

enum class PathClass {
  /// The allowed work was used up, or it was stopped, or it could not be told whether a body that
  /// is not closed holds a part of the other one.
  undecided,
  free,      ///< proved: the clearance is kept everywhere
  near,      ///< proved: no contact, but not farther apart than clearance + tolerance somewhere
  touching,  ///< contacts, proved to be no more than a touch at any time; both bodies closed
  clash,     ///< other contacts, or one body lies in the other's inside
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<PathClass> = {"undecided", "free", "near",
                                                                      "touching", "clash"};

/// From the first contact to the last before the bodies come apart for `step` or longer.
struct ContactInterval {
  /// Before start.lower, back to the last contact, the bodies are proved apart; at start.upper they
  /// are within the tolerance.
  Bracket start;
  /// At end.lower, as far as it was followed, they are within the tolerance; after end.upper, until
  /// the next contact, they are proved apart. An upper end of 1 proves nothing.
  Bracket end;
  std::optional<Contact> first, last;  ///< at start.upper and end.lower
  /// From then on, until the next contact; none where the contact lasts that long.
  Containment after = Containment::undecided;
  /// The thickest overlap that was found, and when; see PathOptions::step. [0, ∞] when no time was
  /// looked at. Where some overlaps are thicker than what counts as touching, it is one of those.
  Thickness deepest;
  double deepest_at = 0;
  double max_thickness = kInfinity;  ///< length: at no time looked at is it thicker, proved
  /// Length: the most that counted as touching at any time.
  double max_touching_thickness = 0;
  /// Whether the bodies come apart by what counts as touching at all times looked at, proved.
  bool only_touching = false;
  /// From start.lower to here they do so all the time, proved: no ball larger than
  /// max_touching_thickness is inside of both then. How far faces may be off from smooth surfaces
  /// is looked at some twenty times a contact.
  double touching_until = 0;
};

/// One sample of the clearance.
struct ClearanceSample {
  double t = 0;
  /// `upper` is the distance here. Everywhere from here to the next sample the distance is proved
  /// to be at least `lower`, which is 0 in contacts.
  Bracket clearance;
};

struct [[nodiscard]] PathResult {
  PathClass verdict = PathClass::undecided;
  std::vector<ContactInterval> contacts;  ///< in order
  std::vector<ClearanceSample> samples;   ///< in order, from t = 0 to t = 1; empty without profile
  /// The least clearance of all times. 0 with contacts and with one body inside the other.
  Bracket min_clearance;
  double min_clearance_at = 0;  ///< t at which the clearance is min_clearance.upper
  /// At t = 0, until the first contact; none where that is at once.
  Containment before = Containment::undecided;
  double decided_until = 0;  ///< up to here all contacts are known; 1 unless undecided
  double tolerance = 0;      ///< as used
  QueryStats stats;
};

/// For groups of things that move together, see merged().
PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options);

/// How far each face of a mesh may be from the smooth surface that it stands for: an estimate from
/// how much faces bend at edges, without those that bend by more than 30 degrees. 0 where nothing
/// is curved. Edges count where two faces share their vertices.
[[nodiscard]] std::vector<double> chord_errors(const PolygonSoup& soup);

/// The largest of all faces.
[[nodiscard]] double chord_error(const PolygonSoup& soup);

/// Why what lies in a mesh may count as outside though the mesh seems to enclose it, or the other
/// way round.
enum class InsideFault : std::uint8_t {
  none,
  /// Each triangle is there as often one way round as the other, or each of a closed surface in it
  /// that lies in nothing else, as in exports for rendering: nothing winds around any point there.
  two_sided,
  /// Faces that share an edge run different ways round, and no turning of faces mends that: as in a
  /// Möbius strip, or where edges have more than two faces. Faces that can be turned are no fault.
  unoriented,
  /// Closed surfaces overlap that run opposite ways round, as a body and its mirror image whose
  /// faces were not turned, and neither is a cavity of the other; or one lies in another, and more
  /// than a quarter of the faces of either was turned. Surfaces that may be solids count as solid.
  ambiguous,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<InsideFault> = {"none", "two_sided",
                                                                        "unoriented", "ambiguous"};
[[nodiscard]] InsideFault inside_fault(const PolygonSoup& soup);
/// Returns what reports say of such a mesh, after its name; nothing where there is no fault.
[[nodiscard]] std::string_view remark_of(InsideFault fault);

}  // namespace touche
