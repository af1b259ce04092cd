// SPDX-License-Identifier: Apache-2.0
// Removal studies: can parts be moved along a path, and if not, when and where do they first touch?
// The input is a study file (docs/study.schema.json), the output a result and a report. Link target
// touche::study.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touche/budget.h"
#include "touche/file_frame.h"
#include "touche/motion.h"
#include "touche/object.h"
#include "touche/outline_file.h"
#include "touche/overlap.h"
#include "touche/path.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

// ---- input -----------------------------------------------------------------------------------

/// A part that is a convex shape. It is solid and is tested as a polyhedron: a polytope is used as
/// it is, any other shape is replaced by a polytope that contains it (enclosing_mesh). So what is
/// proved free holds for the shape, but a reported contact may be a gap of up to the sum of both
/// parts' errors.
struct PartShape {
  std::optional<Shape> shape;  ///< not set: the convex hull of the vertices of the part's file
  double rounded = 0;          ///< length by which the hull of a file is rounded
  double mesh_error = 0;  ///< length: error of enclosing_mesh; 0 for polytopes, which need none
  std::string json = {};  ///< the shape as in the study file
};

struct StudyPart {
  std::string name;            ///< unique in the study
  std::filesystem::path file;  ///< as loaded; relative names refer to the study's folder
  std::string node;  ///< name of a node or part of the file, see PartName; empty: the whole file
  double scale = 1;  ///< the coordinates that load_soup gives times this are in the study's unit
  Pose pose;         ///< start pose
  std::optional<PartShape> shape = {};  ///< a convex shape in place of a mesh
  /// The axis of the file's coordinates that points up. Not set: as the file says, see load_soup.
  std::optional<UpAxis> up = {};
  /// Length in the study's unit, see LoadOptions::weld. Not set: as the file's precision says.
  std::optional<double> weld = {};
  /// Factors along x, y and z before the start pose, see LoadOptions::stretch. Of drawings and of
  /// the hulls of files, too; z of a drawing is 1.
  Vec3 stretch = Vec3::Ones();
  FileFrame frame = {};  ///< how load_soup turns, scales and stretches the file's coordinates
  /// Whether the study says how the file's coordinates become its unit: "unit" or "scale".
  bool has_unit = false;
  OutlineOptions drawing = {};  ///< how a drawing is read; the scale is that of the part
};

/// Parts that move together. The pose of the group at s is applied after the parts' start poses: a
/// point x of a part is at motion.pose(s) * (part.pose * x). All groups share s in [0, 1], the
/// position on the whole path.
struct StudyGroup {
  std::string name;
  std::vector<std::size_t> parts;
  Motion motion;
  std::vector<double> times;  ///< s of its recorded poses, increasing from 0 to 1
};

/// Two parts that touch by design, as in a joint. Their contacts are reported and measured like all
/// others, but do not make a study fail.
struct AllowedContact {
  std::size_t part_a = 0, part_b = 0;  ///< part_a < part_b
  std::string reason;                  ///< shown in the result; not empty
};

struct Study {
  std::string title;
  std::string unit;               ///< of all lengths: "m", "cm", "mm", "um", "in" or "ft"
  std::filesystem::path file;     ///< the file that it was read from
  std::uint64_t fingerprint = 0;  ///< FNV-1a hash of its text
  std::vector<StudyPart> parts;
  std::vector<StudyGroup> groups;
  std::vector<AllowedContact> allowed_contacts;  ///< each pair once
  /// Whether parts that touch at the start may separate, see ToiOptions::may_separate.
  bool may_separate = false;
  double tolerance = 0;  ///< length, > 0: see ToiOptions
  double clearance = 0;  ///< length: smaller distances are measured and reported; 0: none are
  /// Length: closed parts whose overlap is at most this thick count as touching; otherwise as a
  /// clash. Not set: the estimated error of the faces that meet (chord_errors).
  std::optional<double> max_touching_thickness = 0;
  std::vector<double> times;  ///< s of the recorded poses of all groups together, from 0 to 1
  /// Further files that were read: motion tables and convex shapes. Mesh files are in `parts`.
  std::vector<std::filesystem::path> inputs = {};
  /// What is odd in the file, a sentence each: times that decrease, a half turn that looks like a
  /// quaternion in another order.
  std::vector<std::string> remarks = {};
};

