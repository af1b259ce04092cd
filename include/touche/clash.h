// SPDX-License-Identifier: Apache-2.0
// Clash checks: classifies every pair of parts of an assembly as free, near, touching or clashing.
// The input is a file, a folder or a study, the output a result and a report. Link target
// touche::clash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "touche/budget.h"
#include "touche/io.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/outline_file.h"
#include "touche/overlap.h"
#include "touche/query.h"
#include "touche/study.h"

namespace touche {

// ---- input -----------------------------------------------------------------------------------

struct ClashPart {
  /// Unique: the names of the nodes from the root to it, "Crankcase/Piston 1"; or the name of its
  /// file, see load_clash_parts. Rules and notes take it, and results show it.
  std::string name;
  std::string group;       ///< its parent node, with the file if there are several; empty: none
  std::size_t object = 0;  ///< index into ClashParts::objects
  Pose pose;               ///< a point x of the object is at pose * x in the world
  /// The name without what distinguishes it from parts of other files. Empty: `name`.
  std::string own_name = {};
  std::string file = {};  ///< that it was read from; empty if it was not read
};

/// A node of a file that is no part because it cannot be read or placed.
struct LeftOutPart {
  std::string name;    ///< as it would be the part's
  std::string reason;  ///< "scaled by 0"
};

/// A file whose coordinates were turned so that z is up.
struct TurnedFile {
  std::string file;
  UpAxis up = UpAxis::y;  ///< in the file
};

/// The parts of an assembly and their poses, with z up. Equal parts share an object.
struct ClashParts {
  std::string source;  ///< the files or the folder, shown in the result
  std::string unit;    ///< of all lengths, as Study::unit
  std::vector<Object> objects;
  std::vector<ClashPart> parts;
  std::vector<AllowedContact> allowed_contacts;  ///< of a study: its allowed contacts
  std::vector<std::string> remarks;              ///< what was left out, or has defects
  /// Length, for each object: by how much it is larger at most than the round shape that it
  /// approximates (enclosing_mesh). Empty: there are no round shapes. An overlap is reported with
  /// at least the thickness of the overlap of the shapes, and is a clash if the shapes clash.
  std::vector<double> mesh_errors = {};
  /// For each object and each of its faces, a bound of its distance from the smooth surface that it
  /// approximates: 0 for planes. Empty, for all or for one object: it is estimated (chord_errors).
  std::vector<std::vector<double>> chord_errors = {};
  std::vector<LeftOutPart> left_out = {};  ///< in the order of the files; nothing is proved of them
  std::vector<TurnedFile> turned = {};
  std::optional<UpAxis> up = {};    ///< as given for all files, see ClashLoadOptions
  std::optional<Split> split = {};  ///< how files were split, as in ClashLoadOptions
  /// Unit in which texts and pages give lengths, as Study::unit. Empty: `unit`. All other results
  /// are in `unit`.
  std::string shown_unit = {};
  std::optional<double> weld = {};              ///< as given for all files, see ClashLoadOptions
  std::optional<AnimationTime> animation = {};  ///< as in ClashLoadOptions
};

struct ClashLoadOptions {
  /// Unit of the files' coordinates, as Study::unit. Empty: metres for glTF and COLLADA, else
  /// millimetres. Not used for studies, which define their own unit.
  std::string unit = {};
  int threads = 0;               ///< 0: all; the result does not depend on it
  OutlineOptions drawings = {};  ///< how drawings are read
  /// The axis of the coordinates of all mesh files that points up. Not set: as each of them says,
  /// see load_soup.
  std::optional<UpAxis> up = {};
  /// Unit in which texts and pages give lengths, as Study::unit. Empty: see ClashParts::shown_unit.
  std::string shown_unit = {};
  /// Makes parts of the objects or shells of each OBJ, STL, PLY and OFF file, and of the objects or
  /// layers of each drawing. Not set: such a file is one part.
  std::optional<Split> split = {};
  /// Length up to which coordinates of vertices at open edges may differ to be joined, see
  /// LoadOptions::weld. Not set: as the precision of each file says.
  std::optional<double> weld = {};
  /// The parts of files that have this animation are where it has them. All others are at rest; if
  /// no file has it, that is an error.
  std::optional<AnimationTime> animation = {};
};

/// Reads parts from files and folders.
/// - In a file that holds nodes (see is_assembly), each node that has a mesh is a part; a node of
///   an assembly can be named as described at parse_part_name, and so can an object or a shell of
///   another mesh file. Other mesh files are one part each, or are split by
///   ClashLoadOptions::split.
/// - Of a folder all mesh files are read, in the order of their names; its subfolders are groups.
///   Other files become a remark.
/// - The name of a part does not depend on what else is given: of a node its path; of another mesh
///   file its name, or, in a folder that is given, its path in it. If several files in such a
///   folder have nodes, the paths of their nodes start with the file's. Where parts of different
///   files would have one name, the names of the files and their folders are put in front.
/// - Lengths are shown in millimetres (ClashParts::shown_unit) for an assembly in metres, of up to
///   10 m, whose unit is not given.
/// - Drawings of the plane (see touche/outline_file.h) can be parts if all files are drawings.
///   Coordinates are then in millimetres, each object is the in_space() of a plane::Object, and
///   faces are edges. They are split, and their objects and layers are named, as other files are
///   (see load_outlines). In a folder that holds meshes, drawings become a remark.
/// - A node's scale, mirroring or shear is applied to a copy of the mesh, which all nodes with the
///   same one share.
/// - Nodes whose mesh has no faces become a remark.
/// - Nodes that cannot be read (see Assembly::left_out) or whose transform is singular are in
///   ClashParts::left_out and become remarks. If that leaves no part of a file, it is an error.
/// - An assembly larger than 100 m or smaller than 1 mm, and files that do not say their unit and
///   differ in size by more than 20 times, become a remark: the unit may be wrong.
///
/// Throws LoadError as load_assembly does; and when there are no parts, when the units of files
/// differ, and for parts with the same name.
///
///     const ClashParts parts = load_clash_parts({"engine.glb"});
///     const ClashResult result = find_clashes(parts, {.clearance = 0.5});
[[nodiscard]] ClashParts load_clash_parts(const std::vector<std::filesystem::path>& files,
                                          const ClashLoadOptions& options = {});

/// Whether the parts are drawings of the plane. Code that supports meshes only checks this first.
[[nodiscard]] bool has_drawings(const ClashParts& parts);

/// The parts of a study, at position s in [0, 1] of its path.
[[nodiscard]] ClashParts clash_parts(const Study& study, double s = 0);

/// A rule for pairs of parts, selected by two patterns. In a pattern '*' matches any number of
/// characters, '?' matches one character, and '\' makes the next character literal. A pattern
/// without '/' is compared with the last step of a part's name, any other with the whole name, with
/// or without the names of files in front. The last steps of a name select it, too, whatever
/// characters they have: each name in a result is a valid pattern. A whole name selects only its
/// part.
struct ClashRule {
  std::string a, b;  ///< patterns, in either order
  std::string reason;
  bool exact = false;  ///< whether a and b are names of parts instead of patterns
};

/// The effect of a rule on a pair.
enum class ClashRuling : std::uint8_t {
  none,
  accept,  ///< the pair is tested, but does not make the check fail
  ignore,  ///< the pair is not tested
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<ClashRuling> = {"none", "accept", "ignore"};

/// A set of parts: the ones that match a pattern (see ClashRule), and the ones read from one of
/// the files, or from a file in one of the folders. Empty: all parts.
struct ClashSet {
  std::vector<std::string> patterns = {}, files = {};
  [[nodiscard]] bool empty() const { return patterns.empty() && files.empty(); }
};

enum class ClashTestKind : std::uint8_t {
  hard,       ///< parts overlap, or one lies inside the other
  clearance,  ///< parts are closer than a distance, or meet
  duplicates  ///< parts are identical copies in one position
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<ClashTestKind> = {"hard", "clearance",
                                                                          "duplicates"};

/// A named test of pairs between two sets of parts, in either order.
struct ClashTest {
  std::string name;
  ClashTestKind kind = ClashTestKind::hard;
  ClashSet a = {}, b = {};
  /// Length, >= 0, in ClashRules::unit. hard: overlaps that are proved to be no thicker pass, see
  /// ClashOptions::ignore_thinner. clearance: the distance to keep, > 0.
  double length = 0;
};

struct ClashRules {
  std::vector<ClashRule> ignore = {}, accept = {};
  ClashRuling same_group = ClashRuling::none;        ///< for parts with the same parent node
  ClashRuling parent_and_child = ClashRuling::none;  ///< for a part and a part below its node
  /// Not empty: only pairs of one of these tests are tested, and a pair that passes all its tests
  /// is accepted. The clearance of a pair is the largest one of its tests and of ClashOptions.
  std::vector<ClashTest> tests = {};
  std::string unit = {};  ///< of the lengths of tests, as Study::unit; empty: ClashParts::unit
};

/// Read rules (docs/clash-rules.schema.json). Throw LoadError naming the file and the JSON path.
[[nodiscard]] ClashRules load_clash_rules(const std::filesystem::path& file);
[[nodiscard]] ClashRules parse_clash_rules(std::string_view json,
                                           const std::filesystem::path& file);

/// How far the work on a pair is.
enum class ClashStatus : std::uint8_t {
  fresh,     ///< nobody has dealt with it
  active,    ///< it has to be resolved
  reviewed,  ///< it was examined, and is not decided
  approved,  ///< it may remain: the pair no longer counts as a clash
  resolved,  ///< it is said to be gone
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<ClashStatus> = {"new", "active", "reviewed",
                                                                        "approved", "resolved"};

/// A user's note on a pair of parts, as written in `touche view`.
struct ClashNote {
  std::string a, b;  ///< names of parts, a < b
  std::string text = {};
  bool accepted = false;  ///< whether the pair no longer counts as a clash: it is approved
  ClashStatus status = ClashStatus::fresh;  ///< approved if and only if `accepted`
  std::string assignee = {};
};

/// Read notes (docs/clash-notes.schema.json). Throw LoadError naming the file and the JSON path.
[[nodiscard]] std::vector<ClashNote> load_clash_notes(const std::filesystem::path& file);
[[nodiscard]] std::vector<ClashNote> parse_clash_notes(std::string_view json,
                                                       const std::filesystem::path& file);
[[nodiscard]] std::string clash_notes_json(const std::vector<ClashNote>& notes);

/// Adds rules that accept the pairs that are accepted by notes, each by the whole names of its
/// parts.
void add_accepted(ClashRules& rules, const std::vector<ClashNote>& notes);

/// Whether a name matches a pattern of a rule.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

// ---- results ---------------------------------------------------------------------------------

/// The classes of a pair of parts, in order of severity.
enum class ClashPairVerdict : std::uint8_t {
  free,      ///< proved: farther apart than the clearance, and neither inside the other
  near,      ///< no contact, but closer than the clearance
  touching,  ///< surfaces separate when shifted or, if closed, shrunk by the allowed length
  /// Surfaces meet, and neither touching nor an overlap thicker than the allowed length is proved.
  /// But a shift or a shrinking by at most four times that length separates them, so that smooth
  /// surfaces may or may not overlap where meshes do.
  within_accuracy,
  /// Surfaces are apart or touch, as above. But a part is open, and it is unknown whether it
  /// contains a piece of the other one: see Containment::open.
  open,
  undecided,  ///< the budget ended first; must not be taken as free
  contains,   ///< no faces meet, but a connected part of one lies inside the other
  clash,      ///< faces meet, and they do more than touch, or meet within the accuracy
};
template <>
inline constexpr std::array<std::string_view, 8> kNames<ClashPairVerdict> = {
    "free", "near", "touching", "within_accuracy", "open", "undecided", "contains", "clash"};

/// Where the allowed overlap of touching parts comes from.
enum class ClashAllowance : std::uint8_t {
  tolerance,    ///< the accuracy of the parts' positions: ClashOptions::tolerance
  given,        ///< ClashOptions::max_touching_thickness
  chord_error,  ///< the chord errors of the faces that meet
  mesh_error,   ///< the errors of polyhedra around round shapes: ClashParts::mesh_errors
  slits,        ///< slits between faces, near which the inside is unknown
  ignored,      ///< ClashOptions::ignore_thinner
};
template <>
inline constexpr std::array<std::string_view, 6> kNames<ClashAllowance> = {
    "tolerance", "given", "chord_error", "mesh_error", "slits", "ignored"};

/// What to move by how much to end an overlap.
struct ClashMove {
  std::size_t part = 0;       ///< the smaller part of the pair
  Vec3 shift = Vec3::Zero();  ///< world: proved to separate the parts
  double least = 0;           ///< no shorter shift separates them
};

struct ClashPair {
  std::size_t part_a = 0, part_b = 0;  ///< part_a < part_b
  ClashPairVerdict verdict = ClashPairVerdict::undecided;
  Bracket distance;  ///< of the surfaces; [0, 0] if they meet
  /// A pair of faces that meet, or the closest pair, in world coordinates.
  std::optional<Contact> contact;
  /// The thickness of the overlap, if surfaces meet or one part contains the other: see
  /// overlap_thickness.
  Thickness thickness;
  double max_touching_thickness = 0;  ///< length used: the allowed thickness of the overlap
  ClashAllowance allowance = ClashAllowance::tolerance;  ///< where the allowed thickness comes from
  double tolerance = 0;                                  ///< the tolerance used
  /// False if a part is open, see Interior::is_open, or an outline has open chains. Then no
  /// thickness is known; but if the surfaces touch, thickness.diameter.upper is the length of a
  /// shift that separates them.
  bool closed = true;
  /// Whether one part may reach into the other one through openings or gaps, and out of it, without
  /// touching it: then how they overlap is not known.
  bool may_reach_in = false;
  /// Whether the parts are identical copies in one position: each vertex of one, and the centre of
  /// each of its faces, is within the tolerance of one of the other.
  bool duplicate = false;
  /// For the verdict `contains`: a_in_b or b_in_a. For `open`: open. Undecided only if the verdict
  /// is.
  Containment containment = Containment::none;
  std::optional<std::string> accepted;  ///< if a rule accepts the pair: its reason
  std::optional<ClashNote> note = {};   ///< see attach_notes
  std::optional<ClashMove> move = {};   ///< of closed parts that clash: set by the caller
  QueryStats stats;
};

/// What a named test found.
struct ClashTestResult {
  std::string name;
  ClashTestKind kind = ClashTestKind::hard;
  std::size_t examined = 0;         ///< number of its pairs whose boxes are near enough
  std::vector<std::size_t> failed;  ///< indices into ClashResult::pairs, accepted ones included
};

enum class ClashVerdict : std::uint8_t {
  undecided,  ///< no clash was found, but some pairs are undecided
  /// No clash except accepted ones, and no part inside another. Pairs may be `within_accuracy`: the
  /// overlap is no thicker than the bound of their thickness. Of pairs with an open part it is the
  /// surfaces that do not clash: see ClashResult::may_reach_in.
  free,
  open,   ///< no surfaces clash, but some pairs are `open`, except accepted ones
  clash,  ///< a clash, or a part inside another
  interrupted,
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<ClashVerdict> = {
    "undecided", "free", "open", "clash", "interrupted"};

struct ClashOptions {
  double clearance = 0;  ///< length, >= 0: parts closer than this are near
  /// Length, >= 0: closed parts in contact count as touching if they separate when one is shifted
  /// by at most this length, or when both together are shrunk by it; otherwise as a clash. Not set:
  /// the estimated distance of the faces that meet from the smooth surfaces that they approximate
  /// (chord_errors). Parts that are at most the tolerance apart count as touching.
  std::optional<double> max_touching_thickness = {};
  /// Length, >= 0: overlaps that are proved to be no thicker count as touching, also if no such
  /// shift separates the parts, as for a rod through a thinner wall. Overlaps with open parts have
  /// no thickness; they count if a shift by this length separates the surfaces.
  double ignore_thinner = 0;
  /// Length, >= 0: the accuracy of the parts' positions. Not set: 2^-20 of the largest coordinate
  /// of the pair, since most files have single precision, but at most 2^-10 of the size of the
  /// smaller part.
  std::optional<double> tolerance = {};
  ClashRules rules = {};
  /// Only pairs between a part of `against` and a part of `of` are tested. An empty `of` stands for
  /// all parts that are not in `against`. Not set: all pairs. Sets without a part are an error.
  struct Between {
    ClashSet against, of = {};
  };
  std::optional<Between> between = {};
  double relative_error = 0.1;  ///< in (0, 1): relative error of thicknesses
  /// Points tested for the thickness of each pair, see ThicknessOptions.
  std::uint64_t thickness_points = 20'000;
  int threads = 0;  ///< 0: all; the result does not depend on it
  /// Work: limits the searches for intersecting faces and for the distance of each pair, and the
  /// points of each thickness. Progress: pairs to test, some of them twice.
  Budget budget = {};
};

/// How a pair has changed since an earlier check.
enum class ClashChange : std::uint8_t {
  unchanged,
  changed,    ///< in another class, or with another thickness or distance
  solved,     ///< it clashed and does not any more, or it was listed and is free now
  gone,       ///< it was listed, but one of the parts no longer exists
  not_asked,  ///< it was listed, and a rule leaves it out now
  fresh,      ///< it clashes and did not before, or it is listed and was not
  unsure,     ///< same class, but the brackets are too wide to say whether the value has changed
};
template <>
inline constexpr std::array<std::string_view, 7> kNames<ClashChange> = {
    "unchanged", "changed", "solved", "gone", "not_asked", "new", "unsure"};

/// How a part differs from the part of the same name in an earlier check.
struct ClashPartChange {
  enum class Kind : std::uint8_t {
    moved,  ///< same mesh, another pose; or, shifted in its file, the same faces, size and area
    mesh,   ///< another mesh
    gone,   ///< it exists no longer
    fresh,  ///< it did not exist
  };
  Kind kind = Kind::moved;
  std::string part;
  /// Length by which a vertex moved at most; of another mesh or a shifted one, the largest
  /// difference between the corners of both boxes. 0 for parts that are new or gone.
  double moved = 0;
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<ClashPartChange::Kind> = {"moved", "mesh",
                                                                                  "gone", "new"};

struct ClashDifference {
  ClashChange change = ClashChange::unchanged;
  std::string part_a, part_b;
  /// The class in the earlier result and in this one. `undecided` if it is unknown: a part did not
  /// exist then or does not exist now, or a rule leaves the pair out now.
  ClashPairVerdict before = ClashPairVerdict::undecided, now = ClashPairVerdict::undecided;
  Bracket thickness_before, distance_before;
  std::optional<std::size_t> pair;  ///< index into ClashResult::pairs, if it is listed there
};

struct ClashComparison {
  std::filesystem::path earlier;
  /// First the pairs listed now, in the order of ClashResult::pairs, then pairs that were listed
  /// earlier only.
  std::vector<ClashDifference> pairs;
  std::array<std::size_t, kNames<ClashChange>.size()> counts{};  ///< by ClashChange
  std::vector<ClashPartChange> parts = {};  ///< parts that changed, by kind, then by name
  std::vector<std::string> remarks;         ///< e.g. that the earlier check had another clearance
};

/// A result owns its input; copies share the data of the objects. In a result that a program fills
/// in, only the output functions and compare_clashes need the input.
struct [[nodiscard]] ClashResult {
  ClashParts parts;  ///< the input
  /// The options. Of their budget only the work is kept.
  ClashOptions options;
  ClashVerdict verdict = ClashVerdict::undecided;
  /// All pairs that are not free, by part_a, part_b.
  std::vector<ClashPair> pairs;
  /// Numbers of pairs by ClashPairVerdict, including accepted ones.
  std::array<std::size_t, kNames<ClashPairVerdict>.size()> counts{};
  std::array<std::size_t, kNames<ClashPairVerdict>.size()> accepted{};  ///< of these, accepted
  std::size_t ignored = 0;           ///< number of pairs that a rule left out
  std::size_t outside = 0;           ///< number of pairs outside of the sets that are tested
  std::size_t examined = 0;          ///< number of pairs whose boxes are near enough to be tested
  std::size_t may_reach_in = 0;      ///< number of these with ClashPair::may_reach_in
  std::vector<std::string> remarks;  ///< remarks on the rules
  std::vector<ClashTestResult> tests = {};  ///< of ClashRules::tests, in their order
  /// A comparison with an earlier result, which the caller sets (compare_clashes); the output
  /// functions include it.
  std::optional<ClashComparison> comparison = {};
  QueryStats stats;

