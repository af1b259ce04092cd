// SPDX-License-Identifier: Apache-2.0
// Clashes in the order and the arrangement in which they are shown.
import type { ClashClass, ClashRow } from '../protocol';

export const kClashTitles: Record<ClashClass, string> = {
  free: 'Free', near: 'Near', touching: 'Touching', within_accuracy: 'Within accuracy', open: 'Open', undecided: 'Undecided', contains: 'Inside', clash: 'Clash',
};

export interface ClashFilter {
  classes: ReadonlySet<ClashClass> & { delete(c: ClashClass): boolean; add(c: ClashClass): unknown };
  accepted: boolean;  // whether accepted ones are listed
}

/** The rows that a filter lets through. Accepted ones go last, else the server's order stays. */
export function shownRows(rows: readonly ClashRow[], filter: ClashFilter): ClashRow[] {
  const shown = rows.filter((row) => filter.classes.has(row.verdict) && (filter.accepted || !row.accepted));
  return [...shown.filter((row) => !row.accepted), ...shown.filter((row) => row.accepted)];
}

export function countByClass(rows: readonly ClashRow[]): Map<ClashClass, number> {
  const counts = new Map<ClashClass, number>();
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return counts;
}

export interface ClashMatrix {
  parts: number[];  // nodes, rows from the top and columns from the left
  cells: { row: number; column: number; clash: ClashRow }[];  // below the diagonal
}

/** A triangular matrix of parts against parts. If there are too many parts, the ones in the most pairs
 * remain. */
export function clashMatrix(rows: readonly ClashRow[], mostParts: number): ClashMatrix {
  const pairs = new Map<number, number>();
  for (const { a, b } of rows) for (const part of [a, b]) pairs.set(part, (pairs.get(part) ?? 0) + 1);
  const busiest = [...pairs].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, mostParts).map(([part]) => part);
  const parts = busiest.sort((x, y) => x - y);
  const place = new Map(parts.map((part, i) => [part, i]));
  const cells: ClashMatrix['cells'] = [];
  for (const clash of rows) {
    const i = place.get(clash.a);
    const j = place.get(clash.b);
    if (i !== undefined && j !== undefined && i !== j) cells.push({ row: Math.max(i, j), column: Math.min(i, j), clash });
  }
  return { parts, cells };
}
