// SPDX-License-Identifier: Apache-2.0
// The report page of a dragged part.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "report/curves.h"
#include "report/page.h"
#include "report/svg.h"
#include "report/words.h"
#include "simulation/handle_facts.h"
#include "study/picture.h"
#include "study/report_parts.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace report;
using simulation::HandleFacts;
using simulation::HoldingPart;

constexpr std::size_t kMostPictures = 4, kMostRows = 12;

struct HandleHeadline {
  const char* word;
  const char* colour;
};

HandleHeadline headline(const HandleResult& result, const HandleFacts& facts) {
  switch (result.verdict) {
    case StudyVerdict::free:
      if (facts.touching > 0) return {"It stands too near to something", colour::kUndecided};
      if (!result.proof.may_reach_in.empty()) {
        if (!result.proof.allowed.empty())
          return {"No other surfaces meet on its path, proved", colour::kUndecided};
        if (result.start_distance < result.clearance)
          return {"No surfaces meet on its path, proved, but the clearance was not kept",
                  colour::kUndecided};
        return {"No surfaces meet on its path, proved", colour::kFree};
      }
      if (result.start_distance < result.clearance)
        return {"Its path is free, proved, but the clearance was not kept", colour::kUndecided};
      return {"Its path is free, proved", colour::kFree};
    case StudyVerdict::contact:
    case StudyVerdict::inside:
      return {"Its path is not free", colour::kContact};
    case StudyVerdict::open:
      if (facts.touching > 0) return {"It stands too near to something", colour::kUndecided};
      return {"No surfaces meet on its path, proved; a part is open", colour::kUndecided};
    case StudyVerdict::undecided:
      return {"Not decided within the budget", colour::kUndecided};
    case StudyVerdict::interrupted:
      return {"Interrupted", colour::kUndecided};
  }
  return {"", colour::kInk};
}

const char* status_colour(HandlingStatus status) {
  switch (status) {
    case HandlingStatus::arrived:
      return colour::kFree;
    case HandlingStatus::held_back:
      return colour::kUndecided;
    case HandlingStatus::touching:
      return colour::kContact;
    case HandlingStatus::undecided:
      return colour::kNotExamined;
  }
  return colour::kInk;
}

const char* status_words(HandlingStatus status) {
  switch (status) {
    case HandlingStatus::arrived:
      return "where the hand is";
    case HandlingStatus::held_back:
      return "held back";
    case HandlingStatus::touching:
      return "too near to something to move";
    case HandlingStatus::undecided:
      return "lagging behind";
  }
  return "";
}

std::string force_text(double force) { return digits(force) + " N"; }

std::string fact(const std::string& value, const std::string& label) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, label);
}

// Names the share of a path that an interrupted proof examined.
std::string examined_text(const StudyResult& proof) {
  const std::size_t examined = simulation::examined_steps(proof);
  if (examined == proof.steps.size()) return "";
  return fmt::format(" that were examined, {} of {}", examined,
                     count_text(proof.steps.size(), "step"));
}

std::string facts_section(const HandleResult& result, const HandleFacts& facts) {
  const std::string& unit = result.study.unit;
  std::string out = "<div class=\"facts\">\n";
  out +=
      fact(digits(facts.seconds) + " s", "in the hand, " + count_text(result.steps.size(), "pose"));
  if (facts.seconds > 0)
    out += fact(percent(facts.held_back / facts.seconds),
                facts.held_back > 0
                    ? fmt::format("of the time held back, from a distance of {} or more",
                                  escape(length_text(facts.nearest, unit, Rounding::down)))
                    : std::string("of the time held back"));
  if (!result.steps.empty()) {
    const HandleStep& last = result.steps.back();
    out += facts.arrived
               ? fact("arrived", "at the hand's last pose")
               : fact(escape(length_text(last.distance_left, unit)),
                      fmt::format("and {} off the hand at the end", angle_text(last.angle_left)));
  }
  out += fact(force_text(facts.force), fmt::format("greatest force, of a spring of {} N per {}",
                                                   digits(result.stiffness), escape(unit)));
  if (result.max_work != Budget::kUnlimited)
    out += fact(number_text(facts.cut_short), fmt::format("of {} ended early, by the limit of work",
                                                          count_text(result.steps.size(), "pose")));
  double least = result.least_distance;
  for (const double c : simulation::clearances_of(result)) least = std::min(least, c);
  if (std::isfinite(least))
    out +=
        fact(escape(length_text(least, unit)),
             fmt::format("smallest clearance at the poses of the path{}; to keep: {}",
                         examined_text(result.proof), escape(length_text(result.clearance, unit))));
  return out + "</div>\n";
}

