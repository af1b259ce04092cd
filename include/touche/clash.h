// SPDX-License-Identifier: Apache-2.0
// Clash checks: every pair of parts of an assembly, and how they stand to each other. A file, a
// folder or a study goes in, a result and a report come out. Link target touche::clash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "touche/budget.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/overlap.h"
#include "touche/query.h"
#include "touche/study.h"

namespace touche {

// ---- what is asked ---------------------------------------------------------------------------

struct ClashPart {
  std::string name;        ///< unique: the names of the nodes down to it, "Crankcase/Piston 1"
  std::string group;       ///< the same of the node above it; empty for none
  std::size_t object = 0;  ///< index into ClashParts::objects
  Pose pose;               ///< a point x of the object is at pose * x
};

/// The parts of an assembly and where they are. Parts that are alike share an object.
struct ClashParts {
  std::string source;  ///< the files or the folder, for those who read the result
  std::string unit;    ///< of all lengths, as Study::unit
  std::vector<Object> objects;
  std::vector<ClashPart> parts;
  std::vector<AllowedContact> allowed_contacts;  ///< of a study
  std::vector<std::string> remarks;              ///< what was left out, or is not as it should be
  /// Says by how much each object is larger, at most, than the round shape that it stands for
  /// (enclosing_mesh). Empty: there are none. Overlaps are told as those of the shapes at least,
  /// and clash where these do.
  std::vector<double> mesh_errors = {};
};

struct ClashLoadOptions {
  /// Says what one unit of the files' coordinates is, as Study::unit does. Empty: metres for glTF
  /// and COLLADA, else millimetres. Not for studies, which say it themselves.
  std::string unit = {};
  int threads = 0;         ///< 0: all; the result does not depend on it
  double chord_error = 0;  ///< of drawings: see OutlineOptions
};

/// Reads parts from files and folders. In a file that holds nodes (see is_assembly) each node that
/// has a mesh is a part; a node of an assembly can be named as parse_part_name says. Any other mesh
/// file is a part. Drawings of the plane (see touche/outline_file.h) are parts, too: then all are
/// drawings, in millimetres, each object is that of the plane's object in space, and faces are
/// edges. In a folder that holds meshes they become a remark. All mesh files of a folder are read,
/// in the order of their names, and its folders are groups; what is no mesh file becomes a remark.
/// When several files hold nodes, the file's name comes first in the names of its parts.
///
/// A uniform scale of a node, or its mirror image, goes into a copy of the mesh that all such nodes
/// share. Nodes whose mesh has no faces become a remark.
///
/// Throws LoadError as load_assembly does, naming the node for transforms that are singular or
/// shear or scale by different factors, when there is no part at all, for units of files that
/// differ, and for parts of the same name.
[[nodiscard]] ClashParts load_clash_parts(const std::vector<std::filesystem::path>& files,
                                          const ClashLoadOptions& options = {});

/// Whether parts are drawings of the plane. Code that is about meshes only asks this first.
[[nodiscard]] bool has_drawings(const ClashParts& parts);

/// The parts of a study, at s in [0, 1] of its path.
[[nodiscard]] ClashParts clash_parts(const Study& study, double s = 0);

/// Pairs of parts that belong together. Patterns are names in which '*' stands for any number of
/// any characters and '?' for one; '\' makes the next character stand for itself. A pattern without
/// '/' is compared with the last step of a part's name, others with all of it.
struct ClashRule {
  std::string a, b;  ///< either way round
  std::string reason;
  bool exact = false;  ///< whether a and b are whole names of parts, and no patterns
};

/// Says what a rule does with a pair.
enum class ClashRuling : std::uint8_t {
  none,
  accept,  ///< it is examined, but makes no check fail
  ignore,  ///< it is not examined
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<ClashRuling> = {"none", "accept", "ignore"};

struct ClashRules {
  std::vector<ClashRule> ignore = {}, accept = {};
  ClashRuling same_group = ClashRuling::none;        ///< parts with the same node above them
  ClashRuling parent_and_child = ClashRuling::none;  ///< a part and one that hangs below its node
};

/// Reads a rule file (docs/clash-rules.schema.json). Throws LoadError naming the file and the JSON
/// path.
[[nodiscard]] ClashRules load_clash_rules(const std::filesystem::path& file);
[[nodiscard]] ClashRules parse_clash_rules(std::string_view json,
                                           const std::filesystem::path& file);

/// Holds what somebody who looked at a pair of parts wrote about it, as in `touche view`.
struct ClashNote {
  std::string a, b;  ///< names of parts, the first the smaller
  std::string text = {};
  bool accepted = false;  ///< whether the pair is to count as a clash no longer
};

/// Reads a file of notes (docs/clash-notes.schema.json). Throws LoadError naming the file and the
/// JSON path.
[[nodiscard]] std::vector<ClashNote> load_clash_notes(const std::filesystem::path& file);
[[nodiscard]] std::vector<ClashNote> parse_clash_notes(std::string_view json,
                                                       const std::filesystem::path& file);
[[nodiscard]] std::string clash_notes_json(const std::vector<ClashNote>& notes);

/// Adds rules that accept the pairs that notes accept, each by the whole names of its parts.
void add_accepted(ClashRules& rules, const std::vector<ClashNote>& notes);

/// Whether a name matches a pattern of a rule.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

// ---- what is answered ------------------------------------------------------------------------

/// How two parts stand to each other, gravest last.
enum class ClashClass : std::uint8_t {
  free,       ///< proved: farther apart than the clearance, and none inside the other
  near,       ///< no contact, but closer than the clearance
  touching,   ///< both are closed, and come apart when shifted or shrunk by what is allowed
  undecided,  ///< the budget ended first; never to be read as free
  contains,   ///< no faces meet, but a connected piece of one lies inside the other
  clash,      ///< faces meet, and it is no touch
};
template <>
inline constexpr std::array<std::string_view, 6> kNames<ClashClass> = {
    "free", "near", "touching", "undecided", "contains", "clash"};

/// Says what allows parts that touch to overlap.
enum class ClashAllowance : std::uint8_t {
  tolerance,    ///< how exactly parts are where they are meant to be
  given,        ///< ClashOptions::max_touching_thickness
  chord_error,  ///< of the faces that meet
  mesh_error,   ///< of the polyhedra around round shapes: ClashParts::mesh_errors
  slits,        ///< gaps between faces, beside which nothing is known
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<ClashAllowance> = {
    "tolerance", "given", "chord_error", "mesh_error", "slits"};

struct ClashPair {
  std::size_t part_a = 0, part_b = 0;  ///< part_a < part_b
  ClashClass verdict = ClashClass::undecided;
  Bracket distance;  ///< of the surfaces; [0, 0] where they meet
  /// Where they meet or are closest, in world coordinates; a pair of faces among those that meet.
  std::optional<Contact> contact;
  /// Measures the overlap, where surfaces meet or one part holds the other: see overlap_thickness.
  Thickness thickness;
  double max_touching_thickness = 0;                     ///< as used: by so much they may overlap
  ClashAllowance allowance = ClashAllowance::tolerance;  ///< why
  double tolerance = 0;                                  ///< as used
  /// Whether both surfaces are closed, slits aside that are narrower than a millionth of a part's
  /// size; otherwise how thick an overlap is is a matter of degree.
  bool closed = true;
  Containment containment = Containment::none;  ///< of the verdict `contains`: a_in_b or b_in_a
  std::optional<std::string> accepted;          ///< by a rule: its reason
  QueryStats stats;
};

enum class ClashVerdict : std::uint8_t {
  undecided,  ///< no clash was found, but not every pair could be answered
  free,       ///< no clash but accepted ones, and no part inside another
  clash,      ///< a clash, or a part inside another
  interrupted,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<ClashVerdict> = {"undecided", "free",
                                                                         "clash", "interrupted"};

struct [[nodiscard]] ClashResult {
  ClashVerdict verdict = ClashVerdict::undecided;
  /// All pairs that are not free, by part_a, part_b.
  std::vector<ClashPair> pairs;
  std::array<std::size_t, 6> counts{};    ///< of pairs, by ClashClass, accepted ones included
  std::array<std::size_t, 6> accepted{};  ///< of these, accepted
  std::size_t ignored = 0;                ///< pairs that a rule left out
  std::size_t examined = 0;               ///< pairs whose boxes are not farther apart than allowed
  double clearance = 0;                   ///< as asked for
  std::vector<std::string> remarks;       ///< on the rules
  QueryStats stats;

