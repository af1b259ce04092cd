// SPDX-License-Identifier: Apache-2.0
// The clearance along a path as a drawing: what is proved free, where contacts are, and between
// which bounds the clearance lies. No elements here, only numbers and path texts.
import type { Band, PathContact, Proved } from '../protocol';

export type SpanKind = 'undecided' | 'free' | 'allowed' | 'contact';

/** A piece of the timeline and what is known of it. */
export interface Span {
  from: number;
  to: number;
  kind: SpanKind;
}

const kKinds: readonly SpanKind[] = ['undecided', 'free', 'allowed', 'contact'];

/** What is known of each position on a timeline. A position is free only if that is proved: before the
 * first contact, where the clearance is proved to be more than 0, and everywhere on a path that is proved
 * free. Contacts are drawn above; of overlapping ones the most severe shows. */
export function spans(proof: Pick<Proved, 'verdict' | 'firstLower' | 'contacts' | 'profile'>, start: number, end: number): Span[] {
  const painted: { from: number; to: number; kind: number }[] = [];
  const paint = (from: number, to: number, kind: number) => {
    const lo = Math.max(start, from);
    const hi = Math.min(end, to);
    if (hi > lo) painted.push({ from: lo, to: hi, kind });
  };
  // Where a part is open, only surfaces are proved free.
  if (proof.verdict !== 'open') {
    paint(start, proof.verdict === 'free' ? end : proof.firstLower, 1);
    for (const band of proof.profile) if (band.lower > 0) paint(band.sStart, band.sEnd, 1);
  }
  for (const contact of proof.contacts) paint(contact.sLower, contact.sEnd, contact.allowed ? 2 : 3);

  const places = [...new Set([start, end, ...painted.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  const at = new Map(places.map((place, i) => [place, i]));
  const kinds = new Uint8Array(Math.max(0, places.length - 1));
  for (const { from, to, kind } of painted) {
    for (let i = at.get(from)!; i < at.get(to)!; ++i) kinds[i] = Math.max(kinds[i]!, kind);
  }
  const found: Span[] = [];
  kinds.forEach((kind, i) => {
    const last = found.at(-1);
    if (last && last.kind === kKinds[kind]) last.to = places[i + 1]!;
    else found.push({ from: places[i]!, to: places[i + 1]!, kind: kKinds[kind]! });
  });
  return found;
}

/** Maps clearances to [0, 1], 0 at the bottom. */
export interface Scale {
  top: number;  // the largest clearance that is drawn
  ticks: number[];
  of(clearance: number): number;
}

/** Linear; where the largest clearance is far above the tightest, logarithmic above `fine` so that
 * both can be read. */
export function clearanceScale(profile: readonly Band[], fine: number): Scale {
  let top = 0;
  let least = Infinity;
  for (const { lower, upper } of profile) {
    const reached = Number.isFinite(upper) ? upper : lower;
    top = Math.max(top, reached);
    if (reached > 0) least = Math.min(least, reached);
  }
  if (top === 0) return { top: 1, ticks: [0, 1], of: (c) => Math.min(1, Math.max(0, c)) };
  const base = Math.max(fine, least, top * 1e-5);
  if (top / base < 25) {
    const ticks = niceTicks(0, top, 3);
    top = Math.max(top, ticks.at(-1)!);
    return { top, ticks, of: (c) => Math.min(1, Math.max(0, c / top)) };
  }
  const span = Math.log1p(top / base);
  const ticks = [0];
  for (let power = 10 ** Math.ceil(Math.log10(base)); power <= top * 1.0001; power *= 10) ticks.push(power);
  while (ticks.length > 5) ticks.splice(1, ticks.length - 1, ...ticks.slice(1).filter((_, i, all) => (all.length - 1 - i) % 2 === 0));
  return { top, ticks, of: (c) => Math.min(1, Math.max(0, Math.log1p(Math.max(0, c) / base) / span)) };
}

/** About `about` round numbers within [from, to]. */
export function niceTicks(from: number, to: number, about: number): number[] {
  if (!(to > from)) return [from];
  const raw = (to - from) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= raw * 0.9999) ?? 10);
  const ticks: number[] = [];
  // A multiple of the step each, not a sum of steps: no rounding adds up.
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}

/** A closed outline of the band between lower and upper bounds, as the `d` of an SVG path. */
export function bandPath(profile: readonly Band[], x: (s: number) => number, y: (clearance: number) => number): string {
  let path = '';
  for (let i = 0; i < profile.length;) {
    let j = i + 1;
    while (j < profile.length && profile[j]!.sStart <= profile[j - 1]!.sEnd) ++j;
    const run = profile.slice(i, j);
    const above = run.map((b) => `${round(x(b.sStart))} ${round(y(b.upper))}L${round(x(b.sEnd))} ${round(y(b.upper))}`);
    const below = [...run].reverse().map((b) => `${round(x(b.sEnd))} ${round(y(b.lower))}L${round(x(b.sStart))} ${round(y(b.lower))}`);
    path += `M${[...above, ...below].join('L')}Z`;
    i = j;
  }
  return path;
}

/** The lower bounds as a line, which is what is proved. */
export function floorPath(profile: readonly Band[], x: (s: number) => number, y: (clearance: number) => number): string {
  let path = '';
  profile.forEach((band, i) => {
    const follows = i > 0 && band.sStart <= profile[i - 1]!.sEnd;
    path += `${follows ? 'L' : 'M'}${round(x(band.sStart))} ${round(y(band.lower))}L${round(x(band.sEnd))} ${round(y(band.lower))}`;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The band at a position, if one is known there. */
export function bandAt(profile: readonly Band[], s: number): Band | null {
  let lo = 0;
  let hi = profile.length;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (profile[middle]!.sEnd < s) lo = middle + 1;
    else hi = middle;
  }
  const band = profile[lo];
  return band && band.sStart <= s ? band : null;
}

/** Marks of contacts less than `gap` apart are merged: the numbers of the contacts, and the position of
 * the most severe one. */
export interface Mark {
  at: number;
  allowed: boolean;
  contacts: number[];
}

export function contactMarks(contacts: readonly PathContact[], x: (s: number) => number, gap: number): Mark[] {
  const marks: Mark[] = [];
  let first = -Infinity;
  contacts.forEach((contact, i) => {
    const at = x(contact.sUpper);
    const last = marks.at(-1);
    if (last && at - first < gap) {
      last.contacts.push(i);
      if (last.allowed && !contact.allowed) {
        last.allowed = false;
        last.at = at;
      }
    } else {
      marks.push({ at, allowed: contact.allowed, contacts: [i] });
      first = at;
    }
  });
  return marks;
}

/** The contact after (or before) a position, by sUpper; the shown one is skipped. */
export function neighbour(contacts: readonly PathContact[], shown: number | null, s: number, direction: 1 | -1): number | null {
  if (shown !== null) {
    const next = shown + direction;
    return next >= 0 && next < contacts.length ? next : null;
  }
  if (direction === 1) {
    const next = contacts.findIndex((contact) => contact.sUpper > s);
    return next >= 0 ? next : null;
  }
  for (let i = contacts.length - 1; i >= 0; --i) if (contacts[i]!.sUpper < s) return i;
  return null;
}
