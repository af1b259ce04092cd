// SPDX-License-Identifier: Apache-2.0
// All commands with their keys, and what the pointer does.
import type { App } from '../app';
import { keyLabel } from '../commands';
import { element, icon } from './dom';
import { icons } from './icons';

const kPointer: [string, string][] = [
  ['Drag', 'turn the view, or take a part with the tool Grab'],
  ['Alt drag, right button', 'turn the view, also on a part'],
  ['Shift drag, two fingers', 'move the view'],
  ['Ctrl drag, wheel, pinch', 'zoom to what is under the pointer'],
  ['Click', 'select; with Shift several'],
  ['Double click', 'zoom to a part'],
  ['Shift while holding', 'turn the part instead of moving it'],
  ['Wheel while holding', 'nearer and farther, or along the axis'],
];

/** Where nothing can be taken. */
const kReportPointer = kPointer.filter(([how]) => !how.includes('holding'))
  .map(([how, what]): [string, string] => [how, what.replace(', or take a part with the tool Grab', '')]);

export function buildHelp(app: App): HTMLElement {
  const content = element('div', { 'class': 'columns' });
  const close = element('button', {
    'type': 'button', 'class': 'tool small', 'aria-label': 'Close help', 'onclick': () => { app.store.update({ help: false }); },
  }, icon(icons.close));
  const dialog = element('dialog', { 'class': 'help', 'aria-label': 'What to press' },
    element('header', {}, element('h2', {}, 'What to press'), close), content);
  dialog.addEventListener('close', () => { app.store.update({ help: false }); });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  app.store.subscribe(['help'], ({ help }) => {
    if (help === dialog.open) return;
    if (!help) {
      dialog.close();
      return;
    }
    content.replaceChildren(...sections(app));
    dialog.showModal();
  });
  return dialog;
}

function sections(app: App): HTMLElement[] {
  const groups = new Map<string, [string, string][]>([['Pointer', app.inReport ? kReportPointer : kPointer]]);
  const summaries = new Set<string>();
  for (const { group, keys, title, summary } of app.commands.list()) {
    if (!keys?.length) continue;
    const rows = groups.get(group) ?? [];
    if (summary && summaries.has(summary.join())) continue;
    if (summary) summaries.add(summary.join());
    rows.push(summary ? [...summary] : [keys.map(keyLabel).join(', '), title]);
    groups.set(group, rows);
  }
  return [...groups].map(([name, rows]) => element('section', { 'class': name === 'Pointer' ? 'wide' : '' },
    element('h3', {}, name),
    element('dl', {}, ...rows.flatMap(([key, title]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, title)]))));
}
