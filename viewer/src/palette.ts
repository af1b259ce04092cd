// SPDX-License-Identifier: Apache-2.0
// Colours of the scene. The colours of the page around it are in look.css.
import { Color } from 'three';

export interface Palette {
  above: Color;   // of the backdrop
  below: Color;
  sky: Color;     // light from above, and from below
  ground: Color;
  edge: Color;
  accent: Color;  // what is selected
  force: Color;
  clash: Color;
  measure: Color;
}

const colour = (hex: string) => new Color(hex);

export const kLight: Palette = {
  above: colour('#f7f8fa'), below: colour('#d3dae2'), sky: colour('#ffffff'), ground: colour('#a9adb5'),
  edge: colour('#1b2733'), accent: colour('#0b78d0'), force: colour('#d3202c'), clash: colour('#d3202c'),
  measure: colour('#6a2fb5'),
};
export const kDark: Palette = {
  above: colour('#2c333c'), below: colour('#12161b'), sky: colour('#f1f5fb'), ground: colour('#5b626e'),
  edge: colour('#05080b'), accent: colour('#4fb0ff'), force: colour('#ff5a5f'), clash: colour('#ff5a5f'),
  measure: colour('#c79bff'),
};

/** Muted, distinguished by hue and by lightness. */
const kParts = [
  '#7d9cbd', '#dd9157', '#8bb079', '#b394c4', '#c9717f', '#6db0b0', '#cbb45f', '#8f9fbe', '#b98a6a', '#9fb9a0',
].map(colour);
const kGrey = colour('#b9bfc7');

/** The colour of a part with a colour number. Number 0 is for parts that belong to nothing that moves:
 * slightly different greys. Parts that cannot be moved are less prominent, too. */
export function partColour({ id, colour: number, fixed }: { id: number; colour: number; fixed: boolean }): Color {
  if (number === 0) return kGrey.clone().lerp(kParts[id % kParts.length]!, 0.3);
  const base = kParts[number % kParts.length]!.clone();
  return fixed ? base.lerp(kGrey, 0.72) : base;
}