std::string way_section(const HandleResult& result, const StudyResult& taken,
                        const HandleFacts& facts) {
  double s = 0.5;
  std::string what = "Half way";
  if (facts.force > 0) {
    const double time = result.steps[facts.strongest].time;
    s = simulation::position_of(result, time);
    what = fmt::format("After {} s: the greatest force", digits(time - result.hand.times.front()));
  }
  const auto pictures =
      study::overviews(taken, {0, s, 1}, result.study.groups[result.group].parts.front());
  return fmt::format(
      "<h2>The path that was taken</h2>\n"
      "<div class=\"grid3\">\n"
      "<figure>{}<figcaption>Start"
      "</figcaption></figure>\n<figure>{}<figcaption>{}</figcaption></figure>\n"
      "<figure>{}<figcaption>End</figcaption></figure>\n</div>\n",
      pictures[0], pictures[1], what, pictures[2]);
}

// Equal neighbours are joined.
std::vector<Band> bands_of(const HandleResult& result) {
  std::vector<Band> bands;
  const double first = result.hand.times.front();
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const HandlingStatus status = result.steps[i].status;
    const double from = result.hand.times[i] - first, to = result.hand.times[i + 1] - first;
    if (i > 0 && status == result.steps[i - 1].status)
      bands.back().to = to;
    else
      bands.push_back({from, to, status_colour(status), status_words(status)});
  }
  return bands;
}

struct Plot {
  const char* heading;
  std::string svg;
};

std::string plots_section(const HandleResult& result) {
  const double first = result.hand.times.front();
  if (result.steps.empty()) return "";
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> times{0}, distance{none}, angle{none}, force{none}, torque{none},
      contacts{none};
  for (const HandleStep& step : result.steps) {
    times.push_back(step.time - first);
    distance.push_back(step.distance_left);
    angle.push_back(step.angle_left * simulation::kDegrees);
    force.push_back(step.force.norm());
    torque.push_back(step.torque.norm());
    contacts.push_back(static_cast<double>(step.contacts.size()));
  }
  const std::vector<Band> bands = bands_of(result);
  const std::string& unit = result.study.unit;
  const auto length = [&](double value) { return length_text(value, unit); };
  std::vector<Plot> plots;
  const auto add = [&](const char* heading, const std::vector<double>& at,
                       const std::vector<double>& values,
                       const std::function<std::string(double)>& text,
                       Scale scale = Scale::linear) {
    plots.push_back({heading, curves_plot({heading, at, {{heading, values}}, bands, text, scale})});
  };
  add("Distance from the part to the hand", times, distance, length);
  add("Angle from the part to the hand", times, angle, [](double x) { return digits(x) + "°"; });
  add("Force on the hand", times, force, force_text);
  add("Torque on the hand", times, torque,
      [&](double x) { return fmt::format("{} N {}", digits(x), unit); });
  add(
      "Contacts that hold the part back", times, contacts, [](double x) { return digits(x); },
      Scale::counts);
  std::vector<double> way_times = result.path.times;
  for (double& t : way_times) t -= first;
  const std::vector<double> clearances = simulation::clearances_of(result);
  if (std::any_of(clearances.begin(), clearances.end(), [](double c) { return std::isfinite(c); }))
    add("Clearance", way_times, clearances, length, Scale::decades);
  std::string out;
  for (const Plot& p : plots)
    out += fmt::format("<h2>{}</h2>\n<div class=\"scroll\">{}</div>\n", p.heading, p.svg);
  return out +
         "<p class=\"note\">Over the seconds since the first pose of the hand. The strip: green "
         "where the part is where the hand is, amber where it is held back, grey where it lags "
         "behind, red where it stands too near to something. Distances are measured at the centre "
         "of mass. The clearance is the least of all pairs of parts at the poses of the path; it "
         "is not shown where it is above the study's threshold.</p>\n";
}

// A shape has no faces in a file.
std::string side_text(const Study& study, std::size_t part, Index face) {
  return escape(study.parts[part].name) +
         (study.parts[part].shape ? "" : fmt::format(" face {}", face));
}

