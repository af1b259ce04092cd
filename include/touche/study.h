// SPDX-License-Identifier: Apache-2.0
// Removal studies: can these parts be moved along this path, and if not, when and where do they
// first touch? A study file goes in (docs/study.schema.json), a result and a report come out.
// Link target touche::study.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touche/budget.h"
#include "touche/motion.h"
#include "touche/object.h"
#include "touche/opening.h"
#include "touche/path.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

// ---- what is asked ---------------------------------------------------------------------------

/// A part that is a convex shape, solid, and is tested as a polyhedron: a polytope as it is, any
/// other shape as one that contains it (enclosing_mesh). So what is proved free is free of the
/// shape, and a contact may be a gap of the error of both parts together.
struct PartShape {
  std::optional<Shape> shape;  ///< none: the convex hull of the vertices of the part's file
  double rounded = 0;          ///< of the hull of a file: by this length
  double mesh_error = 0;       ///< length: of enclosing_mesh; 0 for polytopes, which need none
  std::string json = {};       ///< as study files have it
};

struct StudyPart {
  std::string name;            ///< unique in the study
  std::filesystem::path file;  ///< as loaded: relative names are taken from the study's folder
  std::string node;            ///< its path in an assembly, see touche/io.h; empty: the whole file
  double scale = 1;  ///< the file's coordinates times this are lengths in the study's unit
  Pose pose;         ///< where it stands at the start
  std::optional<PartShape> shape = {};  ///< in place of a mesh
};

/// Parts that move together. The pose of the group at s comes on top of the parts' start poses:
/// a point x of a part is at motion.pose(s) * (part.pose * x). All groups share s in [0, 1], the
/// position on the whole path.
struct StudyGroup {
  std::string name;
  std::vector<std::size_t> parts;
  Motion motion;
  std::vector<double> times;  ///< s of its recorded poses, from 0 to 1
};

/// Two parts that touch by design, as a joint does. Their contacts are told and measured like all
/// others, but do not make a study fail.
struct AllowedContact {
  std::size_t part_a = 0, part_b = 0;  ///< part_a < part_b
  std::string reason;                  ///< for those who read the result; not empty
};

struct Study {
  std::string title;
  std::string unit;               ///< of all lengths: "m", "cm", "mm", "um", "in" or "ft"
  std::filesystem::path file;     ///< where it came from
  std::uint64_t fingerprint = 0;  ///< FNV-1a of its text
  std::vector<StudyPart> parts;
  std::vector<StudyGroup> groups;
  std::vector<AllowedContact> allowed_contacts;  ///< each pair once
  /// Parts that touch at the start may come apart there, see ToiOptions::may_separate.
  bool may_separate = false;
  double tolerance = 0;  ///< length, > 0: see ToiOptions
  double clearance = 0;  ///< length: smaller distances are measured and reported; 0: none
  /// Length: closed parts that overlap no thicker touch, else they clash. Not set: as thick as the
  /// faces that meet may be from the smooth surfaces they stand for (chord_errors).
  std::optional<double> max_touching_thickness = 0;
  std::vector<double> times;  ///< s of all groups' recorded poses together, from 0 to 1
  /// Further files that were read: tables of motions, and convex shapes. Meshes are in `parts`.
  std::vector<std::filesystem::path> inputs = {};
};

/// Throws LoadError naming the file and the JSON path: syntax, unknown or missing keys, wrong
/// types, quaternions that are not unit length, poses that are not rigid, names that do not exist.
[[nodiscard]] Study load_study(const std::filesystem::path& file);

/// The same from memory; `file` is used in messages and to find a motion's CSV file.
[[nodiscard]] Study parse_study(std::string_view json, const std::filesystem::path& file);

/// Whether parts are drawings of the plane, see touche/outline_file.h. Code that is about meshes
/// only asks this first.
[[nodiscard]] bool has_drawings(const Study& study);

