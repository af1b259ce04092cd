// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>

#include "touche/simd.h"
#include "touche/version.h"

namespace touche::bench {
namespace {

constexpr const char* kReference = "Touché";

std::string quantity(const Result& r) {
  if (r.unit == "B") return fmt::format("{:.0f} B", r.value);
  if (r.value < 1e-3) return fmt::format("{:.2f} µs", r.value * 1e6);
  return r.value < 1 ? fmt::format("{:.2f} ms", r.value * 1e3) : fmt::format("{:.2f} s", r.value);
}

const Result* find(const std::vector<Result>& results, const Result& line,
                   const std::string& peer) {
  for (const Result& r : results)
    if (r.scene == line.scene && r.question == line.question && r.peer == peer) return &r;
  return nullptr;
}

std::string cell(const std::vector<Result>& results, const Result& line, const std::string& peer) {
  const Result* r = find(results, line, peer);
  if (!r) return "–";
  if (!r->right) return "wrong: " + r->check;
  if (!(r->value > 0)) return "–";  // not among what --benchmark_filter chose
  std::string text = quantity(*r);
  const Result* ours = find(results, line, kReference);
  if (peer != kReference && ours && ours->right)
    text += fmt::format(" ×{:.1f}", r->value / ours->value);
  return r->check.empty() ? text : text + " (" + r->check + ")";
}

/// Letters as a terminal shows them; all we use are one column wide.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

std::string table(const std::vector<Result>& results) {
  std::vector<std::string> peers;
  for (const Result& r : results)
    if (std::find(peers.begin(), peers.end(), r.peer) == peers.end()) peers.push_back(r.peer);
  std::vector<std::vector<std::string>> lines{{"scene", "question"}};
  lines.front().insert(lines.front().end(), peers.begin(), peers.end());
  for (const Result& r : results) {
    if (find(results, r, r.peer) != &r ||
        std::any_of(lines.begin(), lines.end(),
                    [&](const auto& l) { return l[0] == r.scene && l[1] == r.question; }))
      continue;
    auto& line = lines.emplace_back(std::vector<std::string>{r.scene, r.question});
    for (const std::string& peer : peers) line.push_back(cell(results, r, peer));
  }
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], columns(line[i]));
  std::string text;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    for (std::size_t i = 0; i < lines[l].size(); ++i)
      text += fmt::format("| {}{:{}} ", lines[l][i], "", widths[i] - columns(lines[l][i]));
    text += "|\n";
    if (l > 0) continue;
    for (const std::size_t width : widths) text += fmt::format("|{:-<{}}", "", width + 2);
    text += "|\n";
  }
  return text;
}

std::string machine_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, name;
  while (name.empty() && std::getline(info, line))
    if (line.starts_with("model name")) name = line.substr(line.find(':') + 1);
  std::string result;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(c));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  return result.empty() ? "unknown" : result;
}

void write_csv(const std::vector<Result>& results, const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file);
  out << "version,simd,scene,question,peer,unit,value,wall,right,check\n";
  for (const Result& r : results)
    out << fmt::format("{},{},{},{},{},{},{:.4g},{:.4g},{},\"{}\"\n", kVersion,
                       simd_targets().front(), r.scene, r.question, r.peer, r.unit, r.value, r.wall,
                       r.right ? "yes" : "no", r.check);
  if (!out.flush()) throw std::runtime_error(file.string() + ": cannot be written");
}

}  // namespace touche::bench