std::string holding_section(const HandleResult& result, const StudyResult& taken,
                            const HandleFacts& facts) {
  if (facts.holding.empty()) return "";
  std::string out =
      "<h2>What held it back</h2>\n<div class=\"scroll\"><table><thead><tr><th>part</th>"
      "<th class=\"n\">time</th><th class=\"n\">share</th><th class=\"n\">greatest force</th>"
      "<th class=\"n\">after</th><th>there</th></tr></thead><tbody>\n";
  std::string figures;
  for (std::size_t i = 0; i < std::min(kMostRows, facts.holding.size()); ++i) {
    const HoldingPart& holding = facts.holding[i];
    const HandleStep& step = result.steps[holding.step];
    const HandleContact& contact = step.contacts[holding.contact];
    const std::string where = side_text(result.study, contact.part, contact.contact.face_a) +
                              " – " +
                              side_text(result.study, contact.other, contact.contact.face_b);
    const double after = step.time - result.hand.times.front();
    out += fmt::format(
        "<tr><td><span class=\"chip\" style=\"background:{}\"></span>{}</td>"
        "<td class=\"n\">{} s</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{} s</td><td>{}</td></tr>\n",
        study::part_colour(result.study, holding.part),
        escape(result.study.parts[holding.part].name), digits(holding.seconds),
        percent(holding.seconds / facts.seconds), force_text(holding.force), digits(after), where);
    if (i >= kMostPictures) continue;
    const study::Figure figure = study::contact_picture(
        taken,
        {contact.part, contact.other, simulation::position_of(result, step.time), contact.contact});
    figures += fmt::format(
        "<figure>{}<figcaption>After {} s: {}, {} apart.{}</figcaption></figure>\n", figure.svg,
        digits(after), where, escape(length_text(contact.contact.distance, result.study.unit)),
        figure.section ? " Section through it." : "");
  }
  return out + "</tbody></table></div>\n<div class=\"grid2\">\n" + figures +
         "</div>\n<p class=\"note\">Times in which a part pushed, and the contact that pushed most "
         "when its force was greatest. The arrow is the normal, from the part in the hand to the "
         "other one.</p>\n";
}

std::string limit_item(const HandleResult& result) {
  if (result.max_work == Budget::kUnlimited) return "";
  return fmt::format(
      "<li>For each pose of the hand at most {} {} tested. Where this is not enough the part moves "
      "less far than it could, and lags behind; its motion is proved all the same.</li>\n",
      count_text(result.max_work, "pair"), result.max_work == 1 ? "was" : "were");
}

std::string foundation(const HandleResult& result, const StudyResult& taken) {
  const std::string& unit = result.study.unit;
  return fmt::format(
      "<h2>What this answer rests on</h2>\n<ul>\n"
      "<li>The hand draws the part by a spring. Within its contacts the part moves as near to the "
      "hand's pose as possible, measured by its mass and inertia as if it were filled evenly. It "
      "has no momentum: where the hand rests, it rests.</li>\n"
      "<li>{} It was written down as {} poses, and checked like any study, between the poses, too: "
      "{}</li>\n"
      "<li>A clearance of {} is kept by the motion that was made, and three quarters of it by the "
      "path as it is written down; tolerance {}. A part that is nearer than that at the start "
      "moves only if it is proved to separate.</li>\n"
      "{}{}"
      "<li>Forces are the forces of a spring of {} N per {}{}; with another spring they are in "
      "proportion, and the path is the same.</li>\n"
      "</ul>\n",
      result.verdict == StudyVerdict::free || result.verdict == StudyVerdict::open
          ? "<b>The path is proved, not sampled.</b>"
          : "<b>The path is not proved.</b>",
      result.path.poses.size(), escape(verdict_sentence(taken)),
      escape(length_text(result.clearance, unit)),
      escape(length_text(result.study.tolerance, unit)), study::shapes_item(taken),
      limit_item(result), digits(result.stiffness), escape(unit),
      result.friction > 0 ? fmt::format(", with static friction of {}", digits(result.friction))
                          : std::string());
}

}  // namespace

std::string handle_html(const HandleResult& result, const PageNotes& notes) {
  const HandleFacts facts = simulation::facts_of(result);
  const StudyResult& taken = result.proof;
  const HandleHeadline head = headline(result, facts);
  const std::string title =
      result.study.title.empty() ? result.study.file.filename().string() : result.study.title;
  std::string out = begin_page(fmt::format("{}: {}", title, head.word), "A part in a hand", title);
  out += fmt::format(
      "<section class=\"verdict\" style=\"--mark:{}\"><p>How far does the part follow the hand?</p>"
      "<div class=\"word\">{}</div><p>{}</p></section>\n",
      head.colour, head.word, escape(handle_sentence(result)));
  out += facts_section(result, facts);
  out += way_section(result, taken, facts) + notes.viewer;
  out += plots_section(result);
  out += holding_section(result, taken, facts);
  out += study::parts_section(taken);
  out += foundation(result, taken);
  std::string foot =
      fmt::format("Touché {} · study {}, checksum {:016x}", kVersion,
                  escape(result.study.file.filename().string()), result.study.fingerprint);
  for (const std::string& note : {notes.date, notes.remark})
    if (!note.empty()) foot += " · " + escape(note);
  return out + end_page(foot);
}

}  // namespace touche