/// Loads the parts' meshes, and makes those of shapes; each has its start pose applied to its
/// vertices, once. Parts may also
/// be drawings, all of them: then each object is that of the plane's object in space, and faces are
/// edges. Throws LoadError naming the mesh file, or the JSON path of a file that is not there, of a
/// part that is a drawing where others are meshes, and of a pose or a group's motion that leaves
/// the plane of drawings.
[[nodiscard]] std::vector<Object> load_parts(const Study& study);

/// How a cache of hierarchies was used, see cached_object.
struct CacheReport {
  std::size_t loaded = 0, built = 0;  ///< parts
  std::vector<std::string> remarks;   ///< files that were refused or could not be stored
};

/// The same with the hierarchies from a folder, as far as it has them; the others are stored there.
[[nodiscard]] std::vector<Object> load_parts(const Study& study, const std::filesystem::path& cache,
                                             CacheReport& report);

// ---- what is answered ------------------------------------------------------------------------

enum class StepStatus : std::uint8_t {
  undecided,           ///< no answer: `reason` says why; never to be read as free
  free,                ///< proved: no contact in this step
  contact,             ///< first contact inside [time.lower, time.upper]
  initially_touching,  ///< already closer than the tolerance when the step begins
  not_examined,        ///< the study was interrupted before
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
  double tolerance = 0;            ///< as used, see ToiResult
  std::optional<Contact> contact;  ///< at time.upper, world coordinates
  std::string reason;              ///< of an undecided step
  /// With Study::may_separate: t until which faces that touched at the start come apart.
  double separated_at = 0;
  bool allowed = false;  ///< whether these parts may touch, see Study::allowed_contacts
  QueryStats stats;      ///< with that of the clearance at the step's start
};

/// The distance of a pair at a recorded pose, when it is below the threshold.
struct Clearance {
  std::size_t pose = 0;  ///< index into Study::times
  std::size_t part_a = 0, part_b = 0;
  double distance = 0;
  Contact closest;  ///< world coordinates
};

struct StudyStep {
  double s_start = 0, s_end = 0;
  /// The gravest of its pairs, not counting allowed contacts.
  StepStatus status = StepStatus::undecided;
  std::size_t pairs_examined = 0;
  std::size_t pairs_discarded = 0;  ///< proved free (and beyond the threshold) by their bounds
  std::size_t pairs_still = 0;      ///< no relative motion: as at the end of the step before
  QueryStats stats;                 ///< of the step and of the clearances at its start
};

/// A pair of parts that come near each other, over the whole path: its t is s.
struct PairPath {
  std::size_t part_a = 0, part_b = 0;
  PathResult path;
};

/// One part lies inside another one: a clash, though no face touches another.
struct PartInside {
  std::size_t part_a = 0, part_b = 0;
  Containment containment = Containment::undecided;  ///< a_in_b or b_in_a
  double s = 0;                                      ///< from here on
};

