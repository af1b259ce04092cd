// SPDX-License-Identifier: Apache-2.0
// The bay is rows of cells of the same make. A row has a pipe and a harness that run through all of
// its cells. Lengths below are in millimetres; whatever belongs together is more than 2 mm away
// from everything else, twice the clearance.
#include "engine_bay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine_bay_parts.h"
#include "pi.h"
#include "random.h"
#include "shapes.h"

namespace touche::scenes {
namespace {

using namespace bay;

constexpr double kMillimetre = 1e-3, kClearance = 1;
constexpr Index kCellsInRow = 12, kPartsInCell = 9, kPartsInRow = 2;
constexpr double kRowAside = 125, kRowAbove = 250;
const Vec3 kClampAt(200, 60, 60), kClipAt(75, 60, 130), kUnitLo(75, -12, kPlate);  // in a cell

class Bay {
 public:
  explicit Bay(const EngineBayOptions& options) : options_(options), fine_(fineness(options)) {}

  EngineBay make() {
    bay_.clearance = kClearance * kMillimetre;
    bay_.assembly.file = "engine_bay";
    root_ = group("engine bay", kNone);
    Index left = options_.parts, row = 0;
    const Index cells = (left - kPartsInRow) / kPartsInCell;
    rows_aside_ = std::max<Index>(
        1,
        static_cast<Index>(std::lround(std::sqrt(cells / static_cast<double>(kCellsInRow) * 2))));
    for (; left >= kPartsInRow + kPartsInCell; ++row) {
      const Index count = std::min(kCellsInRow, (left - kPartsInRow) / kPartsInCell);
      add_row(row, count);
      left -= kPartsInRow + count * kPartsInCell;
    }
    if (left > 0) add_plugs(row, left);
    finish();
    return std::move(bay_);
  }

 private:
  static Fineness fineness(const EngineBayOptions& options) {
    // A row weighs this, as the makers of meshes share it out.
    constexpr double kWeight =
        kCellsInRow * (1.2 + 2 * 1.0 + 2 * 0.7 + 1.5 + 0.8 + 1.2 + 0.6) + 3 + 6;
    constexpr double kParts = kCellsInRow * kPartsInCell + kPartsInRow;
    return Fineness(static_cast<double>(options.triangles) / options.parts * kParts / kWeight);
  }

  // ---- nodes -------------------------------------------------------------------------------

  Index group(const std::string& name, Index parent) {
    AssemblyNode node;
    node.name = node.step = name;
    node.parent = parent;
    bay_.assembly.nodes.push_back(std::move(node));
    return static_cast<Index>(bay_.assembly.nodes.size() - 1);
  }

  Index part(const std::string& name, Index parent, Index mesh, const Vec3& at,
             const Mat3& turn = Mat3::Identity(), double scale = 1) {
    const Index n = group(name, parent);
    AssemblyNode& node = bay_.assembly.nodes[n];
    node.meshes = {mesh};
    node.linear = scale * turn;
    node.translation = at * kMillimetre;
    ++bay_.parts;
    bay_.triangles += triangles_[mesh];
    return n;
  }

  // The mesh of this name, made on first use.
  template <class Make>
  Index mesh(const std::string& name, const Make& make, double scale = kMillimetre) {
    const auto [entry, is_new] =
        meshes_.try_emplace(name, static_cast<Index>(bay_.assembly.meshes.size()));
    if (is_new) {
      const PolygonSoup soup = make();
      AssemblyMesh made;
      made.name = name;
      for (const Vec3& v : soup.vertices())
        for (const double x : v) made.coordinates.push_back(x * scale);
      for (Index f = 0; f < soup.face_count(); ++f) {
        const auto face = soup.face(f);
        made.corners.insert(made.corners.end(), face.begin(), face.end());
        made.face_sizes.push_back(static_cast<Index>(face.size()));
      }
      triangles_.push_back(soup.triangle_count());
      bay_.assembly.meshes.push_back(std::move(made));
    }
    return entry->second;
  }

  void know(Index a, Index b, BayRelation relation, double least = 0, double most = 0) {
    constexpr double kRounded = 1e-3;  // single precision, in millimetres
    Bracket value;
    if (most > 0) value = {(least - kRounded) * kMillimetre, (most + kRounded) * kMillimetre};
    bay_.pairs.push_back({bay_.assembly.path(a), bay_.assembly.path(b), relation, value});
  }

  // ---- what the bay is made of ---------------------------------------------------------------

  Vec3 corner_of(Index row) const {
    const Index aside = row % rows_aside_, storey = row / rows_aside_;
    return {0, kRowAside * aside, kRowAbove * storey};
  }

