// SPDX-License-Identifier: Apache-2.0
// Compares the pairs with the ones of an earlier result.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/ending.h"
#include "clash/compare_value.h"
#include "clash/describe.h"
#include "clash/earlier_parts.h"
#include "clash/ruling.h"
#include "clash/selection.h"
#include "io/foreign_file.h"
#include "io/json_cursor.h"
#include "io/readers.h"
#include "touche/clash.h"

namespace touche {
namespace {

using io::JsonCursor;

using Earlier = EarlierClashes::Pair;
using NamePair = std::pair<std::string, std::string>;

Bracket read_bracket(const JsonCursor& pair, std::string_view key) {
  const auto value = pair.find(key);
  return value ? Bracket{value->at("lower").number(), value->at("upper").number()} : Bracket{};
}

ClashPairVerdict read_class(const JsonCursor& where) {
  const auto all = names<ClashPairVerdict>();
  const auto found = std::find(all.begin(), all.end(), where.text());
  if (found == all.end()) where.fail(fmt::format("unknown class \"{}\"", where.text()));
  return static_cast<ClashPairVerdict>(found - all.begin());
}

NamePair ordered(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

// `same`: meshes and poses are known to be the same.
ClashChange change_of(const Earlier& then, const ClashPair& now, bool same, double tolerance) {
  const bool clashed = then.verdict >= ClashPairVerdict::contains,
             clashes = now.verdict >= ClashPairVerdict::contains;
  if (clashes && !clashed) return ClashChange::fresh;
  if (clashed && now.verdict <= ClashPairVerdict::touching) return ClashChange::solved;
  if (then.verdict != now.verdict) return ClashChange::changed;
  if (same) return ClashChange::unchanged;
  switch (now.verdict) {
    case ClashPairVerdict::near:
      return clash::change_of_value(then.distance, now.distance, tolerance);
    case ClashPairVerdict::contains:
    case ClashPairVerdict::clash:
    case ClashPairVerdict::touching:
    case ClashPairVerdict::within_accuracy:
      return clash::change_of_value(then.thickness, now.thickness.diameter, tolerance);
    case ClashPairVerdict::open:
    case ClashPairVerdict::undecided:
      return ClashChange::unsure;  // nothing is measured
    case ClashPairVerdict::free:
      break;
  }
  return ClashChange::unchanged;
}

EarlierClashes::Part read_part(const JsonCursor& part) {
  EarlierClashes::Part read;
  if (const auto pose = part.find("pose")) {
    const std::vector<double> q = pose->at("quaternion").numbers(4);
    try {
      read.pose =
          Pose::from_quaternion_unchecked(q[0], q[1], q[2], q[3], pose->at("translation").vector());
    } catch (const InvalidInput& e) {
      pose->fail(e.what());
    }
  }
  if (const auto hash = part.find("mesh_hash")) read.mesh = hash->text();
  if (const auto hash = part.find("faces_hash")) read.faces = hash->text();
  if (const auto area = part.find("area")) read.area = area->number();
  if (const auto volume = part.find("volume")) read.volume = volume->number();
  if (const auto centre = part.find("centre")) read.centre = centre->vector();
  if (const auto box = part.find("box"))
    read.box = Aabb{box->at("lo").vector(), box->at("hi").vector()};
  return read;
}

constexpr const char* kWhatToGive =
    "a comparison is with the result.json that touche clash --out wrote";

// What somebody may give in place of a result.
void check_result_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw LoadError(
        file.string(), "",
        fmt::format("this is a directory: {}: {}", kWhatToGive, (file / "result.json").string()));
  const std::string ending = base::ending_of(file), foreign = io::foreign_file(file);
  const std::string what = ending == ".csv"                          ? "a table"
                           : ending == ".html"                       ? "a page"
                           : is_assembly(file) || is_face_list(file) ? "a mesh"
                           : is_outline(file)                        ? "a drawing"
                           : foreign.empty()                         ? ""
                                             : foreign.substr(0, foreign.find(':'));
  if (what.empty()) return;
  const bool beside = ending == ".csv" || ending == ".html";
  throw LoadError(
      file.string(), "",
      fmt::format("this is {}: {}{}", what, kWhatToGive,
                  beside ? ", such as " + (file.parent_path() / "result.json").string() : ""));
}

}  // namespace

EarlierClashes load_earlier_clashes(const std::filesystem::path& file) {
  check_result_file(file);
  const JsonCursor root = JsonCursor::parse(io::read_file(file), file.string());
  if (!root.has("touche_clash_result"))
    root.fail(fmt::format("no result of touche clash: {}", kWhatToGive));
  if (const auto version = root.at("touche_clash_result"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));
  EarlierClashes earlier;
  earlier.file = file;
  earlier.unit = root.at("assembly").at("unit").text();
  earlier.clearance = root.at("options").at("clearance").number();
  for (const JsonCursor& pair : root.at("pairs").items(0))
    earlier.pairs[ordered(pair.at("part_a").text(), pair.at("part_b").text())] = {
        read_class(pair.at("class")), read_bracket(pair, "distance"),
        read_bracket(pair, "thickness")};
  for (const char* left_out : {"ignored", "outside"})
    if (const auto count = root.find(left_out); count && count->number() > 0)
      earlier.all_tested = false;
  if (const auto parts = root.find("parts"))
    for (const JsonCursor& part : parts->items(0))
      earlier.parts[part.at("name").text()] = read_part(part);
  return earlier;
}

void EarlierClashes::expect_unit(std::string_view now) const {
  if (unit != now)
    throw LoadError(file.string(), "/assembly/unit",
                    fmt::format("lengths were in {}, and are in {} now", unit, now));
}

ClashComparison compare_clashes(const ClashResult& now, const EarlierClashes& earlier,
                                double tolerance) {
  if (!(tolerance >= 0)) throw InvalidInput("compare: the tolerance must be a length >= 0");
  earlier.expect_unit(now.parts.unit);
  ClashComparison comparison;
  comparison.earlier = earlier.file;
  const report::Lengths length = clash::lengths_of(now.parts);
  if (earlier.clearance != now.options.clearance)
    comparison.remarks.push_back(
        fmt::format("The clearance to keep was {}, and is {} now: pairs that are near may be new "
                    "or solved only because of this.",
                    length.text(earlier.clearance), length.text(now.options.clearance)));

  const clash::EarlierParts parts_then(now.parts, earlier);
  comparison.parts = parts_then.changes();
  if (std::any_of(earlier.parts.begin(), earlier.parts.end(),
                  [](const auto& part) { return part.second.mesh.empty(); }))
    comparison.remarks.push_back(
        "The earlier result does not say which meshes its parts had: a newer version wrote this "
        "one, and can compare the next one with it.");

  const auto add = [&](ClashDifference difference) {
    ++comparison.counts[static_cast<std::size_t>(difference.change)];
    comparison.pairs.push_back(std::move(difference));
  };
  // Add the pairs of the present result.
  std::map<NamePair, Earlier> then = earlier.pairs;
  for (std::size_t i = 0; i < now.pairs.size(); ++i) {
    const ClashPair& pair = now.pairs[i];
    ClashDifference d;
    d.part_a = now.parts.parts[pair.part_a].name;
    d.part_b = now.parts.parts[pair.part_b].name;
    d.now = pair.verdict;
    d.pair = i;
    d.change = ClashChange::fresh;
    if (const auto found = then.find(ordered(d.part_a, d.part_b)); found != then.end()) {
      d.before = found->second.verdict;
      d.thickness_before = found->second.thickness;
      d.distance_before = found->second.distance;
      const bool same = parts_then.unchanged(pair.part_a) && parts_then.unchanged(pair.part_b);
      d.change = change_of(found->second, pair, same, tolerance);
      then.erase(found);
    } else if (earlier.all_tested && earlier.parts.count(d.part_a) > 0 &&
               earlier.parts.count(d.part_b) > 0) {
      d.before = ClashPairVerdict::free;
    }
    add(std::move(d));
  }
  // Add the pairs that only the earlier result lists.
  std::map<std::string_view, std::size_t> parts;
  for (std::size_t p = 0; p < now.parts.parts.size(); ++p) parts[now.parts.parts[p].name] = p;
  const clash::Rulings rulings(now.parts, now.options.rules);
  const clash::Selection selection(now.parts, now.options);
  for (const auto& [names, pair] : then) {
    ClashDifference d;
    d.part_a = names.first;
    d.part_b = names.second;
    d.before = pair.verdict;
    d.thickness_before = pair.thickness;
    d.distance_before = pair.distance;
    const auto a = parts.find(names.first), b = parts.find(names.second);
    d.change = a == parts.end() || b == parts.end() ? ClashChange::gone
               : !selection.of(a->second, b->second).tested ||
                       rulings.of(a->second, b->second).what == ClashRuling::ignore
                   ? ClashChange::not_asked
                   : ClashChange::solved;
    if (d.change == ClashChange::solved) d.now = ClashPairVerdict::free;
    add(std::move(d));
  }
  return comparison;
}

}  // namespace touche
