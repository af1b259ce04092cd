// SPDX-License-Identifier: Apache-2.0
// The bar at the top. Every button is a command; its tip names the key.
import type { App } from '../app';
import { keyLabel } from '../commands';
import { kMode } from '../protocol';
import type { Mode } from '../protocol';
import { initialState } from '../state';
import type { State } from '../state';
import { element, icon } from './dom';
import { icons } from './icons';

export interface ButtonOptions {
  picture?: string;
  text?: string;
  /** Whether it is pressed; a button without this is no switch. */
  pressed?: (state: Readonly<State>) => boolean;
}

/** What buttons may depend on: everything but what changes with every step of the server. */
const kCalm = (Object.keys(initialState()) as (keyof State)[]).filter(
  (key) => !['poses', 'time', 'step', 'held', 'clashes', 'latency', 'handPose', 'chunksLeft'].includes(key));

/** A button that runs a command, is off while the command is, and shows its key. */
export function commandButton(app: App, id: string, options: ButtonOptions): HTMLButtonElement {
  const command = app.commands.get(id);
  const key = command.keys?.[0];
  const button = element('button', {
    'type': 'button', 'class': options.text ? 'tool text' : 'tool', 'data-command': id,
    'title': key ? `${command.title} (${keyLabel(key)})` : command.title, 'aria-label': options.text ? undefined : command.title,
    'aria-keyshortcuts': key?.replace('Ctrl', 'Control'), 'onclick': () => { app.commands.run(id); },
  }, options.picture ? icon(options.picture) : null, options.text);
  const { pressed } = options;
  app.store.subscribe(kCalm, (state) => {
    button.disabled = !(command.enabled?.(state) ?? true);
    if (pressed) button.setAttribute('aria-pressed', String(pressed(state)));
  });
  return button;
}

const kModeNames: Record<Mode, [string, string]> = {
  free: ['Free', 'Goes through everything; clashes are shown'],
  stop: ['Stop', 'Stops at its first contact'],
  contact: ['Contact', 'Slides and tips as contacts allow'],
};

function group(label: string, ...children: (HTMLElement | null)[]): HTMLElement {
  return element('div', { 'class': 'group', 'role': 'group', 'aria-label': label }, ...children);
}

/** One of several: arrow keys go from one to the next. */
function modes(app: App): HTMLElement {
  const choices = kMode.map((mode) => {
    const [title, tip] = kModeNames[mode];
    return element('button', {
      'type': 'button', 'role': 'radio', 'class': 'tool text', 'title': `${tip} (Q: the next)`, 'data-mode': mode,
      'onclick': () => { app.store.update({ mode }); },
    }, title);
  });
  const box = element('div', { 'class': 'group segmented', 'role': 'radiogroup', 'aria-label': 'How a held part meets others' }, ...choices);
  box.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (kMode.indexOf(app.store.get().mode) + step + kMode.length) % kMode.length;
    app.store.update({ mode: kMode[next]! });
    choices[next]!.focus();
  });
  app.store.subscribe(['mode'], ({ mode }) => {
    choices.forEach((choice, i) => {
      choice.setAttribute('aria-checked', String(kMode[i] === mode));
      choice.tabIndex = kMode[i] === mode ? 0 : -1;
    });
  });
  return box;
}

/** A menu that the browser draws: it works with every input. */
function viewMenu(app: App): HTMLElement {
  const options = app.commands.list().filter((command) => /^view\.(front|back|left|right|top|bottom|corner)$/.test(command.id));
  const select = element('select', { 'class': 'tool narrow', 'aria-label': 'Standard view', 'title': 'Standard views (1 to 7)' },
    element('option', { 'value': '' }, 'View ▾'),
    ...options.map((command) => element('option', { 'value': command.id }, `${command.title}  (${command.keys?.[0] ?? ''})`)));
  select.addEventListener('change', () => {
    if (select.value) app.commands.run(select.value);
    select.value = '';
  });
  return select;
}

export function buildToolbar(app: App): HTMLElement {
  const { store } = app;
  const title = element('h1', { 'class': 'title' });
  store.subscribe(['hello'], ({ hello }) => {
    title.textContent = hello?.title ?? 'Touché';
    title.title = hello ? `${hello.title}: ${hello.source}, lengths in ${hello.unit}` : '';
    document.title = hello ? `${hello.title} · Touché` : 'Touché';
  });
  return element('header', { 'class': 'bar' },
    element('div', { 'class': 'group name' },
      commandButton(app, 'tree', { picture: icons.tree, pressed: (state) => state.treeOpen }), title),
    ...(app.inReport ? [] : [group('Tools',
      commandButton(app, 'tool.look', { picture: icons.look, pressed: (state) => state.tool === 'look' }),
      commandButton(app, 'tool.grab', { picture: icons.grab, pressed: (state) => state.tool === 'grab' }),
      commandButton(app, 'tool.measure', { picture: icons.measure, pressed: (state) => state.tool === 'measure' })),
    modes(app),
    group('Moves',
      commandButton(app, 'hand.undo', { picture: icons.undo }), commandButton(app, 'hand.redo', { picture: icons.redo }),
      commandButton(app, 'hand.snapBack', { picture: icons.home }))]),
    group('View',
      commandButton(app, 'view.fit', { picture: icons.fit }), viewMenu(app),
      commandButton(app, 'view.parallel', { picture: icons.parallel, pressed: (state) => state.parallel }),
      commandButton(app, 'section.toggle', { picture: icons.section, pressed: (state) => state.section.on }),
      commandButton(app, 'explode.toggle', { picture: icons.explode, pressed: (state) => state.explode > 0 }),
      commandButton(app, 'show.edges', { picture: icons.edges, pressed: (state) => state.edges })),
    element('div', { 'class': 'spring' }),
    app.panels.buttons,
    group('Page',
      app.inReport ? null : commandButton(app, 'device.connect', { picture: icons.device }),
      commandButton(app, 'picture', { picture: icons.camera }),
      commandButton(app, 'theme', { picture: icons.theme }),
      commandButton(app, 'help', { picture: icons.help, pressed: (state) => state.help })));
}
