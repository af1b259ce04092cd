// SPDX-License-Identifier: Apache-2.0
// Commands of the hand: tools, taking and letting go, modes, constraints, steps by keys.
import { Vector3 } from 'three';
import type { App } from './app';
import { fitFace, fitShape } from './axis_fit';
import type { Sample } from './axis_fit';
import { nextConstraint, nodeToGrab } from './hand';
import type { Hand } from './hand';
import { notify, subtree } from './inbox';
import { kMode, kNone } from './protocol';
import type { Axis, NodeId, State, Tool, TurnAxis } from './state';

const kStep = 0.02;              // of half the height of the picture, for one press of an arrow key
const kTurnStep = Math.PI / 90;  // for one press with Shift
const holding = (state: Readonly<State>) => state.grabbed !== null;

/** The part that commands about one part mean: the last of the selection. */
export function mainSelection(state: Readonly<State>): NodeId | null {
  return [...state.selection].at(-1) ?? null;
}

export function addHandCommands(app: App, hand: Hand): void {
  const { store, commands } = app;
  const tool = (name: Tool, title: string, key: string) => ({
    id: `tool.${name}`, title, group: 'Hand', keys: [key], run: () => { store.update({ tool: name }); },
  });
  commands.add(
    tool('look', 'Tool: view only', 'v'),
    tool('grab', 'Tool: grab parts', 'c'),
    tool('measure', 'Tool: measure', 'm'),
    {
      id: 'hand.take', title: 'Take the selected part with the keys, or let go', group: 'Hand', keys: ['g'],
      enabled: (state) => holding(state) || mainSelection(state) !== null,
      run: () => {
        if (hand.holding) hand.release();
        else takeSelected(app, hand);
      },
    },
    { id: 'hand.release', title: 'Let go', group: 'Hand', keys: ['Enter'], enabled: holding, run: () => { hand.release(); } },
    { id: 'hand.cancel', title: 'Let go and put back', group: 'Hand', keys: ['Escape'], enabled: holding, run: () => { hand.cancel(); } },
    {
      id: 'hand.mode', title: 'Free, stop or contact', group: 'Hand', keys: ['q'],
      run: () => { store.update({ mode: kMode[(kMode.indexOf(store.get().mode) + 1) % kMode.length]! }); },
    },
    {
      id: 'hand.undo', title: 'Undo', group: 'Hand', keys: ['Ctrl+z'],
      enabled: (state) => (state.history?.undo ?? 0) > 0 && !holding(state), run: () => { app.send({ kind: 'Undo' }); },
    },
    {
      id: 'hand.redo', title: 'Redo', group: 'Hand', keys: ['Ctrl+Shift+z', 'Ctrl+y'],
      enabled: (state) => (state.history?.redo ?? 0) > 0 && !holding(state), run: () => { app.send({ kind: 'Redo' }); },
    },
    {
      id: 'hand.snapBack', title: 'Back to where the selection, or all, began', group: 'Hand', keys: ['Backspace'],
      enabled: (state) => state.moved.size > 0,
      run: () => {
        if (hand.holding) hand.release();
        app.send({ kind: 'SnapBack', node: mainSelection(store.get()) ?? kNone });
      },
    },
    {
      id: 'hand.slower', title: 'Slower hand', group: 'Hand', keys: [','],
      run: () => { store.update({ speed: Math.max(1 / 64, store.get().speed / 2) }); },
    },
    {
      id: 'hand.faster', title: 'Faster hand', group: 'Hand', keys: ['.'],
      run: () => { store.update({ speed: Math.min(4, store.get().speed * 2) }); },
    },
    ...(['x', 'y', 'z'] as Axis[]).flatMap((axis) => [
      {
        id: `hand.along.${axis}`, title: `Only along ${axis}`, group: 'Hand', keys: [axis], summary: ['X Y Z', 'Only along an axis'] as const,
        run: () => { store.update({ constraint: nextConstraint(store.get().constraint, { kind: 'axis', axis }) }); },
      },
      {
        id: `hand.across.${axis}`, title: `Only across ${axis}`, group: 'Hand', keys: [`Shift+${axis}`],
        summary: ['Shift X Y Z', 'Only across an axis'] as const,
        run: () => { store.update({ constraint: nextConstraint(store.get().constraint, { kind: 'plane', axis }) }); },
      },
    ]),
    {
      id: 'hand.turn', title: 'Only about the axis of the face pointed at, or of the part', group: 'Hand', keys: ['a'],
      enabled: (state) => state.constraint.kind === 'turn' || state.hover !== null || mainSelection(state) !== null,
      run: () => { toggleTurn(app); },
    },
  );
  for (const [key, x, y, z] of [['ArrowLeft', -1, 0, 0], ['ArrowRight', 1, 0, 0], ['ArrowDown', 0, -1, 0], ['ArrowUp', 0, 1, 0],
    ['PageUp', 0, 0, -1], ['PageDown', 0, 0, 1]] as const) {
    const name = { ArrowLeft: 'left', ArrowRight: 'right', ArrowDown: 'down', ArrowUp: 'up', PageUp: 'away', PageDown: 'nearer' }[key];
    commands.add(
      {
        id: `hand.move.${name}`, title: `Move what is held ${name}`, group: 'Hand', keys: [key], enabled: holding,
        summary: ['Arrows, Page ↑ ↓', 'Move what is held'],
        run: () => { hand.nudge([x * kStep, y * kStep, z * kStep], [0, 0, 0]); },
      },
      {
        id: `hand.turn.${name}`, title: `Turn what is held ${name}`, group: 'Hand', keys: [`Shift+${key}`], enabled: holding,
        summary: ['Shift arrows', 'Turn what is held'],
        run: () => { hand.nudge([0, 0, 0], [-y * kTurnStep, x * kTurnStep, z * kTurnStep]); },
      });
  }
}