  void add_row(Index row, Index cells) {
    const Vec3 at = corner_of(row);
    const Index bank = group(fmt::format("bank {}", row + 1), root_);
    if (row == 0 || row % rows_aside_ == 0) {
      // One group for all lines that run through the banks of a storey.
      lines_ = group(fmt::format("lines {}", row / rows_aside_ + 1), root_);
    }
    const std::string length = fmt::format(" of {}", cells);
    const Index tube = part(fmt::format("pipe {}", row + 1), lines_,
                            mesh("pipe" + length, [&] { return pipe(fine_, cells); }),
                            at + Vec3(0, kClampAt.y(), kClampAt.z()));
    const Index cable = part(fmt::format("harness {}", row + 1), lines_,
                             mesh("harness" + length, [&] { return harness(fine_, cells); }),
                             at + Vec3(0, kClipAt.y(), kClipAt.z()));
    for (Index c = 0; c < cells; ++c, ++cell_) {
      module_ = group(fmt::format("module {}", c + 1), bank);
      corner_ = at + Vec3(kCell * c, 0, 0);
      variant_ = cell_ % std::max<Index>(1, options_.variants);
      add_bracket();
      add_clamp(tube);
      add_clip(cable);
    }
  }

  std::string kind(const char* name) const { return fmt::format("{} {}", name, variant_); }
  // Up to a fifth of a millimetre.
  double more() const { return 0.2 * variant_ / std::max<Index>(1, options_.variants); }

  // A bracket, two screws with their nuts, and a control unit with its sensor.
  void add_bracket() {
    const Vec3 at = corner_ + Vec3(25, 0, 0);
    const Index plate =
        part("bracket", module_, mesh(kind("bracket"), [&] { return bracket(fine_, more()); }), at);
    const double cosine = std::cos(kPi / fine_.around);
    for (int i = 0; i < 2; ++i) {
      const Mat3 turn =
          Eigen::AngleAxisd(random_.uniform(0, 2 * kPi), Vec3::UnitZ()).toRotationMatrix();
      const Vec3 bore = at + Vec3(kTile * i, 0, 0);
      const Index bolt = part(fmt::format("screw {}", i + 1), module_,
                              mesh(kind("screw"), [&] { return screw(fine_, more()); }),
                              bore + Vec3(0, 0, kPlate), turn);
      const Index ring = part(fmt::format("nut {}", i + 1), module_,
                              mesh(kind("nut"), [&] { return nut(fine_, more()); }), bore, turn);
      know(plate, bolt, BayRelation::touching);
      know(plate, ring, BayRelation::touching);
      know(bolt, ring, BayRelation::near, (kNut - kScrew) * cosine, kNut - kScrew);
    }

    // It stands on the bracket, or is sunk into it, or hovers above.
    const double depths[] = {0, 0, -0.4, -3, 1.5 + 0.1 * (cell_ % 16), 0, -0.4, 0};
    const double depth = cell_ % 16 == 12 ? 0 : depths[cell_ % 8];
    const Vec3 foot = corner_ + kUnitLo - Vec3(0, 0, depth);
    const Index unit =
        part("control unit", module_,
             mesh(kind("control unit"), [&] { return control_unit(fine_, more()); }), foot);
    if (depth > 0)
      know(plate, unit, BayRelation::clash, depth, depth);
    else if (depth == 0)
      know(plate, unit, BayRelation::touching);
    else if (-depth < kClearance)
      know(plate, unit, BayRelation::near, -depth, -depth);

    // A ball of radius 5, made with radius 1.
    const bool inside = cell_ % 10 == 3;
    const Vec3 axis = random_.direction();
    const Eigen::AngleAxisd turn(random_.uniform(0, 2 * kPi), axis);
    const Index ball = part(
        "sensor", module_,
        mesh(
            "sensor", [&] { return sphere(1, static_cast<Index>(0.8 * fine_.budget)); }, 1),
        foot + 0.5 * kUnitSize + (inside ? Vec3::Zero() : Vec3(0, 0, 0.5 * kUnitSize.z() + 15)),
        turn.toRotationMatrix(), 5 * kMillimetre);
    if (inside) know(unit, ball, BayRelation::contains);
  }