  [[nodiscard]] std::size_t count(ClashClass c) const {
    return counts[static_cast<std::size_t>(c)];
  }
  /// Returns how many of these no rule accepts.
  [[nodiscard]] std::size_t open(ClashClass c) const {
    return count(c) - accepted[static_cast<std::size_t>(c)];
  }
};

struct ClashOptions {
  double clearance = 0;  ///< length, >= 0: parts nearer than this are near
  /// Length, >= 0: closed parts touch that come apart when one is shifted by no more, or both are
  /// shrunk by as much together; else they clash. Not set: by what the faces that meet may be off
  /// from the smooth surfaces they stand for (chord_error of these faces, an estimate). Parts that
  /// are no farther apart than the tolerance touch.
  std::optional<double> max_touching_thickness = {};
  /// Length, >= 0: how exactly the parts are where they are meant to be. Not set: 2^-20 of the
  /// largest coordinate of the pair, for most files have single precision, but no more than 2^-10
  /// of the size of the smaller part.
  std::optional<double> tolerance = {};
  ClashRules rules = {};
  double relative_error = 0.1;            ///< in (0, 1): of thicknesses
  std::uint64_t thickness_work = 20'000;  ///< for each pair, as ThicknessOptions
  int threads = 0;                        ///< 0: all; the result does not depend on it
  /// Work: of each question about a pair. Progress: pairs to be examined, some of them twice.
  Budget budget = {};
};

/// Finds out how every pair of parts stands to each other. Throws InvalidInput for lengths that are
/// negative or not finite, for drawings among meshes, and for their poses where they leave the
/// plane.
ClashResult find_clashes(const ClashParts& parts, const ClashOptions& options = {});

namespace brute_force {
/// The same, asking every pair by itself, one after the other, and sparing none by its boxes.
ClashResult find_clashes(const ClashParts& parts, const ClashOptions& options = {});
}  // namespace brute_force

// ---- compared with an earlier answer -----------------------------------------------------------

/// Tells what became of a pair since an earlier check.
enum class ClashChange : std::uint8_t {
  unchanged,
  changed,    ///< in another class, or thicker, thinner, nearer, farther
  solved,     ///< it was listed, and is free now
  gone,       ///< it was listed, but one of the parts is no longer there
  not_asked,  ///< it was listed, and now a rule leaves it out
  fresh,      ///< it is listed, and was not
};
template <>
inline constexpr std::array<std::string_view, 6> kNames<ClashChange> = {
    "unchanged", "changed", "solved", "gone", "not_asked", "new"};

struct ClashDifference {
  ClashChange change = ClashChange::unchanged;
  std::string part_a, part_b;
  /// In the earlier result and in this one. Undecided where nothing is known: a part was or is not
  /// there, or a rule leaves the pair out now.
  ClashClass before = ClashClass::undecided, now = ClashClass::undecided;
  Bracket thickness_before, distance_before;
  std::optional<std::size_t> pair;  ///< index into ClashResult::pairs, where it is listed
};

struct ClashComparison {
  std::filesystem::path earlier;
  /// First what is listed now, in the order of ClashResult::pairs, then what was listed then.
  std::vector<ClashDifference> pairs;
  std::array<std::size_t, 6> counts{};  ///< by ClashChange
  std::vector<std::string> remarks;     ///< e.g. that another clearance was asked for then
};

/// A result with what it is about: what sentences, tables and pages are made of. Refers to all.
struct ClashView {
  const ClashParts& parts;
  const ClashOptions& options;
  const ClashResult& result;
  const ClashComparison* comparison = nullptr;
};

/// A result.json of an earlier check, as far as it is compared.
struct EarlierClashes {
  struct Pair {
    ClashClass verdict = ClashClass::undecided;
    Bracket distance, thickness;
  };
  std::filesystem::path file;
  std::string unit;
  double clearance = 0;
  std::set<std::string> parts;                                ///< names
  std::map<std::pair<std::string, std::string>, Pair> pairs;  ///< by names of parts, a < b
  /// Throws LoadError where its lengths are in another unit.
  void expect_unit(std::string_view now) const;
};

/// Throws LoadError naming the file and the JSON path.
[[nodiscard]] EarlierClashes load_earlier_clashes(const std::filesystem::path& file);

/// Compares with an earlier result, by the names of parts. Values count as changed when their
/// brackets, widened by `tolerance` (a length, >= 0) and by a thousandth, do not meet. Throws
/// LoadError where lengths were in another unit.
[[nodiscard]] ClashComparison compare_clashes(const ClashView& now, const EarlierClashes& earlier,
                                              double tolerance = 0);
[[nodiscard]] inline ClashComparison compare_clashes(const ClashView& now,
                                                     const std::filesystem::path& earlier,
                                                     double tolerance = 0) {
  return compare_clashes(now, load_earlier_clashes(earlier), tolerance);
}

// ---- how it is written down --------------------------------------------------------------------

/// The answer in one sentence: how many clash, and which is the worst.
[[nodiscard]] std::string clash_sentence(const ClashView& view);

/// Tells what is new, solved and changed, in one sentence; it is empty without a comparison.
[[nodiscard]] std::string comparison_sentence(const ClashView& view);

/// Indices into ClashResult::pairs, gravest first: by class, accepted ones behind all others; then
/// by how thick the overlap is, or how near they are.
[[nodiscard]] std::vector<std::size_t> worst_first(const ClashResult& result);

/// result.json, see docs/clash-result.schema.json. The same parts and options give the same bytes.
[[nodiscard]] std::string clash_json(const ClashView& view);

/// One line for each pair that is not free, with a header line.
[[nodiscard]] std::string clash_csv(const ClashView& view);

/// One self-contained page. The same view and notes give the same bytes.
[[nodiscard]] std::string clash_html(const ClashView& view, const PageNotes& notes = {});

}  // namespace touche
