// SPDX-License-Identifier: Apache-2.0
// Text can be read: contrast ratios as WCAG 2.1 defines them, from the colours of the style sheet.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const kSheet = readFileSync('src/look.css', 'utf8');

function variables(selector: string): Map<string, string> {
  const start = kSheet.indexOf(`${selector} {`);
  assert.ok(start >= 0, selector);
  const block = kSheet.slice(start, kSheet.indexOf('}', start));
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]+)/g)].map((match) => [match[1]!, match[2]!]));
}

/** Relative luminance; of colours that are seen through the opaque part counts. */
function luminance(hex: string): number {
  const digits = hex.length <= 5 ? [...hex.slice(1, 4)].map((x) => x + x) : hex.slice(1, 7).match(/../g)!;
  const [r, g, b] = digits.map((two) => {
    const c = parseInt(two, 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test('the measure itself: black on white is 21', () => {
  assert.ok(Math.abs(contrast('#000', '#ffffff') - 21) < 1e-9);
  assert.ok(Math.abs(contrast('#777777', '#fff') - 4.48) < 0.01);
});

for (const selector of [':root', ':root[data-theme="dark"]']) {
  test(`text can be read in ${selector}`, () => {
    const colour = variables(selector);
    const pairs: [string, string, number][] = [
      ['ink', 'paper', 7], ['ink', 'hover', 7], ['ink', 'accent-soft', 4.5], ['soft', 'paper', 4.5], ['soft', 'hover', 4.5],
      ['accent', 'solid', 4.5], ['accent', 'accent-soft', 4.5], ['accent-ink', 'accent', 4.5],
      ['danger', 'solid', 4.5], ['warn', 'solid', 4.5], ['good', 'solid', 4.5],
    ];
    for (const [text, ground, least] of pairs) {
      const ratio = contrast(colour.get(text)!, colour.get(ground)!);
      assert.ok(ratio >= least, `${text} on ${ground}: ${ratio.toFixed(2)}, at least ${least} is required`);
    }
  });
}
