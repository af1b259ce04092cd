// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them. What is proved stays true when it is rounded: lower bounds are
// rounded down, upper bounds up.

export type Rounding = 'nearest' | 'down' | 'up';

/** A number with `digits` significant digits and no trailing zeros. */
export function figure(value: number, digits = 4, rounding: Rounding = 'nearest'): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent < -5 || exponent > 8) {
    const power = superscript(exponent);
    return `${fixed(value / 10 ** exponent, digits - 1, rounding)} · 10${power}`;
  }
  return fixed(value, Math.max(0, digits - 1 - exponent), rounding);
}

function fixed(value: number, decimals: number, rounding: Rounding): string {
  const places = Math.min(20, decimals);
  const unit = 10 ** -places;
  let text = value.toFixed(places);
  if (rounding === 'down' && Number(text) > value) text = (Number(text) - unit).toFixed(places);
  if (rounding === 'up' && Number(text) < value) text = (Number(text) + unit).toFixed(places);
  if (text.includes('.')) text = text.replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text.replace('-', '−');
}

function superscript(value: number): string {
  return String(value).replace('-', '⁻').replace(/\d/g, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)]!);
}

/** A value between two bounds, with as many digits as distinguish them. */
export function bracket(lower: number, upper: number, unit = ''): string {
  const tail = unit ? ` ${unit}` : '';
  if (lower === upper) return `${figure(lower)}${tail}`;
  if (!Number.isFinite(upper)) return `${figure(lower, 4, 'down')}${tail} or more`;
  const size = Math.max(Math.abs(lower), Math.abs(upper));
  const digits = Math.min(6, Math.max(3, Math.ceil(Math.log10(size / (upper - lower))) + 2));
  const from = figure(lower, digits, 'down');
  const to = figure(upper, digits, 'up');
  return from === to ? `${from}${tail}` : `${from} to ${to}${tail}`;
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** A whole number with thin spaces between thousands. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** Seconds as m:ss.t. */
export function clock(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-9);
  const rest = tenths % 600;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`;
}

/** Milliseconds, with no more digits than make sense. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${figure(value / 1000, 3)} s`;
  return `${figure(value, value < 10 ? 2 : 3)} ms`;
}

export function percent(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %';
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** How a number compares with one before: '−38 %', '+5 %', 'the same'. */
export function change(now: number, before: number): string {
  if (before === 0 || now === before) return now === before ? 'the same' : '';
  const share = now / before - 1;
  const text = Math.abs(share) >= 0.1 ? Math.abs(100 * share).toFixed(0) : Math.abs(100 * share).toFixed(1);
  return `${share < 0 ? '−' : '+'}${text} %`;
}
