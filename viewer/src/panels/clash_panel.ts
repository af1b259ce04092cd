// SPDX-License-Identifier: Apache-2.0
// How all parts stand to each other: a matrix and a list, with what somebody says about each pair.
import type { App } from '../app';
import { kClashClass } from '../protocol';
import type { ClashClass, ClashRow } from '../protocol';
import type { State } from '../state';
import { element, fill } from '../ui/dom';
import { clashMatrix, countByClass, kClashTitles, shownRows } from './clash_list';
import type { ClashFilter } from './clash_list';
import { button, note, numberField, progress, section } from './fields';
import { bracket, count } from './figures';
import { nameOf, pairNames } from './names';
import { pairKey, isRunning } from './panel_state';
import { askFaces, lookAt } from './playback';
import { svg } from './svg';

const kMostRows = 300;
const kMostParts = 48;  // in the matrix
const kCell = 15;

export function showClash(app: App, row: ClashRow): void {
  const { selection } = app.store.get();
  app.store.update({ clashShown: pairKey(row), contactShown: null, selection: selection.size > 0 ? new Set() : selection });
  askFaces(app, [row]);
  if (row.hasPoint) lookAt(app, row.point, row.a, row.b);
  else app.view.fit(new Set([row.a, row.b]));
}

/** Shows the row whose number the page around this frame sends, once everything is loaded. */
export function showRequested(app: App, message: unknown): void {
  if (typeof message !== 'object' || message === null || !('clash' in message)) return;
  const number = message.clash;
  let done = false;
  const leave = app.store.subscribe(['clashTable', 'meshes', 'chunksLeft'], ({ clashTable, meshes, chunksLeft }) => {
    if (done || !clashTable || meshes.size === 0 || chunksLeft > 0) return;
    done = true;
    queueMicrotask(() => { leave(); });
    const row = typeof number === 'number' ? clashTable.rows[number] : undefined;
    if (row) showClash(app, row);
  });
}

export function buildClashPanel(app: App): HTMLElement {
  const { store } = app;
  let clearance = 0;
  const near = numberField('List pairs nearer than', store.get().hello?.unit ?? '', (value) => { clearance = value; },
    (value) => (value >= 0 ? null : 'A distance is at least 0.'));
  near.set(clearance);
  const find = button('Find clashes', () => { app.send({ kind: 'FindClashes', clearance }); }, 'primary');
  const sentence = element('p', { 'class': 'sentence', 'role': 'status' });
  const file = note();
  store.subscribe(['tasks', 'clashTable'], (state) => {
    find.disabled = isRunning(state, 'clashes');
    find.textContent = state.clashTable ? 'Find again' : 'Find clashes';
    sentence.textContent = state.clashTable?.sentence ?? '';
    sentence.hidden = sentence.textContent === '';
    file.hidden = !state.clashTable?.file;
    fill(file, 'Comments are saved in ', element('code', {}, state.clashTable?.file ?? ''));
  });
  if (app.inReport) return element('div', {}, section('All pairs of parts', sentence), results(app));
  return element('div', {},
    section('All pairs of parts', near.box, element('div', { 'class': 'actions' }, find), progress(app, 'clashes', 'pair'), sentence, file),
    results(app));
}

function results(app: App): HTMLElement {
  const { store } = app;
  const filter: ClashFilter = { classes: new Set(kClashClass.filter((c) => c !== 'free')), accepted: true };
  const chips = element('div', { 'class': 'chips', 'role': 'group', 'aria-label': 'Which pairs are listed' });
  const matrix = element('div', { 'class': 'matrix' });
  const list = element('ol', { 'class': 'clashes' });
  const box = element('section', { 'class': 'block', 'aria-label': 'Clashes' }, chips, matrix, list);

  const drawChips = (rows: readonly ClashRow[]) => {
    const counts = countByClass(rows);
    const chip = (name: string, text: string, on: boolean, flip: () => void) => {
      const made = element('button', { 'type': 'button', 'class': `chip ${name}`, 'aria-pressed': String(on) }, text);
      made.addEventListener('click', () => {
        flip();
        draw(store.get());
        chips.querySelector<HTMLElement>(`.${name}`)?.focus();
      });
      return made;
    };
    fill(chips, ...[...kClashClass].reverse().filter((c) => (counts.get(c) ?? 0) > 0).map((c) => chip(c, `${kClashTitles[c]} ${counts.get(c)}`, filter.classes.has(c), () => {
      if (!filter.classes.delete(c)) filter.classes.add(c);
    })), rows.some((row) => row.accepted) ? chip('accepted', 'Accepted', filter.accepted, () => { filter.accepted = !filter.accepted; }) : null);
  };
  const draw = (state: Readonly<State>) => {
    const all = state.clashTable?.rows ?? [];
    box.hidden = all.length === 0;
    if (all.length === 0) return;
    drawChips(all);
    const rows = shownRows(all, filter);
    drawMatrix(app, matrix, rows, state);
    const drawn = rows.slice(0, kMostRows);
    fill(list, ...drawn.map((row) => element('li', {}, clashRow(app, row, state))),
      rows.length > drawn.length ? element('li', { 'class': 'note' }, `and ${count(rows.length - drawn.length, 'pair')} more`) : null,
      rows.length === 0 ? element('li', { 'class': 'note' }, 'No pair is of a kind that is listed.') : null);
    mark(state);
  };
  const mark = (state: Readonly<State>) => {
    for (const item of box.querySelectorAll<HTMLElement | SVGElement>('[data-pair]')) {
      const shown = item.dataset['pair'] === state.clashShown;
      item.classList.toggle('shown', shown);
      if (item instanceof HTMLElement) {
        item.querySelector('button')?.setAttribute('aria-expanded', String(shown));
        const form = item.querySelector<HTMLElement>('.verdict-form');
        if (form) form.hidden = !shown;
        if (shown) item.scrollIntoView({ block: 'nearest' });
      }
    }
  };
  store.subscribe(['clashTable', 'nodes', 'hello'], draw);
  store.subscribe(['clashShown'], mark);
  return box;
}