/// A part or a file, and the diagonal of its box.
struct PartSize {
  std::string name;
  double size = 0;  ///< length
};

/// Remarks that doubt the unit of files: all parts together are larger than 100 m or smaller than
/// 1 mm, or two of `parts` differ in size by more than 20 times. `unit`: of the lengths, as
/// Study::unit; empty: unknown, then only `parts` are compared. `option`: where the unit is given,
/// such as "--unit".
[[nodiscard]] std::vector<std::string> unit_remarks(double size_of_all,
                                                    const std::vector<PartSize>& parts,
                                                    std::string_view unit, std::string_view option);

/// A remark on a rotation that looks like a quaternion in the order x, y, z, w: it turns by about
/// 180°, and in that order it would turn by at most 90°. Empty if it does not.
[[nodiscard]] std::string order_remark(const Pose& pose);

/// Reads a study file. Throws LoadError, naming the file and the JSON path, for syntax errors,
/// unknown or missing keys, wrong types, quaternions that are not of unit length, poses that are
/// not rigid, and names that do not exist.
///
///     const Study study = load_study("gearbox.json");
///     const StudyResult result = run_study(study, load_parts(study));
///     std::puts(verdict_sentence(result).c_str());
[[nodiscard]] Study load_study(const std::filesystem::path& file);

/// The same from memory. `file` is used in messages and to find other files, such as a motion's CSV
/// file.
[[nodiscard]] Study parse_study(std::string_view json, const std::filesystem::path& file);

/// Whether any part is a drawing of the plane, see touche/outline_file.h. Code that supports meshes
/// only checks this first.
[[nodiscard]] bool has_drawings(const Study& study);

/// Loads the parts' meshes and makes meshes of shapes; the start pose is applied to the vertices.
/// If all parts are drawings, each object is the in_space() of a plane::Object, and its faces are
/// edges of the drawing. Throws LoadError naming the mesh file, or naming the JSON path of a
/// missing file, of a drawing among meshes, and of a pose or a group's motion that leaves the plane
/// of the drawings.
[[nodiscard]] std::vector<Object> load_parts(const Study& study);

/// How the cache of hierarchies was used, see cached_object.
struct CacheReport {
  std::size_t loaded = 0, built = 0;  ///< numbers of parts
  std::vector<std::string> remarks;   ///< files that were invalid or could not be stored
};

/// The same with hierarchies from the folder `cache`; hierarchies that it does not have are built
/// and stored there.
[[nodiscard]] std::vector<Object> load_parts(const Study& study, const std::filesystem::path& cache,
                                             CacheReport& report);

// ---- results ---------------------------------------------------------------------------------

