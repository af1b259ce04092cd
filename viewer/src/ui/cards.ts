// SPDX-License-Identifier: Apache-2.0
// Small cards above the scene's lower edge, each there only while it is of use: what is selected,
// how the hand may move, the section, the explosion.
import type { App } from '../app';
import { mainSelection } from '../hand_commands';
import { nextConstraint } from '../hand';
import { number } from '../numbers';
import type { Axis, Constraint, Section, State } from '../state';
import { element, fill, icon } from './dom';
import { icons } from './icons';
import { commandButton } from './toolbar';

const kAxes: Axis[] = ['x', 'y', 'z'];

function card(label: string, ...children: (HTMLElement | null)[]): HTMLElement {
  return element('section', { 'class': 'card', 'aria-label': label, 'hidden': true }, ...children);
}

function slider(label: string, min: number, max: number, step: number, input: (value: number) => void): HTMLInputElement {
  const made = element('input', { 'type': 'range', 'min': min, 'max': max, 'step': step, 'aria-label': label, 'title': label });
  made.addEventListener('input', () => { input(made.valueAsNumber); });
  return made;
}

function toggle(text: string, label: string, click: () => void): HTMLButtonElement {
  return element('button', { 'type': 'button', 'class': 'tool text', 'aria-label': label, 'title': label, 'onclick': click }, text);
}

export function buildCards(app: App): HTMLElement {
  return element('div', { 'class': 'cards' }, sectionCard(app), explodeCard(app), selectionCard(app), app.inReport ? null : handCard(app));
}

function selectionCard(app: App): HTMLElement {
  const name = element('strong', { 'class': 'name' });
  const showAll = commandButton(app, 'show.all', { text: 'Show all' });
  const box = card('Selection', name,
    commandButton(app, 'view.fit', { picture: icons.fit }),
    commandButton(app, 'show.hide', { picture: icons.hidden }),
    commandButton(app, 'show.isolate', { picture: icons.isolate, pressed: (state) => state.isolated !== null }),
    commandButton(app, 'show.transparent', { picture: icons.transparent }),
    app.inReport ? null : commandButton(app, 'measure.selection', { picture: icons.measure }), showAll);
  app.store.subscribe(['selection', 'nodes', 'grabbed', 'hidden', 'isolated'], (state) => {
    const id = mainSelection(state);
    const bodies = [...state.selection].filter((other) => state.nodes.get(other)?.kind === 'body');
    const something = state.hidden.size > 0 || state.isolated !== null;
    box.hidden = (id === null && !something) || state.grabbed !== null;
    const node = id === null ? undefined : state.nodes.get(id);
    name.textContent = !node ? `${state.hidden.size > 0 ? `${state.hidden.size} hidden` : 'Isolated'}` :
      bodies.length > 1 ? `${node.name} and ${bodies.length - 1} more` : `${node.name}${node.fixed ? ' (fixed)' : ''}`;
    showAll.hidden = !something;
  });
  return box;
}

const kStatus = {
  undecided: 'lags behind', arrived: 'follows', held_back: 'held back', touching: 'in contact from the start',
} as const;

function handCard(app: App): HTMLElement {
  const { store } = app;
  const set = (constraint: Constraint) => { store.update({ constraint: nextConstraint(store.get().constraint, constraint) }); };
  const along = kAxes.map((axis) => toggle(axis.toUpperCase(), `Only along ${axis} (${axis.toUpperCase()})`, () => { set({ kind: 'axis', axis }); }));
  const across = kAxes.map((axis) => toggle(kAxes.filter((other) => other !== axis).join('').toUpperCase(),
    `Only across ${axis} (Shift ${axis.toUpperCase()})`, () => { set({ kind: 'plane', axis }); }));
  const turn = commandButton(app, 'hand.turn', { picture: icons.turn, pressed: (state) => state.constraint.kind === 'turn' });
  const pitch = element('input', {
    'type': 'number', 'step': 'any', 'class': 'short', 'aria-label': 'Distance along the axis for one turn',
    'title': 'Distance along the axis for one turn, as of a thread', 'value': 0,
  });
  pitch.addEventListener('change', () => { store.update({ pitch: Number.isFinite(pitch.valueAsNumber) ? pitch.valueAsNumber : 0 }); });
  const pitchBox = element('label', { 'class': 'field' }, 'pitch', pitch);
  const speed = slider('Speed of the hand', -6, 2, 1, (value) => { store.update({ speed: 2 ** value }); });
  const speedText = element('output', { 'class': 'fixed' });
  const status = element('span', { 'class': 'status', 'role': 'status' });
  const release = commandButton(app, 'hand.release', { text: 'Let go' });
  const cancel = commandButton(app, 'hand.cancel', { text: 'Put back' });
  const box = card('Hand', status,
    element('div', { 'class': 'segmented', 'role': 'group', 'aria-label': 'Only along an axis' }, ...along),
    element('div', { 'class': 'segmented', 'role': 'group', 'aria-label': 'Only in a plane' }, ...across),
    turn, pitchBox,
    element('label', { 'class': 'field' }, 'speed', speed, speedText), cancel, release);
  store.subscribe(['constraint', 'speed', 'tool', 'grabbed', 'selection', 'nodes', 'hello'], (state) => {
    const { constraint } = state;
    along.forEach((button, i) => {
      button.setAttribute('aria-pressed', String(constraint.kind === 'axis' && constraint.axis === kAxes[i]));
    });
    across.forEach((button, i) => {
      button.setAttribute('aria-pressed', String(constraint.kind === 'plane' && constraint.axis === kAxes[i]));
    });
    pitchBox.hidden = constraint.kind !== 'turn';
    speed.value = String(Math.log2(state.speed));
    speedText.textContent = state.speed >= 1 ? `${state.speed} ×` : `1/${1 / state.speed}`;
    const held = state.grabbed !== null;
    release.hidden = cancel.hidden = !held;
    const id = mainSelection(state);
    const movable = id !== null && state.nodes.get(id)?.fixed === false;
    box.hidden = !held && !(state.tool === 'grab' && (movable || constraint.kind !== 'none'));
  });
  store.subscribe(['held', 'grabbed', 'clashes'], (state) => { fill(status, statusText(state)); });
  return box;
}