  // Around the pipe: loose, pressed on, or too narrow.
  void add_clamp(Index tube) {
    constexpr double kLoose = 12.5, kFitting = 10.6, kPressed = kPipe, kNarrow = 8.5;
    const double bore = cell_ % 16 == 9   ? kNarrow
                        : cell_ % 16 == 5 ? kPressed
                        : cell_ % 4 == 2  ? kLoose
                                          : kFitting;
    const Index ring = part("pipe clamp", module_,
                            mesh(fmt::format("clamp {:g} {}", bore, variant_),
                                 [&] { return clamp(fine_, bore, more()); }),
                            corner_ + kClampAt - Vec3(0.5 * kClampPlate, 0, 0));
    const double cosine = std::cos(kPi / fine_.around);
    if (bore == kNarrow)
      know(tube, ring, BayRelation::clash, 0.97 * (kPipe - bore) * cosine, kPipe - bore);
    else if (bore == kPressed)
      know(tube, ring, BayRelation::touching);
    else if (bore == kFitting)
      know(tube, ring, BayRelation::near, (bore - kPipe) * cosine, bore - kPipe);
  }

  // Below the harness, or half in it.
  void add_clip(Index cable) {
    const double gap = cell_ % 16 == 13 ? -kHarness : cell_ % 2 == 0 ? 0.5 : 3;
    const Index holder =
        part("clip", module_, mesh(kind("clip"), [&] { return clip(fine_, more()); }),
             corner_ + kClipAt - Vec3(0, 0, kHarness + gap));
    const double cosine = std::cos(kPi / fine_.around), sagitta = kHarness * (1 - cosine);
    if (gap < 0)
      know(cable, holder, BayRelation::clash, 0.97 * kHarness * cosine, kHarness);
    else if (gap < kClearance)
      know(cable, holder, BayRelation::near, gap, gap + sagitta);
  }

  // Parts that are left over, each by itself.
  void add_plugs(Index row, Index count) {
    const Index plugs = group("plugs", root_);
    for (Index i = 0; i < count; ++i)
      part(fmt::format("plug {}", i + 1), plugs,
           mesh(
               "sensor", [&] { return sphere(1, static_cast<Index>(0.8 * fine_.budget)); }, 1),
           corner_of(row) + Vec3(50.0 * i, 0, 0), Mat3::Identity(), 5 * kMillimetre);
  }

  // Nodes depth first, as an assembly has them: the lines stand between the banks.
  void finish() {
    Assembly& assembly = bay_.assembly;
    std::vector<std::vector<Index>> children(assembly.nodes.size());
    for (Index n = 0; n < assembly.nodes.size(); ++n)
      if (assembly.nodes[n].parent != kNone) children[assembly.nodes[n].parent].push_back(n);
    std::vector<AssemblyNode> sorted;
    const std::function<void(Index, Index)> add = [&](Index n, Index parent) {
      const auto here = static_cast<Index>(sorted.size());
      sorted.push_back(std::move(assembly.nodes[n]));
      sorted[here].parent = parent;
      for (const Index child : children[n]) add(child, here);
      sorted[here].end = static_cast<Index>(sorted.size());
    };
    add(root_, kNone);
    assembly.nodes = std::move(sorted);
  }

  EngineBayOptions options_;
  Fineness fine_;
  EngineBay bay_;
  Random random_{7};
  std::map<std::string, Index> meshes_;
  std::vector<std::size_t> triangles_;  // by mesh
  Index root_ = 0, lines_ = 0, rows_aside_ = 1;
  Index module_ = 0, cell_ = 0, variant_ = 0;  // the cell in work
  Vec3 corner_ = Vec3::Zero();
};

}  // namespace

EngineBay engine_bay(const EngineBayOptions& options) {
  if (options.parts < kPartsInRow + kPartsInCell)
    throw InvalidInput(
        fmt::format("an engine bay has {} parts or more", kPartsInRow + kPartsInCell));
  if (options.triangles < std::uint64_t{400} * options.parts)
    throw InvalidInput(fmt::format("an engine bay of {} parts has {} triangles or more",
                                   options.parts, std::uint64_t{400} * options.parts));
  return Bay(options).make();
}

std::string_view relation_name(BayRelation relation) {
  constexpr std::string_view kNamesOf[] = {"near", "touching", "contains", "clash"};
  return kNamesOf[static_cast<std::size_t>(relation)];
}

std::string truth_json(const EngineBay& bay) {
  std::string out =
      fmt::format("{{\n \"clearance\": {}, \"parts\": {}, \"triangles\": {},\n \"pairs\": [",
                  bay.clearance, bay.parts, bay.triangles);
  for (const KnownPair& pair : bay.pairs) {
    out += fmt::format("{}\n  {{\"part_a\": \"{}\", \"part_b\": \"{}\", \"class\": \"{}\"",
                       &pair == &bay.pairs.front() ? "" : ",", pair.part_a, pair.part_b,
                       relation_name(pair.relation));
    if (pair.value.upper < kInfinity)
      out += fmt::format(", \"least\": {}, \"most\": {}", pair.value.lower, pair.value.upper);
    out += "}";
  }
  return out + "\n ]\n}\n";
}

}  // namespace touche::scenes