  [[nodiscard]] std::size_t count(ClashPairVerdict c) const {
    return counts[static_cast<std::size_t>(c)];
  }
  /// The number of pairs of this class that no rule accepts.
  [[nodiscard]] std::size_t open(ClashPairVerdict c) const {
    return count(c) - accepted[static_cast<std::size_t>(c)];
  }
};

/// Adds notes to the pairs of a result, and remarks on notes that contradict it: pairs that are
/// noted as resolved and are still there.
void attach_notes(ClashResult& result, const std::vector<ClashNote>& notes);

/// Classifies every pair of parts. Parts and options become members of the result. Throws
/// InvalidInput for lengths that are negative or not finite, for drawings among meshes, and for
/// drawings whose poses leave the plane.
ClashResult find_clashes(ClashParts parts, const ClashOptions& options = {});

// ---- comparison with an earlier result ---------------------------------------------------------

/// The part of an earlier result.json that is compared.
struct EarlierClashes {
  struct Pair {
    ClashPairVerdict verdict = ClashPairVerdict::undecided;
    Bracket distance, thickness;
  };
  struct Part {
    Pose pose;
    std::string mesh;            ///< hash of its mesh; empty in results of older versions
    std::string faces = {};      ///< hash of its faces without the vertices; empty likewise
    double area = 0;             ///< of its faces
    double volume = 0;           ///< that they enclose; negative if they are turned inside out
    Vec3 centre = Vec3::Zero();  ///< of area, as a share of its box from the lower corner
    std::optional<Aabb> box;     ///< in the world
  };
  std::filesystem::path file;
  std::string unit;
  double clearance = 0;
  std::map<std::string, Part> parts;                          ///< by name
  std::map<std::pair<std::string, std::string>, Pair> pairs;  ///< by names of parts, first < second
  bool all_tested = true;  ///< whether no pair was left out by a rule, a set or a named test
  /// Throws LoadError if its lengths are in another unit.
  void expect_unit(std::string_view now) const;
};

/// Reads the result of an earlier check. Throws LoadError naming the file and the JSON path.
[[nodiscard]] EarlierClashes load_earlier_clashes(const std::filesystem::path& file);

/// Measures the overlaps of pairs that both results list to a thousandth or `tolerance`, as far as
/// the points and the budget of `options` suffice. Of pairs whose meshes are the same, the earlier
/// overlap is measured again at the earlier poses, too. Throws as compare_clashes.
void measure_for_comparison(ClashResult& now, EarlierClashes& earlier, double tolerance,
                            const Budget& budget = {});

/// Compares with an earlier result, by the names of parts. Values count as changed if their
/// brackets, widened by `tolerance` (a length, >= 0) and by a thousandth, are disjoint; as
/// unchanged if meshes and poses are the same, or if no values in both brackets differ by more.
/// Otherwise it is `unsure`. Throws LoadError if the earlier lengths are in another unit.
///
///     ClashResult result = find_clashes(load_clash_parts({"engine.glb"}));
///     EarlierClashes earlier = load_earlier_clashes("result.json");
///     measure_for_comparison(result, earlier, 0.01);
///     result.comparison = compare_clashes(result, earlier, 0.01);
///     std::puts(comparison_sentence(result).c_str());
[[nodiscard]] ClashComparison compare_clashes(const ClashResult& now, const EarlierClashes& earlier,
                                              double tolerance = 0);

// ---- output ------------------------------------------------------------------------------------

/// The result in one sentence: how many pairs clash, and which is the worst.
[[nodiscard]] std::string clash_sentence(const ClashResult& result);

/// What is new, solved and changed, in one sentence; empty without a comparison.
[[nodiscard]] std::string comparison_sentence(const ClashResult& result);

/// Indices into ClashResult::pairs, most severe first: by class, with accepted ones after all
/// others; then by the thickness of the overlap or the distance.
[[nodiscard]] std::vector<std::size_t> worst_first(const ClashResult& result);

/// What makes a check fail unless the user says otherwise.
inline constexpr std::string_view kFailOn[] = {"clash", "contains", "tests"};

/// Whether a pair that no rule accepts is one of `what`: classes by the names of ClashPairVerdict,
/// "tests" (pairs that fail a test of the rules), "duplicates", and "new" (worse than in the
/// comparison, and at least `contains`). Throws InvalidInput for other words.
[[nodiscard]] bool fails_on(const ClashResult& result, std::span<const std::string_view> what);

/// result.json, see docs/clash-result.schema.json. The same parts and options give the same bytes.
[[nodiscard]] std::string clash_json(const ClashResult& result);

/// Pairs that belong together: of one part, or near each other.
struct ClashCluster {
  std::size_t part = 0;            ///< by part: the part that all pairs have
  Vec3 centre = Vec3::Zero();      ///< mean of the positions of its pairs
  double radius = 0;               ///< length: the largest distance of a pair from the centre
  std::vector<std::size_t> pairs;  ///< indices into ClashResult::pairs, worst first
};

/// Groups the pairs that clash, contain, or fail a named test, accepted ones aside. By part: each
/// pair belongs to the one of its parts that has more of them. By position: pairs whose positions
/// are linked by gaps of at most `reach` (a length > 0). The cluster with the worst pair comes
/// first.
[[nodiscard]] std::vector<ClashCluster> clusters_by_part(const ClashResult& result);
[[nodiscard]] std::vector<ClashCluster> clusters_by_position(const ClashResult& result,
                                                             double reach);
/// A reach for clusters_by_position: a twentieth of the assembly's size.
[[nodiscard]] double cluster_reach(const ClashParts& parts);

/// CSV: a header line, which names the unit of lengths, and one line for each pair that is not
/// free, worst first.
[[nodiscard]] std::string clash_csv(const ClashResult& result);

/// A self-contained HTML page. The same result and notes give the same bytes.
[[nodiscard]] std::string clash_html(const ClashResult& result, const PageNotes& notes = {});

struct BcfOptions {
  std::string date = "1970-01-01";  ///< of all topics, as YYYY-MM-DD
  std::string author = "touche";
};

/// A BCF 2.1 archive (buildingSMART): a topic for each pair that clashes, contains, or fails a
/// named test, worst first, with a viewpoint and a picture. GUIDs follow from the names of parts;
/// the same result gives the same bytes. Throws InvalidInput for drawings.
[[nodiscard]] std::string clash_bcf(const ClashResult& result, const BcfOptions& options = {});

}  // namespace touche
