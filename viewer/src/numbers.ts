// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them. Bounds are rounded outwards, so that what is shown stays true.
import type { Measured } from './protocol';

/** Four significant digits, without an exponent where that is short. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(3) :
    value.toFixed(Math.max(0, Math.min(8, 3 - Math.floor(Math.log10(size)))));
  return text.replace('-', '−');
}

function digitsOf(value: number, digits: number, round: (x: number) => number): string {
  const scale = 10 ** digits;
  return (round(value * scale) / scale).toFixed(digits);
}

/** A distance that is proved to be within two bounds: one number where all its digits are certain. */
export function distanceText({ lower, upper, intersecting }: Pick<Measured, 'lower' | 'upper' | 'intersecting'>, unit: string): string {
  const suffix = unit ? ` ${unit}` : '';
  if (intersecting) return 'They touch or intersect';
  const size = Math.max(Math.abs(upper), 1e-12);
  const digits = Math.max(0, Math.min(8, 3 - Math.floor(Math.log10(size))));
  const low = digitsOf(lower, digits, Math.floor);
  const high = digitsOf(upper, digits, Math.ceil);
  const middle = digitsOf((lower + upper) / 2, digits, Math.round);
  return Number(high) - Number(low) <= 1.5 * 10 ** -digits ? `${middle}${suffix}` : `${low} to ${high}${suffix}`;
}

/** Whole numbers with thin spaces between thousands. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
