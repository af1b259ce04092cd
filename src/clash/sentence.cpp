// SPDX-License-Identifier: Apache-2.0
// States the answer in words: how many pairs clash, the most severe pair, and the other results.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "clash/describe.h"
#include "report/words.h"

namespace touche {
namespace {

using namespace clash;
using namespace report;

std::string both(const ClashResult& result, const ClashPair& pair) {
  return fmt::format("{} and {}", result.parts.parts[pair.part_a].name,
                     result.parts.parts[pair.part_b].name);
}

// The pair of this class that the sentence describes: the most severe one that is not accepted.
const ClashPair* worst(const ClashResult& result, ClashPairVerdict c) {
  for (const std::size_t i : worst_first(result)) {
    const ClashPair& pair = result.pairs[i];
    if (pair.verdict == c && !pair.accepted) return &pair;
  }
  return nullptr;
}

std::string clashes(const ClashResult& result) {
  std::string text;
  if (const std::size_t count = result.open(ClashPairVerdict::clash); count > 0) {
    const ClashPair& pair = *worst(result, ClashPairVerdict::clash);
    const std::string measure = measure_text(result.parts, pair);
    text = count == 1 ? fmt::format("1 pair of parts clashes: {}", both(result, pair))
                      : fmt::format("{} pairs of parts clash; worst are {}", number_text(count),
                                    both(result, pair));
    if (!measure.empty()) text += ", which " + measure;
  }
  if (const std::size_t count = result.open(ClashPairVerdict::contains); count > 0) {
    const ClashPair& pair = *worst(result, ClashPairVerdict::contains);
    const bool a_inside = pair.containment == Containment::a_in_b;
    const auto part = [&](bool inside) {
      return result.parts.parts[inside == a_inside ? pair.part_a : pair.part_b].name;
    };
    text += text.empty() ? "" : "; ";
    text += count == 1 ? fmt::format("{} lies inside {}", part(true), part(false))
                       : fmt::format("{} parts lie inside another, as {} in {}", number_text(count),
                                     part(true), part(false));
  }
  return text;
}

// "; 12 pairs touch, 3 are nearer than 1 mm, 2 are accepted"
std::string others(const ClashResult& result) {
  std::vector<std::string> texts;
  const auto tell = [&](std::size_t count, const char* one, const char* more) {
    if (count > 0)
      texts.push_back(fmt::format("{} {}", number_text(count), count == 1 ? one : more));
  };
  tell(result.open(ClashPairVerdict::touching), "pair touches", "pairs touch");
  tell(result.open(ClashPairVerdict::within_accuracy), "pair meets within the accuracy of meshes",
       "pairs meet within the accuracy of meshes");
  if (const std::size_t count = result.open(ClashPairVerdict::near); count > 0) {
    const Lengths length = lengths_of(result.parts);
    texts.push_back(
        fmt::format("{} nearer than {} (least {})",
                    count == 1 ? "1 pair is" : number_text(count) + " pairs are",
                    length.text(result.options.clearance),
                    length.text(worst(result, ClashPairVerdict::near)->distance.upper)));
  }
  if (result.verdict != ClashVerdict::open)
    tell(result.open(ClashPairVerdict::open), "pair has an open part, whose inside is unknown",
         "pairs have an open part, whose inside is unknown");
  if (result.verdict != ClashVerdict::undecided && result.verdict != ClashVerdict::interrupted)
    tell(result.open(ClashPairVerdict::undecided), "is not decided", "are not decided");
  tell(static_cast<std::size_t>(std::count_if(result.pairs.begin(), result.pairs.end(),
                                              [](const ClashPair& p) { return p.duplicate; })),
       "pair is two identical copies in one position",
       "pairs are identical copies in one position");
  std::size_t accepted = 0, approved = 0;
  for (const ClashPair& pair : result.pairs)
    if (pair.accepted) ++(pair.note && pair.note->accepted ? approved : accepted);
  tell(accepted, "is accepted by a rule", "are accepted by rules");
  tell(approved, "is approved in the notes", "are approved in the notes");
  tell(result.ignored, "is left out by a rule", "are left out by rules");
  return texts.empty() ? "" : fmt::format("; {}", fmt::join(texts, ", "));
}

// "; 1 node of the files was left out: lid (scaled by 0)"
std::string left_out(const ClashResult& result) {
  constexpr std::size_t kNamed = 3;
  const std::vector<LeftOutPart>& gone = result.parts.left_out;
  if (gone.empty()) return "";
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kNamed, gone.size()); ++i)
    texts.push_back(fmt::format("{} ({})", gone[i].name, gone[i].reason));
  if (gone.size() > kNamed) texts.push_back(number_text(gone.size() - kNamed) + " more");
  return fmt::format("; {} left out: {}",
                     gone.size() == 1 ? "1 node of the files was"
                                      : number_text(gone.size()) + " nodes of the files were",
                     fmt::join(texts, ", "));
}

