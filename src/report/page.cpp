// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include <fmt/core.h>

#include "report/svg.h"

namespace touche::report {
namespace {

const char* const kStyle = R"css(
:root { --ink: #20262e; --faint: #6b7480; --rule: #dfe3e8; --paper: #fff; --tint: #f5f7f9;
  --curve1: #2b5c8a; --curve2: #b5622b; --curve3: #4e7d3c; --curve4: #7a4f96; --curve5: #a03a56;
  --curve6: #3b8686; --curve7: #8a7a2b; --curve8: #5b6b8f; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e7ec; --faint: #98a2ae; --rule: #39414b; --paper: #1b2026; --tint: #14181d;
    --curve1: #7fb2e5; --curve2: #e59a66; --curve3: #8fc478; --curve4: #bd95d8; --curve5: #e0809b;
    --curve6: #74c4c4; --curve7: #cdbb62; --curve8: #9fb0d6; }
  .picture { filter: brightness(.86); }
}
* { box-sizing: border-box; }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { margin: 0; background: var(--tint); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; }
main { max-width: 960px; margin: 24px auto; padding: 36px 48px 28px; background: var(--paper);
  border: 1px solid var(--rule); border-radius: 6px; }
header p { margin: 0; color: var(--faint); }
h1 { font-size: 27px; line-height: 1.2; margin: 2px 0 18px; font-weight: 650; }
h2 { font-size: 18px; margin: 34px 0 8px; font-weight: 650; break-after: avoid; }
h3 { font-size: 15px; margin: 18px 0 6px; font-weight: 600; }
p { margin: 6px 0; }
.verdict { border-left: 6px solid var(--mark); background: var(--tint); padding: 16px 20px;
  border-radius: 0 6px 6px 0; break-inside: avoid; }
.verdict .word { color: var(--mark); font-size: 23px; font-weight: 700; line-height: 1.2; }
.verdict p { margin: 6px 0 0; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 14px 22px;
  margin: 20px 0 4px; }
.facts div { border-top: 2px solid var(--rule); padding-top: 6px; }
.facts dt, .facts span { display: block; color: var(--faint); font-size: 12.5px; }
.facts b { font-size: 18px; font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--faint); border-bottom: 2px solid var(--rule);
  vertical-align: bottom; }
th, td { padding: 5px 14px 5px 0; }
td { border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: break-word; }
td.n, th.n { text-align: right; white-space: nowrap; }
tr { break-inside: avoid; }
.note { color: var(--faint); font-size: 13px; }
.plot { width: 100%; height: auto; display: block; }
.plot text { font-size: 12px; fill: var(--faint); }
.picture { width: 100%; height: auto; display: block; border: 1px solid var(--rule);
  border-radius: 4px; background: #fff; }
.picture text { font-size: 15px; fill: #111; }
.picture.small text { font-size: 26px; }
.grid2 { display: grid; grid-template-columns: 1fr 1fr; gap: 20px; }
.grid3 { display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px; }
figure { margin: 0; break-inside: avoid; }
figcaption { font-size: 12.5px; color: var(--faint); margin-top: 5px; overflow-wrap: anywhere; }
.chip { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 6px;
  border: 1px solid rgba(0,0,0,.25); vertical-align: -1px; }
.status { font-weight: 600; white-space: nowrap; }
.scroll { overflow-x: auto; }
ul { margin: 6px 0; padding-left: 20px; }
li { margin: 4px 0; }
footer { margin-top: 34px; padding-top: 10px; border-top: 1px solid var(--rule); color: var(--faint);
  font-size: 12.5px; overflow-wrap: anywhere; }
@media (max-width: 700px) { main { padding: 20px; margin: 0; border: 0; }
  .grid2, .grid3 { grid-template-columns: 1fr; } .picture.small text { font-size: 20px; }
  .plot { min-width: 640px; } }
@media print { body { background: #fff; font-size: 12px; } main { border: 0; margin: 0; padding: 0;
  max-width: none; } }
)css";

}  // namespace

std::string begin_page(std::string_view title, std::string_view kicker, std::string_view heading) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style></head>\n<body><main>\n"
      "<header><p>{}</p><h1>{}</h1></header>\n",
      escape(title), kStyle, escape(kicker), escape(heading));
}

std::string end_page(std::string_view foot) {
  return fmt::format("<footer>{}</footer>\n</main></body></html>\n", foot);
}

}  // namespace touche::report