enum class StepStatus : std::uint8_t {
  undecided,           ///< no result: `reason` says why; must not be taken as free
  free,                ///< proved: no contact in this step
  contact,             ///< the first contact is in [time.lower, time.upper]
  initially_touching,  ///< closer than the tolerance at the start of the step
  not_examined,        ///< the study was interrupted before this step
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<StepStatus> = {
    "undecided", "free", "contact", "initially_touching", "not_examined"};

/// One pair of parts in the step between two recorded poses.
struct PairStep {
  std::size_t step = 0;
  std::size_t part_a = 0, part_b = 0;
  StepStatus status = StepStatus::undecided;
  Bracket time;                    ///< t in the step: as ToiResult::time
  double tolerance = 0;            ///< the tolerance used, see ToiResult
  std::optional<Contact> contact;  ///< at time.upper, world coordinates
  std::string reason;              ///< why the step is undecided
  /// With Study::may_separate: t until which faces that touched at the start separate.
  double separated_at = 0;
  bool allowed = false;  ///< whether these parts may touch, see Study::allowed_contacts
  QueryStats stats;      ///< including the clearance at the start of the step
};

/// The distance of a pair of parts at a recorded pose, if it is below Study::clearance.
struct Clearance {
  std::size_t pose = 0;  ///< index into Study::times
  std::size_t part_a = 0, part_b = 0;
  double distance = 0;
  Contact closest;  ///< world coordinates
};

struct StudyStep {
  double s_start = 0, s_end = 0;
  /// The most severe status of its pairs, not counting allowed contacts.
  StepStatus status = StepStatus::undecided;
  std::size_t pairs_examined = 0;
  /// Proved free, and farther apart than the clearance, by their bounds.
  std::size_t pairs_discarded = 0;
  /// Without relative motion: their state is that at the end of the step before.
  std::size_t pairs_still = 0;
  QueryStats stats;  ///< of the step, including the clearances at its start
};

/// The analysis of a pair of parts over the whole path; t in `path` is s.
struct PairPath {
  std::size_t part_a = 0, part_b = 0;
  PathResult path;
};

/// A part that lies inside another one, which is a clash, although no faces touch; or that may do
/// so, because the other one is open.
struct PartInside {
  std::size_t part_a = 0, part_b = 0;
  Containment containment = Containment::undecided;  ///< a_in_b, b_in_a or open
  double s = 0;                                      ///< from this position on
  /// In StudyResult::may_contain: which parts are open, see Interior::is_open().
  bool a_is_open = false, b_is_open = false;
};

enum class StudyVerdict : std::uint8_t {
  undecided,
  free,     ///< proved: no contact except allowed ones, and no part inside another
  contact,  ///< there is a contact, see StudyResult::first
  inside,   ///< no contact, but a part lies inside another, see StudyResult::containments
  /// Proved of the surfaces: no contact except allowed ones. But a part is open, and it is
  /// unknown whether another one lies inside it, see StudyResult::may_contain.
  open,
  interrupted,  ///< stopped before all steps were answered
};
template <>
inline constexpr std::array<std::string_view, 6> kNames<StudyVerdict> = {
    "undecided", "free", "contact", "inside", "open", "interrupted"};

/// A contact of parts that are allowed to touch.
struct AllowedTouch {
  std::size_t allowed = 0;  ///< index into Study::allowed_contacts
  double s = 0;             ///< position of their first contact
};

/// Parts that touched at the start and separated, see Study::may_separate.
struct PartsSeparate {
  std::size_t part_a = 0, part_b = 0;
  double s = 0;  ///< from this position on they are proved apart, until the next contact
};

/// A shift that would resolve the first contact. Its numbers are proved, but not that it frees the
/// path: other parts and other directions were not tested.
struct StudyHint {
  std::size_t part = 0, other = 0;  ///< the part to shift, away from `other`
  Opening opening;                  ///< the shift, at the pose of the first contact
  /// The time of impact of these two parts if the whole path of `part` is shifted by the opening;
  /// its t is s. Not set if the other part moves, too.
  std::optional<ToiResult> shifted;
};

/// A result owns its input; copies share the data of the parts. In a result that a program fills
/// in, only the output functions need the input.
struct [[nodiscard]] StudyResult {
  Study study;                ///< the input
  std::vector<Object> parts;  ///< the input, as returned by load_parts
  StudyVerdict verdict = StudyVerdict::undecided;
  std::vector<StudyStep> steps;  ///< all of the study's, in order
  std::vector<PairStep> pairs;   ///< pairs that were not discarded, by step, then part_a, part_b
  std::vector<Clearance> clearances;  ///< by pose, then part_a, part_b
  std::vector<PairPath> paths;        ///< with StudyOptions::paths; by part_a, part_b
  /// With StudyOptions::paths: number of pairs whose whole path was to be followed. If `paths` has
  /// fewer, the study was stopped before the others; what the steps prove holds for these, too.
  std::size_t path_count = 0;
  std::vector<PartInside> containments;  ///< the first one of each pair; by part_a, part_b
  /// Pairs of which it is unknown whether one part lies inside the other: their containment is
  /// `open`. Except the allowed ones; by part_a, part_b.
  std::vector<PartInside> may_contain;
  /// Pairs of which one part may reach into the other one without contact, as
  /// PathResult::may_reach_in; by part_a, part_b. With such pairs the verdict is about surfaces,
  /// and about parts that lie wholly inside others.
  std::vector<std::pair<std::size_t, std::size_t>> may_reach_in;
  std::vector<AllowedTouch> allowed;     ///< in the order of Study::allowed_contacts
  std::vector<PartsSeparate> separated;  ///< by part_a, part_b
  /// Index into `pairs` of the first contact that is not allowed.
  std::optional<std::size_t> first;
  /// s of the first contact. Before time.lower everything is proved free except allowed contacts,
  /// and of the pairs in `may_contain` the surfaces; at time.upper parts touch. time.upper is
  /// infinite if no contact was found.
  Bracket time;
  std::optional<StudyHint> hint;  ///< if one was found, with StudyOptions::explain
  std::size_t pair_count = 0;     ///< number of pairs of parts of which at least one moves
  std::vector<Health> health;     ///< of each part
  QueryStats stats;
};

struct StudyOptions {
  bool stop_at_first = false;  ///< whether to leave out the steps after the first contact
  /// Whether to analyse each pair that comes near over the whole path: all contacts to their ends,
  /// their thickness, and the proved clearance. Not with stop_at_first. The steps come first: a
  /// study that is stopped while it follows paths has all answers that it has without them.
  bool paths = false;
  std::uint64_t thickness_points = 20'000;  ///< of whole paths, see PathOptions
  bool explain = true;  ///< whether to search for a shift that resolves the first contact
  int threads = 0;      ///< 0: all; the result does not depend on it
  /// Work: limits each pair in each step, and each search of a whole path, see PathOptions.
  /// Progress: pairs of parts times steps.
  Budget budget = {};
};

/// Runs a study. `parts` come from load_parts; study and parts become members of the result. Throws
/// InvalidInput for parts and groups that do not belong to the study, for drawings among meshes,
/// and for drawings whose group leaves the plane.
StudyResult run_study(Study study, std::vector<Object> parts, const StudyOptions& options = {});

/// The position s on the whole path that corresponds to t in a step.
[[nodiscard]] double path_position(const Study& study, std::size_t step, double t);

/// The result in one sentence: which parts meet, how far the moved part gets, and the largest
/// thickness of the overlap; or that the path is free, and the smallest known clearance.
[[nodiscard]] std::string verdict_sentence(const StudyResult& result);

/// The details of the first contact: which faces and edges meet, where in the world, at which s and
/// in which step. Empty if there is no contact.
[[nodiscard]] std::string verdict_details(const StudyResult& result);

/// One or two sentences on what to change if the path is blocked; empty without a hint.
[[nodiscard]] std::string explanation(const StudyResult& result);

/// Remarks, one sentence each: what was odd in the files (see PolygonSoup::remarks and
/// OutlineReport::remarks) and with the insides of parts, starting with the part's name, and how
/// curves and round shapes are approximated, with the error. A remark on a file of several parts is
/// there once, with the name of the first of them. Also what is odd in the study: Study::remarks,
/// unit_remarks of parts without a unit, a tolerance above the clearance.
[[nodiscard]] std::vector<std::string> study_remarks(const StudyResult& result);

// ---- output ------------------------------------------------------------------------------------

/// result.json, see docs/result.schema.json. The same study gives the same bytes.
[[nodiscard]] std::string result_json(const StudyResult& result);

/// CSV: a header line and one line for each step and pair that was tested.
[[nodiscard]] std::string result_csv(const StudyResult& result);

/// Text of the caller that is put on a page. The page itself does not read the clock, so equal
/// input gives equal pages.
struct PageNotes {
  std::string date;         ///< date of the study, shown as text in the footer
  std::string remark;       ///< shown in the footer, too; e.g. the time taken
  std::string viewer = {};  ///< HTML placed after the first pictures, see touche::report_viewer
};

/// A self-contained HTML page. The same study and notes give the same bytes.
[[nodiscard]] std::string result_html(const StudyResult& result, const PageNotes& notes = {});

}  // namespace touche
