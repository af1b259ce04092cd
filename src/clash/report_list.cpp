// SPDX-License-Identifier: Apache-2.0
// The list of all reported pairs, with filters. It is complete without scripts, too.
#include <fmt/core.h>

#include <map>

#include "clash/describe.h"
#include "clash/report_parts.h"
#include "report/svg.h"
#include "report/words.h"

namespace touche::clash {
namespace {

using namespace report;

constexpr std::size_t kMostRows = 5000;

const char* const kScript = R"js(<script>
(function () {
  var rows = Array.prototype.slice.call(document.querySelectorAll('#pairs tbody tr'));
  var text = document.getElementById('find'), shown = document.getElementById('shown');
  var boxes = Array.prototype.slice.call(document.querySelectorAll('.filters input[type=checkbox]'));
  var groups = null;
  function update() {
    var words = text.value.toLowerCase().split(/\s+/).filter(Boolean), count = 0, off = {};
    boxes.forEach(function (b) { if (!b.checked) off[b.value] = true; });
    rows.forEach(function (r) {
      var d = r.dataset, name = r.cells[1].textContent.toLowerCase();
      var ok = !off[d.class] && !(off.accepted && d.accepted) && !(d.change && off[d.change]) &&
        words.every(function (w) { return name.indexOf(w) >= 0; }) &&
        (!groups || (d.a == groups[0] && d.b == groups[1]));
      r.hidden = !ok;
      if (ok) count++;
    });
    shown.textContent = count + ' of ' + rows.length + ' shown';
    document.getElementById('all').hidden = !groups;
  }
  text.addEventListener('input', update);
  boxes.forEach(function (b) { b.addEventListener('change', update); });
  function pick(cell) {
    groups = [cell.dataset.a, cell.dataset.b];
    update();
    document.getElementById('list').scrollIntoView();
  }
  document.querySelectorAll('.matrix .hit').forEach(function (c) {
    c.addEventListener('click', function () { pick(c); });
    c.addEventListener('keydown', function (e) { if (e.key === 'Enter') pick(c); });
  });
  document.getElementById('all').addEventListener('click', function () { groups = null; update(); });
  document.querySelector('.filters').hidden = false;
  update();
})();
</script>
)js";

std::string box(std::string_view value, std::string_view label, const char* colour = nullptr) {
  const std::string chip =
      colour == nullptr
          ? ""
          : fmt::format("<span class=\"chip\" style=\"background:{}\"></span>", colour);
  return fmt::format("<label><input type=\"checkbox\" value=\"{}\" checked> {}{}</label>\n", value,
                     chip, escape(label));
}

std::string filters(const ClashResult& result) {
  std::string out =
      "<div class=\"filters\" hidden>\n<input id=\"find\" type=\"search\" placeholder=\"Find "
      "names\" "
      "aria-label=\"Find names\">\n";
  for (const ClashPairVerdict c :
       {ClashPairVerdict::clash, ClashPairVerdict::contains, ClashPairVerdict::undecided,
        ClashPairVerdict::open, ClashPairVerdict::within_accuracy, ClashPairVerdict::touching,
        ClashPairVerdict::near})
    if (result.count(c) > 0) out += box(name(c), class_text(c), class_colour(c));
  std::size_t accepted = 0;
  for (const std::size_t count : result.accepted) accepted += count;
  if (accepted > 0) out += box("accepted", "Accepted");
  if (result.comparison)
    for (const ClashChange c : {ClashChange::fresh, ClashChange::changed, ClashChange::unchanged})
      out += box(name(c), capitalised(std::string(name(c))));
  return out +
         "<button id=\"all\" type=\"button\" hidden>All groups</button>\n"
         "<span id=\"shown\" class=\"note\"></span>\n</div>\n";
}

std::string part_text(const ClashResult& result, std::size_t part) {
  const std::string_view name = result.parts.parts[part].name;
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return escape(name);
  return fmt::format("<span class=\"note\">{}/</span>{}", escape(name.substr(0, slash)),
                     escape(name.substr(slash + 1)));
}

std::string row(const ClashResult& result, const Places& places, const Groups& groups,
                std::size_t i, const std::string& change) {
  const ClashPair& pair = result.pairs[i];
  const auto [a, b] = std::minmax({groups.of(pair.part_a), groups.of(pair.part_b)});
  std::string notes = measure_text(result.parts, pair);
  if (!pair.closed) notes += notes.empty() ? "not closed" : "; not closed";
  std::string text = escape(notes);
  if (pair.accepted)
    text += fmt::format("{}<i>accepted: {}</i>", text.empty() ? "" : "; ", escape(*pair.accepted));
  const bool known = pair.contact || pair.thickness.diameter.lower > 0;
  return fmt::format(
      "<tr data-class=\"{}\" data-a=\"{}\" data-b=\"{}\"{}{}><td class=\"status\"><span "
      "class=\"chip\" style=\"background:{}\"></span>{}{}</td><td>{}<br>{}</td><td>{}</td>"
      "<td>{}</td></tr>\n",
      name(pair.verdict), a, b, pair.accepted ? " data-accepted=\"1\"" : "",
      change.empty() ? "" : fmt::format(" data-change=\"{}\"", change), class_colour(pair.verdict),
      class_text(pair.verdict),
      change.empty() || change == "unchanged"
          ? ""
          : fmt::format("<br><span class=\"note\">{}</span>", change),
      part_text(result, pair.part_a), part_text(result, pair.part_b), text,
      known ? escape(places.text(pair)) : "");
}

}  // namespace

std::string list_section(const ClashResult& result) {
  const std::vector<std::size_t> order = worst_first(result);
  if (order.empty()) return "";
  const Places places(result.parts);
  const Groups groups(result.parts);
  std::map<std::size_t, std::string> changes;
  if (result.comparison)
    for (const ClashDifference& d : result.comparison->pairs)
      if (d.pair) changes[*d.pair] = std::string(name(d.change));
  std::string out = "<h2 id=\"list\">All pairs that are not free</h2>\n" + filters(result) +
                    "<div class=\"scroll\"><table id=\"pairs\"><thead><tr><th>class</th><th>parts"
                    "</th><th>how much</th><th>where</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(order.size(), kMostRows); ++i)
    out += row(result, places, groups, order[i], changes[order[i]]);
  out += "</tbody></table></div>\n";
  if (order.size() > kMostRows)
    out += fmt::format(
        "<p class=\"note\">The {} gravest; all {} are in pairs.csv and "
        "result.json.</p>\n",
        number_text(kMostRows), number_text(order.size()));
  return out + kScript;
}

}  // namespace touche::clash