enum class StudyVerdict : std::uint8_t {
  undecided,
  free,     ///< proved: no contact but allowed ones, and no part inside another
  contact,  ///< there is a contact, see StudyResult::first
  inside,   ///< no contact was found, but a part lies inside another, see StudyResult::containments
  interrupted,  ///< before all that was asked for was done
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<StudyVerdict> = {
    "undecided", "free", "contact", "inside", "interrupted"};

/// Parts that touch and are allowed to.
struct AllowedTouch {
  std::size_t allowed = 0;  ///< index into Study::allowed_contacts
  double s = 0;             ///< where they touch first
};

/// Parts that touched at the start and came apart, see Study::may_separate.
struct PartsSeparate {
  std::size_t part_a = 0, part_b = 0;
  double s = 0;  ///< from here on they are apart, proved until the next contact
};

/// A shift that would open the first contact. The numbers are proved, that it helps is not: other
/// parts, and other directions, were not asked.
struct StudyHint {
  std::size_t part = 0, other = 0;  ///< the part that is moved, away from the other one
  Opening opening;                  ///< at the pose of the first contact
  /// The answer for these two with the whole path of `part` moved by the opening; its t is s. Not
  /// asked when the other part moves, too.
  std::optional<ToiResult> shifted;
};

struct [[nodiscard]] StudyResult {
  StudyVerdict verdict = StudyVerdict::undecided;
  std::vector<StudyStep> steps;          ///< all of the study's, in order
  std::vector<PairStep> pairs;           ///< those not discarded, by step, then part_a, part_b
  std::vector<Clearance> clearances;     ///< by pose, then part_a, part_b
  std::vector<PairPath> paths;           ///< when asked for; by part_a, part_b
  std::vector<PartInside> containments;  ///< by part_a, part_b; one for a pair, its first
  std::vector<AllowedTouch> allowed;     ///< in the order of Study::allowed_contacts
  std::vector<PartsSeparate> separated;  ///< by part_a, part_b
  /// Index into `pairs` of the first contact that is not allowed.
  std::optional<std::size_t> first;
  /// s of the first contact: everything but allowed contacts is proved free before time.lower, and
  /// parts touch at time.upper; infinite where no contact was found.
  Bracket time;
  std::optional<StudyHint> hint;  ///< when the first contact opens; unless `explain` is off
  std::size_t pair_count = 0;     ///< pairs of parts of which at least one moves
  std::vector<Health> health;     ///< of each part
  QueryStats stats;
};

struct StudyOptions {
  bool stop_at_first = false;  ///< leave out the steps after the first contact
  /// Follow each pair that comes near over the whole path: its contacts to their ends, their
  /// thickness, and the proved clearance. Not with stop_at_first.
  bool paths = false;
  bool explain = true;  ///< when blocked, look for what would open the first contact
  int threads = 0;      ///< 0: all; the result does not depend on it
  /// Work: per pair and step. Progress: pairs of parts times steps.
  Budget budget = {};
};

/// Throws InvalidInput for parts and groups that are not those of the study, for drawings among
/// meshes, and for drawings whose group leaves the plane.
StudyResult run_study(const Study& study, const std::vector<Object>& parts,
                      const StudyOptions& options = {});

/// Position on the whole path of t in the given step.
[[nodiscard]] double path_position(const Study& study, std::size_t step, double t);

/// A study, the parts it is about and the answers: what sentences, tables and pages are made of.
/// Made where it is needed, `result_json({study, parts, result})`: it refers to all three.
struct StudyView {
  const Study& study;
  const std::vector<Object>& parts;  ///< as load_parts gives them
  const StudyResult& result;
};

/// The answer in one sentence: who meets whom, how far the part gets until then, how thick they
/// overlap at worst; or that the path is free, and the smallest clearance that is known.
[[nodiscard]] std::string verdict_sentence(const StudyView& view);

/// The numbers that belong below it: which faces and edges meet, where in the world, at which s and
/// in which step. Empty when there is no contact.
[[nodiscard]] std::string verdict_details(const StudyView& view);

/// Tells in one or two sentences what to change when the path is blocked; empty without a hint.
[[nodiscard]] std::string explanation(const StudyView& view);

/// Tells what is not as it should be with parts that are drawings, a sentence each that begins with
/// the part's name: see OutlineReport::remarks; and what stands for curves and round shapes, and
/// how far it is off. It is empty for meshes.
[[nodiscard]] std::vector<std::string> study_remarks(const StudyView& view);

// ---- how it is written down --------------------------------------------------------------------

/// result.json, see docs/result.schema.json. The same study gives the same bytes.
[[nodiscard]] std::string result_json(const StudyView& view);

/// One line for each step and pair that was examined, with a header line.
[[nodiscard]] std::string result_csv(const StudyView& view);

/// Holds what the caller of a page says; the page itself does not look at any clock.
struct PageNotes {
  std::string date;         ///< of the study, as text in the foot
  std::string remark;       ///< as well; e.g. how long it took
  std::string viewer = {};  ///< HTML after the first pictures: see touche::report_viewer
};

/// One self-contained page. The same study and notes give the same bytes.
[[nodiscard]] std::string result_html(const StudyView& view, const PageNotes& notes = {});

}  // namespace touche
