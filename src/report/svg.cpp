// SPDX-License-Identifier: Apache-2.0
#include "report/svg.h"

#include <fmt/core.h>

#include <cmath>

namespace touche::report {

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  return out;
}

double round_down(double x) {
  if (!(x > 0) || !std::isfinite(x)) return 1;
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= x) return factor * power;
  return power;
}

std::vector<double> ticks(double end, int count) {
  const double step = round_down(end / count * 1.001);
  std::vector<double> result;
  for (int i = 0; i * step <= end * (1 + 1e-9) && i <= 4 * count; ++i) result.push_back(i * step);
  return result;
}

std::string begin_plot(double width, double height, std::string_view label) {
  return fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}" class="plot">)", width,
                     height, escape(label));
}

void add_line(std::string& out, double x1, double y1, double x2, double y2, const char* stroke,
              const char* more) {
  out += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" {}/>)",
                     x1, y1, x2, y2, stroke, more);
}

void add_text(std::string& out, double x, double y, const char* anchor, std::string_view content) {
  out += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
                     escape(content));
}

}  // namespace touche::report