function statusText({ held, grabbed, clashes, nodes }: Readonly<State>): string {
  if (grabbed === null) return '';
  const name = nodes.get(grabbed)?.name ?? '';
  if (held?.mode === 'free') {
    const pairs = clashes?.pairs.length ?? 0;
    const open = clashes?.undecided ? `, ${clashes.undecided} undecided` : '';
    return pairs > 0 ? `${name}: ${pairs} ${pairs === 1 ? 'clash' : 'clashes'}${open}` : `${name}: ${open ? open.slice(2) : 'no contact'}`;
  }
  return held ? `${name}: ${kStatus[held.status]}` : name;
}

function sectionCard(app: App): HTMLElement {
  const { store } = app;
  const change = (patch: Partial<Section>) => { store.update({ section: { ...store.get().section, ...patch } }); };
  const axes = kAxes.map((axis) => toggle(axis.toUpperCase(), `Across ${axis}`, () => { change({ axis }); }));
  const offset = slider('Position of the section ([ and ])', 0, 1, 0.001, (value) => { change({ offset: value }); });
  const place = element('output', { 'class': 'fixed wide' });
  const show = element('select', { 'class': 'tool', 'aria-label': 'How the cut is shown' },
    ...([['both', 'Caps and lines'], ['caps', 'Caps'], ['outlines', 'Lines']] as const).map(([value, text]) => element('option', { value }, text)));
  show.addEventListener('change', () => { change({ show: show.value as Section['show'] }); });
  const box = card('Section plane', element('span', {}, 'Section'),
    element('div', { 'class': 'segmented', 'role': 'group', 'aria-label': 'Axis' }, ...axes), offset, place,
    commandButton(app, 'section.flip', { picture: icons.flip }), show,
    element('button', { 'type': 'button', 'class': 'tool small', 'aria-label': 'No section', 'onclick': () => { change({ on: false }); } },
      icon(icons.close)));
  store.subscribe(['section', 'nodes', 'hello'], ({ section, hello }) => {
    box.hidden = !section.on;
    axes.forEach((button, i) => { button.setAttribute('aria-pressed', String(kAxes[i] === section.axis)); });
    offset.value = String(section.offset);
    show.value = section.show;
    const scene = app.view.sceneBox();
    const at = scene.isEmpty() ? 0 : scene.min[section.axis] + section.offset * (scene.max[section.axis] - scene.min[section.axis]);
    place.textContent = `${section.axis} = ${number(at)} ${hello?.unit ?? ''}`;
  });
  return box;
}

function explodeCard(app: App): HTMLElement {
  const { store } = app;
  const amount = slider('How far apart (B)', 0, 2, 0.01, (explode) => { store.update({ explode }); });
  const box = card('Exploded view', element('span', {}, 'Exploded'), amount,
    element('button', { 'type': 'button', 'class': 'tool small', 'aria-label': 'Together again', 'onclick': () => { store.update({ explode: 0 }); } },
      icon(icons.close)));
  store.subscribe(['explode'], ({ explode }) => {
    box.hidden = explode === 0;
    amount.value = String(explode);
  });
  return box;
}
