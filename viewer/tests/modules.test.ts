// SPDX-License-Identifier: Apache-2.0
// Small modules: commands and keys, connection, explosion, numbers, devices, tree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Box3, Vector3 } from 'three';
import { Commands, keyLabel, keyName } from '../src/commands';
import { waitBefore } from '../src/connection';
import { explode } from '../src/explode';
import { sceneGraph, subtree } from '../src/inbox';
import { readButtons, readGamepad, readReport, shape } from '../src/motion_device';
import { count, distanceText, number } from '../src/numbers';
import { kNone } from '../src/protocol';
import { Rig } from '../src/rig';
import { initialState } from '../src/state';
import { Store } from '../src/store';
import { treeRows } from '../src/ui/tree';
import { pathName } from '../src/ui/status';

const key = (name: string, modifiers: Partial<KeyboardEvent> = {}) =>
  keyName({ key: name, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers });

test('keys have one name on every keyboard', () => {
  assert.equal(key('f'), 'f');
  assert.equal(key('H', { shiftKey: true }), 'Shift+h');
  assert.equal(key('?', { shiftKey: true }), '?');
  assert.equal(key('z', { metaKey: true }), 'Ctrl+z');
  assert.equal(key('ArrowLeft', { shiftKey: true }), 'Shift+ArrowLeft');
  assert.equal(key(' '), 'Space');
  assert.equal(keyLabel('Ctrl+Shift+z'), 'Ctrl Shift Z');
  assert.equal(keyLabel('+'), '+');
});

test('a key runs the first command that is enabled', () => {
  const store = new Store(initialState());
  const commands = new Commands(store);
  const ran: string[] = [];
  commands.add(
    { id: 'a', title: '', group: '', keys: ['Escape'], enabled: (state) => state.help, run: () => { ran.push('a'); } },
    { id: 'b', title: '', group: '', keys: ['Escape'], run: () => { ran.push('b'); } });
  assert.ok(commands.runKey('Escape'));
  store.update({ help: true });
  assert.ok(commands.runKey('Escape'));
  assert.ok(!commands.runKey('x'));
  assert.deepEqual(ran, ['b', 'a']);
  assert.throws(() => { commands.add({ id: 'a', title: '', group: '', run: () => undefined }); });
});

test('attempts to connect come ever less often, but keep coming', () => {
  const waits = Array.from({ length: 12 }, (_, i) => waitBefore(i));
  assert.deepEqual(waits.slice(0, 4), [250, 500, 1000, 2000]);
  assert.ok(waits.every((wait, i) => i === 0 || wait >= waits[i - 1]!));
  assert.equal(waitBefore(1000), 5000);
});

test('an explosion moves parts from the middle of their group, groups from the middle of all', () => {
  const nodes = new Map([
    [1, { parent: null, centre: [10, 0, 0] as const }],
    [2, { parent: 1, centre: [10, 2, 0] as const }],
    [3, { parent: 1, centre: [10, -2, 0] as const }],
    [4, { parent: null, centre: null }],
  ]);
  const offsets = explode(nodes, [0, 0, 0], 0.5);
  assert.deepEqual(offsets.get(1), [5, 0, 0]);
  assert.deepEqual(offsets.get(2), [5, 1, 0]);
  assert.deepEqual(offsets.get(3), [5, -1, 0]);
  assert.deepEqual(offsets.get(4), [0, 0, 0]);
  for (const offset of explode(nodes, [0, 0, 0], 0).values()) assert.ok(offset.every((x) => x === 0));
});

test('numbers have four digits, and bounds are rounded outwards', () => {
  assert.equal(number(12.3456), '12.35');
  assert.equal(number(-0.00123456), '−0.001235');
  assert.equal(number(123456), '123456');
  assert.equal(number(0), '0');
  assert.equal(number(Infinity), '∞');
  assert.equal(count(1234567).replace(/\u202f/g, ' '), '1 234 567');
  assert.equal(distanceText({ lower: 12.34, upper: 12.340001, intersecting: false }, 'mm'), '12.34 mm');
  assert.equal(distanceText({ lower: 1.23456, upper: 1.31, intersecting: false }, 'mm'), '1.234 to 1.310 mm');
  assert.equal(distanceText({ lower: 0, upper: 0, intersecting: true }, 'mm'), 'They touch or intersect');
});

const report = (...values: number[]) => {
  const view = new DataView(new ArrayBuffer(2 * values.length));
  values.forEach((value, k) => { view.setInt16(2 * k, value, true); });
  return view;
};