// "Whether bolt lies inside housing is unknown: housing is open"
std::string may_contain(const ClashResult& result) {
  const ClashPair& pair = *worst(result, ClashPairVerdict::open);
  const auto name_of = [&](std::size_t part) { return result.parts.parts[part].name; };
  const auto is_open = [&](std::size_t part) {
    return Interior(result.parts.objects[result.parts.parts[part].object]).is_open();
  };
  const auto has_gaps = [&](std::size_t part) {
    return Interior(result.parts.objects[result.parts.parts[part].object]).closed_gap() > 0;
  };
  const bool a_is_open = is_open(pair.part_a);
  // Of a part whose gaps count as closed it is unknown if the other one is as near to its faces.
  const bool b_is_open = is_open(pair.part_b) || (!a_is_open && has_gaps(pair.part_b));
  const std::size_t outer = b_is_open ? pair.part_b : pair.part_a;
  const std::size_t inner = outer == pair.part_b ? pair.part_a : pair.part_b;
  std::string text =
      fmt::format("Whether {} lies inside {} is unknown: ", name_of(inner), name_of(outer));
  text += a_is_open && b_is_open
              ? std::string("both are open")
              : fmt::format("{} {}", name_of(outer),
                            is_open(outer) ? "is open" : "has gaps that are near");
  const ClashPart& part = result.parts.parts[outer];
  if (const std::optional<Vec3> at = Interior(result.parts.objects[part.object]).open_at()) {
    ClashPair there;
    there.contact.emplace();
    there.contact->point_a = there.contact->point_b = part.pose * *at;
    text += fmt::format("{} at {}", a_is_open && b_is_open ? "; " + name_of(outer) : ",",
                        Places(result.parts).text(there));
  }
  const std::size_t more = result.open(ClashPairVerdict::open) - 1;
  if (more > 0) text += fmt::format("; likewise for {} more", count_text(more, "pair"));
  return text;
}

// "of 3 parts no two overlap", or the bound on the overlap of pairs that touch. If a part may reach
// into an open one, that is said of the surfaces; and if no part may lie inside another, that, too.
std::string proved(const ClashResult& result, const std::string& parts) {
  const ClashPair* most = nullptr;
  for (const ClashPair& pair : result.pairs)
    if (!pair.accepted && thickness_counts(result.parts, pair) &&
        (most == nullptr || pair.thickness.diameter.upper > most->thickness.diameter.upper))
      most = &pair;
  const bool ruled =
      result.ignored > 0 || std::any_of(result.pairs.begin(), result.pairs.end(),
                                        [](const ClashPair& p) { return p.accepted.has_value(); });
  const char* between = result.outside > 0 ? ", between the sets that were tested" : "";
  const char* aside = ruled ? ", pairs in rules aside" : "";
  const std::string of =
      fmt::format("of {}{}{}{}", parts, between, aside, result.outside > 0 || ruled ? "," : "");
  const bool open = result.verdict == ClashVerdict::open;
  const char* what = !open && result.may_reach_in == 0 ? "no two"
                     : has_drawings(result.parts)      ? "the outlines of no two"
                                                       : "the surfaces of no two";
  const char* apart = result.may_reach_in > 0 && !open ? ", and none lies inside another" : "";
  if (most == nullptr) return fmt::format("{} {} overlap{}", of, what, apart);
  return fmt::format(
      "{} {} overlap by more than {}, {}{}{}", of, what,
      lengths_of(result.parts).text(most->thickness.diameter.upper, Rounding::up),
      most->verdict == ClashPairVerdict::within_accuracy ? "at most four times " : "",
      allowance_text(most->allowance, has_drawings(result.parts)), apart);
}

// " 1 of 3 tests fails: cables (4 pairs)."
std::string tests_sentence(const ClashResult& result) {
  if (result.tests.empty()) return "";
  std::vector<std::string> failed;
  for (const ClashTestResult& test : result.tests) {
    const auto open = std::count_if(test.failed.begin(), test.failed.end(), [&](std::size_t i) {
      return !result.pairs[i].accepted.has_value();
    });
    if (open > 0)
      failed.push_back(
          fmt::format("{} ({})", test.name, count_text(static_cast<std::size_t>(open), "pair")));
  }
  const std::string tests = count_text(result.tests.size(), "test");
  if (failed.empty())
    return fmt::format(" No test of {} finds anything.", number_text(result.tests.size()));
  return fmt::format(" {} of {} {}: {}.", number_text(failed.size()), tests,
                     failed.size() == 1 ? "fails" : "fail", fmt::join(failed, ", "));
}

