// SPDX-License-Identifier: Apache-2.0
#include "clash/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clash/earlier_parts.h"
#include "report/words.h"

namespace touche::clash {

using namespace report;

namespace {

// Overlaps are mentioned that may be thicker than rounding makes them.
constexpr double kMovedRounding = 0x1p-44;  // of the largest coordinate

}  // namespace

std::string_view class_text(ClashPairVerdict c) {
  constexpr std::string_view kTexts[] = {"Free", "Near",        "Touching",       "Within accuracy",
                                         "Open", "Not decided", "One in another", "Clash"};
  return kTexts[static_cast<std::size_t>(c)];
}

std::string class_meaning(ClashPairVerdict c, const ClashResult& result) {
  const double clearance = result.options.clearance;
  const report::Lengths length = lengths_of(result.parts);
  const bool drawings = has_drawings(result.parts);
  const bool by_tests = !result.tests.empty();
  switch (c) {
    case ClashPairVerdict::free:
      if (by_tests && clearance > 0)
        return "proved: farther apart than the clearance of their tests, and no part inside the "
               "other";
      return clearance > 0
                 ? fmt::format("proved: farther apart than {}, and no part inside the other",
                               length.text(clearance))
                 : "proved: apart, and no part inside the other";
    case ClashPairVerdict::near:
      return by_tests ? "no contact, but nearer than the clearance of their tests"
                      : fmt::format("no contact, but nearer than {}", length.text(clearance));
    case ClashPairVerdict::touching:
      return drawings
                 ? "outlines meet, and overlap no more than the deviation of chords from curves"
                 : "surfaces meet, and overlap no more than the deviation of meshes from smooth "
                   "surfaces";
    case ClashPairVerdict::within_accuracy:
      return drawings ? "outlines meet within the accuracy of chords: it is not proved that they "
                        "touch only, nor that they overlap by more"
                      : "surfaces meet within the meshes' accuracy: it is not proved that they "
                        "touch only, nor that they overlap by more";
    case ClashPairVerdict::open:
      return fmt::format(
          "{} do not clash, proved; but a part is open, and it is unknown whether the other one "
          "lies inside it",
          drawings ? "outlines" : "surfaces");
    case ClashPairVerdict::undecided:
      return "given up: it may be free or not";
    case ClashPairVerdict::contains:
      return fmt::format("no {} meet, but a piece of one lies inside the other",
                         drawings ? "edges" : "faces");
    case ClashPairVerdict::clash:
      return drawings ? "outlines meet, and do more than touch"
                      : "surfaces meet, and do more than touch";
  }
  return "";
}

bool fails_a_test(const ClashResult& result, std::size_t pair) {
  return std::any_of(result.tests.begin(), result.tests.end(), [&](const ClashTestResult& test) {
    return std::binary_search(test.failed.begin(), test.failed.end(), pair);
  });
}

std::vector<std::size_t> findings(const ClashResult& result, bool with_approved) {
  std::vector<std::size_t> found = worst_first(result);
  std::erase_if(found, [&](std::size_t i) {
    const ClashPair& pair = result.pairs[i];
    const bool approved = with_approved && pair.note && pair.note->accepted;
    return (pair.accepted && !approved) ||
           (pair.verdict < ClashPairVerdict::contains && !fails_a_test(result, i));
  });
  return found;
}

std::string move_text(const ClashParts& parts, const ClashMove& move) {
  const double length = move.shift.norm();
  const Vec3 way = length > 0 ? Vec3(move.shift / length) : Vec3(Vec3::Zero());
  return fmt::format("moving {} by {} along {} ends the overlap", parts.parts[move.part].name,
                     lengths_of(parts).text(length, Rounding::up), report::direction_text(way));
}

Vec3 clash_point(const ClashPair& pair) {
  if (pair.thickness.diameter.lower > 0) return pair.thickness.centre;
  return pair.contact ? Vec3(0.5 * (pair.contact->point_a + pair.contact->point_b))
                      : Vec3(Vec3::Zero());
}

Places::Places(const ClashParts& parts)
    : lengths_(lengths_of(parts)), drawings_(has_drawings(parts)) {
  double size = 0;
  for (const ClashPart& part : parts.parts) {
    const Aabb& box = parts.objects[part.object].bounds();
    size = std::max(size, (part.pose * box.centre()).cwiseAbs().maxCoeff() + box.diagonal());
  }
  size *= lengths_.factor();
  if (size > 0) decimals_ = std::clamp(static_cast<int>(std::ceil(5 - std::log10(size))), 0, 9);
}

std::string Places::text(const ClashPair& pair) const {
  // Adding zero turns -0 into 0.
  const double digit = std::pow(10, decimals_);
  const Vec3 at = (lengths_.factor() * clash_point(pair) * digit).array().round() / digit + 0.0;
  const std::string_view unit = unit_text(lengths_.unit());
  if (drawings_)
    return fmt::format("({:.{}f}, {:.{}f}) {}", at.x(), decimals_, at.y(), decimals_, unit);
  return fmt::format("({:.{}f}, {:.{}f}, {:.{}f}) {}", at.x(), decimals_, at.y(), decimals_, at.z(),
                     decimals_, unit);
}

bool thickness_counts(const ClashParts& parts, const ClashPair& pair) {
  const bool touches = pair.verdict == ClashPairVerdict::touching ||
                       pair.verdict == ClashPairVerdict::within_accuracy ||
                       pair.verdict == ClashPairVerdict::open;
  if (!touches || pair.distance.upper > 0) return false;
  const auto reach = [&](std::size_t part) {
    const Aabb box = world_box(parts, part);
    return std::max(box.lo.norm(), box.hi.norm());
  };
  const double rounding = kMovedRounding * std::max(reach(pair.part_a), reach(pair.part_b));
  return pair.thickness.diameter.upper > rounding;
}

std::string_view allowance_text(ClashAllowance allowance, bool drawings) {
  switch (allowance) {
    case ClashAllowance::tolerance:
      return "the tolerance";
    case ClashAllowance::given:
      return "the limit that was given for touching";
    case ClashAllowance::chord_error:
      return drawings ? "the deviation of chords from curves"
                      : "the deviation of meshes from smooth surfaces (an estimate)";
    case ClashAllowance::mesh_error:
      return "the deviation of polyhedra from round shapes";
    case ClashAllowance::ignored:
      return "below the limit for overlaps that are ignored";
    case ClashAllowance::slits:
      return "the accuracy of the inside beside slits between faces";
  }
  return "";
}

std::string measure_text(const ClashParts& parts, const ClashPair& pair) {
  const Bracket& thickness = pair.thickness.diameter;
  const report::Lengths length = lengths_of(parts);
  switch (pair.verdict) {
    case ClashPairVerdict::near:
      return length.text(pair.distance.upper) + " apart";
    case ClashPairVerdict::open:
      if (pair.distance.upper > 0 && pair.distance.upper < kInfinity)
        return length.text(pair.distance.upper) + " apart";
      [[fallthrough]];
    case ClashPairVerdict::touching:
      return thickness_counts(parts, pair)
                 ? fmt::format("{}overlap by no more than {}, {}",
                               pair.closed           ? ""
                               : has_drawings(parts) ? "outlines "
                                                     : "surfaces ",
                               length.text(thickness.upper, Rounding::up),
                               allowance_text(pair.allowance, has_drawings(parts)))
                 : "";
    case ClashPairVerdict::within_accuracy:
      return fmt::format("may overlap by up to {}; {} is {}",
                         length.text(thickness.upper, Rounding::up),
                         allowance_text(pair.allowance, has_drawings(parts)),
                         length.text(pair.max_touching_thickness));
    case ClashPairVerdict::contains:
    case ClashPairVerdict::clash: {
      // A pair without a proof of touching counts as a clash.
      constexpr const char* kOpen = "may do more than touch";
      const bool may_touch = pair.verdict == ClashPairVerdict::clash && pair.closed &&
                             thickness.lower <= pair.max_touching_thickness;
      std::string overlap =
          thickness.lower > 0 ? "overlap by " + length.thickness(thickness)
          : thickness.upper < kInfinity
              ? (may_touch ? "may overlap by up to " : "overlap by no more than ") +
                    length.text(thickness.upper, Rounding::up)
              : "";
      if (may_touch) overlap += overlap.empty() ? kOpen : fmt::format(", and {}", kOpen);
      return overlap;
    }
    case ClashPairVerdict::free:
    case ClashPairVerdict::undecided:
      return "";
  }
  return "";
}

}  // namespace touche::clash