test('reports of six-axis mice become motions right, up and nearer', () => {
  const deflection = { way: [0, 0, 0], turn: [0, 0, 0] } as Parameters<typeof readReport>[2];
  assert.ok(readReport(1, report(350, 0, 0), deflection));
  assert.deepEqual(deflection.way, [1, 0, 0]);
  assert.ok(readReport(1, report(0, 350, -350), deflection));
  assert.deepEqual(deflection.way, [0, 1, 1]);
  assert.ok(readReport(2, report(0, 0, 350), deflection));
  assert.deepEqual(deflection.turn, [0, -1, 0]);
  assert.ok(readReport(1, report(0, 0, 0, -350, 0, 0), deflection));
  assert.deepEqual(deflection.way, [0, 0, 0]);
  assert.deepEqual(deflection.turn, [-1, 0, 0]);
  assert.ok(!readReport(23, report(1, 2, 3), deflection));
  assert.ok(!readReport(1, report(1), deflection));
  const buttons = new DataView(new ArrayBuffer(2));
  buttons.setUint8(0, 3);
  assert.equal(readButtons(buttons), 3);
});

test('axes at rest are still, and full ones are full', () => {
  assert.equal(shape(0.02), 0);
  assert.equal(shape(1), 1);
  assert.equal(shape(-7), -1);
  assert.ok(shape(0.5) > 0.2 && shape(0.5) < 0.5);
});

test('sticks and triggers of a gamepad move and turn', () => {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  buttons[7] = { pressed: true, touched: true, value: 1 };
  const moved = readGamepad({ axes: [1, -1, 0, 0], buttons, mapping: 'standard' });
  assert.deepEqual(moved.way, [1, 1, -1]);
  const six = readGamepad({ axes: [0, 0, -1, 0, 1, 0], buttons: [], mapping: '' });
  assert.deepEqual(six, { way: [0, 1, 0], turn: [0, 0, 1] });
});

const pose = { translation: [0, 0, 0] as [number, number, number], rotation: [1, 0, 0, 0] as [number, number, number, number] };
const graph = sceneGraph({
  nodes: [[1, kNone, 'lamp'], [2, 1, 'housing'], [3, 1, 'bulb'], [4, 3, 'glass'], [5, kNone, 'screw M4']].map(([id, parent, name]) => (
    { id: id as number, parent: parent as number, name: name as string, kind: 'body', fixed: false, mesh: 0, colour: 0, pose })),
});

test('rows of the tree: open nodes, or what a search finds with all above it', () => {
  const names = (open: number[], search: string) =>
    treeRows(graph.nodes, graph.roots, new Set(open), search).map((row) => `${row.depth} ${row.node.name}`);
  assert.deepEqual(names([], ''), ['0 lamp', '0 screw M4']);
  assert.deepEqual(names([1], ''), ['0 lamp', '1 housing', '1 bulb', '0 screw M4']);
  assert.deepEqual(names([], 'GLA'), ['0 lamp', '1 bulb', '2 glass']);
  assert.deepEqual(names([], 'm4 screw'), ['0 screw M4']);
  assert.deepEqual(names([], 'nothing'), []);
  assert.deepEqual(subtree(graph.nodes, 1).sort(), [1, 2, 3, 4]);
  assert.equal(pathName(graph.nodes, 4), 'lamp › bulb › glass');
});

test('what is turned about stays in the picture where it is, and so does what is zoomed to', () => {
  const rig = new Rig();
  rig.setAspect(1.6);
  rig.setBounds(new Box3(new Vector3(-5, -5, -5), new Vector3(5, 5, 5)));
  rig.goTo(rig.viewOf(new Box3(new Vector3(-5, -5, -5), new Vector3(5, 5, 5))), 0, 0);
  for (const parallel of [false, true]) {
    rig.setParallel(parallel);
    const point = new Vector3(1, -2, 3);
    const before = point.clone().project(rig.camera);
    rig.orbit(0.7, 0.2, point);
    assert.ok(point.clone().project(rig.camera).setZ(0).distanceTo(before.clone().setZ(0)) < 1e-9);
    rig.zoom(0.5, point);
    assert.ok(point.clone().project(rig.camera).setZ(0).distanceTo(before.clone().setZ(0)) < 1e-9);
    const ray = rig.ray(before.x, before.y);
    assert.ok(ray.distanceToPoint(point) < 1e-9, `${ray.distanceToPoint(point)}`);
  }
});

test('zooming to a box shows all of it and fills much of the picture', () => {
  const box = new Box3(new Vector3(-50, -2, 0), new Vector3(30, 3, 8));
  const rig = new Rig();
  rig.setBounds(box);
  for (const parallel of [false, true]) {
    for (const aspect of [0.5, 1, 2]) {
      rig.setParallel(parallel);
      rig.setAspect(aspect);
      rig.goTo(rig.viewOf(box, 0.4, 0.3), 0, 0);
      let largest = 0;
      for (let i = 0; i < 8; ++i) {
        const corner = new Vector3(i & 1 ? 30 : -50, i & 2 ? 3 : -2, i & 4 ? 8 : 0).project(rig.camera);
        assert.ok(corner.z > -1 && corner.z < 1, 'between the clipping planes');
        largest = Math.max(largest, Math.abs(corner.x), Math.abs(corner.y));
      }
      assert.ok(largest < 0.8 && largest > 0.6, `${largest}`);
    }
  }
});