function takeSelected(app: App, hand: Hand): void {
  const state = app.store.get();
  const id = mainSelection(state);
  const node = id === null ? null : nodeToGrab(state, id);
  if (!node) {
    notify(app.store, 'remark', 'The selected part is fixed.');
    return;
  }
  const box = app.view.parts.box(new Set(subtree(state.nodes, node.id)));
  hand.take(node, box.getCenter(new Vector3()));
}

function toggleTurn(app: App): void {
  const { store } = app;
  const state = store.get();
  if (state.constraint.kind === 'turn' && state.grabbed !== null) {
    store.update({ constraint: { kind: 'none' } });
    return;
  }
  const axis = axisPointedAt(app) ?? axisOfSelection(app);
  if (!axis) {
    store.update({ constraint: { kind: 'none' } });
    notify(store, 'remark', 'Point at a round or a flat face, or select a part, to turn about its axis.');
    return;
  }
  const same = state.constraint.kind === 'turn' && state.turnAxis?.node === axis.node &&
    Math.abs(axis.direction.reduce((sum, x, k) => sum + x * state.turnAxis!.direction[k]!, 0)) > 0.9999;
  store.update(same ? { constraint: { kind: 'none' }, turnAxis: null } : { constraint: { kind: 'turn' }, turnAxis: axis });
}

/** Of the smooth face under the pointer. */
function axisPointedAt(app: App): TurnAxis | null {
  const { hover } = app.store.get();
  if (!hover) return null;
  const samples = hover.chunk.smoothPatch(hover.triangle).map((i) => hover.chunk.sample(i));
  const fitted = fitFace(samples);
  return fitted && { node: hover.node, ...fitted };
}

/** Of the shape of the selected part. */
function axisOfSelection(app: App): TurnAxis | null {
  const state = app.store.get();
  const id = mainSelection(state);
  const bodies = id === null ? [] : subtree(state.nodes, id).filter((other) => app.view.parts.parts.has(other));
  const part = bodies[0] === undefined ? undefined : app.view.parts.parts.get(bodies[0]);
  if (!part) return null;
  const samples: Sample[] = [];
  for (const { chunk } of app.view.parts.piecesOf(part)) {
    for (let i = 0; i < chunk.triangles; ++i) samples.push(chunk.sample(i));
  }
  const fitted = fitShape(samples);
  return fitted && { node: part.node.id, ...fitted };
}