function drawMatrix(app: App, box: HTMLElement, rows: readonly ClashRow[], state: Readonly<State>): void {
  const { parts, cells } = clashMatrix(rows, kMostParts);
  box.hidden = parts.length < 3;
  if (box.hidden) return;
  const names = parts.map((id) => nameOf(state.nodes, id));
  const longest = Math.min(18, Math.max(...names.map((name) => name.length)));
  const left = 8 + longest * 5.6;
  const size = parts.length * kCell;
  const short = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
  const made: SVGElement[] = names.map((name, i) => svg('text', { 'class': 'tick', 'x': left - 5, 'y': (i + 0.72) * kCell, 'text-anchor': 'end' },
    svg('title', {}, name), short(name)));
  parts.forEach((_, i) => parts.forEach((_other, j) => {
    if (j < i) made.push(svg('rect', { 'class': 'cell', 'x': left + j * kCell, 'y': i * kCell, 'width': kCell - 1.5, 'height': kCell - 1.5, 'rx': 2 }));
  }));
  for (const { row, column, clash } of cells) {
    const cell = svg('rect', {
      'class': `cell ${clash.verdict}${clash.accepted ? ' accepted' : ''}`, 'data-pair': pairKey(clash),
      'x': left + column * kCell, 'y': row * kCell, 'width': kCell - 1.5, 'height': kCell - 1.5, 'rx': 2,
    }, svg('title', {}, `${pairNames(state.nodes, clash.a, clash.b).join(' × ')}: ${kClashTitles[clash.verdict].toLowerCase()}`));
    cell.addEventListener('click', () => { showClash(app, clash); });
    made.push(cell);
  }
  // The list below contains the same for screen readers.
  fill(box, svg('svg', { 'width': left + size, 'height': size, 'viewBox': `0 0 ${left + size} ${size}`, 'aria-hidden': 'true' }, ...made));
}

function measureOf(row: ClashRow, unit: string): string {
  if (row.verdict === 'clash' || row.verdict === 'touching' || row.verdict === 'within_accuracy' || (row.verdict === 'open' && row.distanceUpper === 0)) {
    return row.thicknessUpper > 0 ? `${bracket(row.thicknessLower, row.thicknessUpper, unit)} thick` : '';
  }
  if (row.verdict === 'near' || row.verdict === 'open' || row.verdict === 'free') return `${bracket(row.distanceLower, row.distanceUpper, unit)} apart`;
  return '';
}

function clashRow(app: App, row: ClashRow, state: Readonly<State>): HTMLElement {
  const [a, b] = pairNames(state.nodes, row.a, row.b);
  const head = element('button', { 'type': 'button', 'class': 'clash-head', 'aria-expanded': 'false' },
    element('span', { 'class': `chip static ${row.verdict as ClashClass}` }, kClashTitles[row.verdict]),
    element('span', { 'class': 'pair' }, element('span', {}, a), element('span', { 'class': 'meets' }, '×'), element('span', {}, b)),
    element('span', { 'class': 'how' }, [measureOf(row, state.hello?.unit ?? ''), row.accepted ? 'accepted' : '', row.comment].filter(Boolean).join(' · ')));
  head.addEventListener('click', () => { showClash(app, row); });
  const box = element('div', { 'class': `clash ${row.accepted ? 'accepted' : ''}`, 'data-pair': pairKey(row) }, head);
  if (app.inReport) return box;
  const text = element('textarea', { 'rows': 2, 'maxlength': 2000, 'aria-label': `Comment on ${a} and ${b}`, 'placeholder': 'What is to be said about it' });
  text.value = row.comment;
  const send = (accepted: boolean) => { app.send({ kind: 'CommentClash', a: row.a, b: row.b, text: text.value.trim(), accepted }); };
  const form = element('div', { 'class': 'verdict-form', 'hidden': true }, text, element('div', { 'class': 'actions' },
    button(row.accepted ? 'Not accepted' : 'Accept', () => { send(!row.accepted); }, row.accepted ? '' : 'primary'),
    button('Save comment', () => { send(row.accepted); })));
  box.append(form);
  return box;
}