// "1 part moved (crank by 2 mm), 2 parts have another mesh (rod, pin)"
std::string part_changes(const ClashResult& result) {
  using Kind = ClashPartChange::Kind;
  constexpr std::size_t kNamed = 3;
  constexpr std::array<std::pair<const char*, const char*>, 4> kTexts = {
      {{"part moved", "parts moved"},
       {"part has another mesh", "parts have another mesh"},
       {"part is gone", "parts are gone"},
       {"part is new", "parts are new"}}};
  std::vector<std::string> texts;
  for (const Kind kind : {Kind::moved, Kind::mesh, Kind::gone, Kind::fresh}) {
    std::vector<std::string> named;
    std::size_t count = 0;
    for (const ClashPartChange& change : result.comparison->parts) {
      if (change.kind != kind || ++count > kNamed) continue;
      named.emplace_back(change.part);
      if (kind == Kind::moved) named.back() += " by " + lengths_of(result.parts).text(change.moved);
    }
    if (count == 0) continue;
    if (count > kNamed) named.push_back(number_text(count - kNamed) + " more");
    const auto& [one, more] = kTexts[static_cast<std::size_t>(kind)];
    texts.push_back(fmt::format("{} {} ({})", number_text(count), count == 1 ? one : more,
                                fmt::join(named, ", ")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string verdict_sentence(const ClashResult& result) {
  const std::string found = clashes(result), parts = count_text(result.parts.parts.size(), "part"),
                    rest = others(result) + left_out(result);
  switch (result.verdict) {
    case ClashVerdict::free:
      return fmt::format("No clash, proved: {}{}.", proved(result, parts), rest);
    case ClashVerdict::open:
      return fmt::format("No {} clash, proved: {}{}. {}.",
                         has_drawings(result.parts) ? "outlines" : "surfaces",
                         proved(result, parts), rest, may_contain(result));
    case ClashVerdict::clash:
      return begin_sentence(found) + rest + ".";
    case ClashVerdict::undecided:
      return fmt::format("Not decided: no clash was found, but {} of {} could not be answered{}.",
                         count_text(result.open(ClashPairVerdict::undecided), "pair"), parts, rest);
    case ClashVerdict::interrupted:
      return fmt::format("Interrupted: {} {} not decided; {}{}.",
                         count_text(result.count(ClashPairVerdict::undecided), "pair"),
                         result.count(ClashPairVerdict::undecided) == 1 ? "is" : "are",
                         found.empty() ? "no clash was found until then" : found, rest);
  }
  return {};
}

}  // namespace

std::string clash_sentence(const ClashResult& result) {
  return verdict_sentence(result) + tests_sentence(result);
}

std::string comparison_sentence(const ClashResult& result) {
  if (!result.comparison) return "";
  const auto count = [&](ClashChange c) {
    return result.comparison->counts[static_cast<std::size_t>(c)];
  };
  // Count new clashes separately, because they matter more than near pairs.
  const auto grave =
      std::count_if(result.comparison->pairs.begin(), result.comparison->pairs.end(),
                    [](const ClashDifference& d) {
                      return d.change == ClashChange::fresh && d.now >= ClashPairVerdict::contains;
                    });
  const std::string parts = part_changes(result);
  std::string text =
      fmt::format("Compared with {}: {}{} new", result.comparison->earlier.string(),
                  parts.empty() ? "" : parts + "; pairs: ", number_text(count(ClashChange::fresh)));
  if (grave > 0) text += fmt::format(" ({} of them clash)", grave);
  text += fmt::format(
      ", {} solved, {} changed, {} unchanged", number_text(count(ClashChange::solved)),
      number_text(count(ClashChange::changed)), number_text(count(ClashChange::unchanged)));
  if (count(ClashChange::unsure) > 0)
    text += fmt::format(", {} measured too coarsely to compare",
                        number_text(count(ClashChange::unsure)));
  if (count(ClashChange::gone) > 0)
    text += fmt::format(", {} of parts that are gone", number_text(count(ClashChange::gone)));
  if (count(ClashChange::not_asked) > 0)
    text += fmt::format(", {} no longer tested", number_text(count(ClashChange::not_asked)));
  return text + ".";
}

}  // namespace touche
