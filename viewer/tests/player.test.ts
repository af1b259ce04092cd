// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { splitMessages, unpacked } from '../src/packed';
import { advanced, between, Player } from '../src/player';
import { composed, inverse } from '../src/poses';
import { encode } from '../src/protocol';
import type { Pose, ServerMessage } from '../src/protocol';

const kStill: Pose = { translation: [0, 0, 0], rotation: [1, 0, 0, 0] };

function turn(angle: number, axis: readonly [number, number, number], translation: Pose['translation'] = [0, 0, 0]): Pose {
  const s = Math.sin(angle / 2);
  return { translation, rotation: [Math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]] };
}

function angleOf({ rotation }: Pose): number {
  return 2 * Math.acos(Math.min(1, Math.abs(rotation[0])));
}

/** As src/viewer/report_session.cpp writes them. */
function joined(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(messages.flatMap((message) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    return [length, message];
  }));
}

test('what was packed comes back, and what is cut off is no session', async () => {
  const messages = [new Uint8Array([1, 2, 3]), new Uint8Array(0), new Uint8Array(70000).fill(7)];
  const bytes = joined(messages);
  for (const [format, packed] of [['deflate', deflateSync(bytes)], ['gzip', gzipSync(bytes)]] as const) {
    const split = splitMessages(await unpacked(packed.toString('base64'), format));
    assert.deepEqual(split.map((m) => [...m]), messages.map((m) => [...m]));
  }
  for (const end of [1, 3, 5, bytes.length - 1]) assert.throws(() => splitMessages(bytes.subarray(0, end)), /cut off/);
  await assert.rejects(unpacked('AAAA', 'gzip'));
});

test('between two poses: a straight line, and an even turn by the shorter angle', () => {
  let seed = 0.3;
  const random = () => (seed = (seed * 16807.7) % 1);
  for (let i = 0; i < 300; ++i) {
    const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...axis);
    const unit = axis.map((x) => x / length) as [number, number, number];
    const a = turn(random() * 6, [0.6, 0, 0.8], [random(), random(), random()]);
    const angle = random() * 3;
    const b: Pose = { ...composed(a, turn(angle, unit)), translation: [random(), random(), random()] };
    const flipped: Pose = { ...b, rotation: b.rotation.map((x) => -x) as Pose['rotation'] };
    const share = random();
    for (const end of [b, flipped]) {
      const middle = between(a, end, share);
      assert.ok(Math.abs(Math.hypot(...middle.rotation) - 1) < 1e-12);
      assert.ok(Math.abs(angleOf(composed(inverse(a), middle)) - share * angle) < 1e-6);
      for (let k = 0; k < 3; ++k) {
        assert.ok(Math.abs(middle.translation[k]! - (a.translation[k]! + share * (b.translation[k]! - a.translation[k]!))) < 1e-12);
      }
    }
  }
  assert.deepEqual(between(kStill, kStill, 0.5), kStill);
});

test('single steps go from key to key, like the steps of the program', () => {
  const keys = [0, 0.25, 0.5, 1];
  assert.deepEqual([0, 0.1, 0.25, 0.9, 1].map((value) => advanced(keys, value, 1)), [0.25, 0.25, 0.5, 1, 1]);
  assert.deepEqual([0, 0.1, 0.25, 0.9, 1].map((value) => advanced(keys, value, -1)), [0, 0, 0, 0.5, 0.5]);
  assert.equal(advanced([], 0.4, 1), 0.4);
});

/** A part that goes from x = 0 to 10 and turns half a turn, with a stop at s = 0.5. */
async function played(seconds = false): Promise<{ player: Player; said: ServerMessage[]; frame: (now: number) => void; x: () => number; place: () => number }> {
  const pose = (x: number, angle: number) => turn(angle, [0, 0, 1], [x, 0, 0]);
  const recorded: ServerMessage[] = [
    {
      kind: 'Hello', protocol: 1, program: 'test', you: 0, title: 'part', source: 'result', unit: 'mm', metresPerUnit: 0.001, rate: 60, tolerance: 0, clearance: 0,
    },
    { kind: 'Timeline', start: 0, end: 1, seconds, keys: new Float64Array([0, 0.5, 1]) },
    { kind: 'FaceShape', node: 3, face: 7, group: '', triangles: new Float32Array(9) },
    ...([[0, 0, 0], [0.5, 8, 0.4], [1, 10, 3]] as const).map(([time, x, angle]): ServerMessage => (
      { kind: 'Poses', step: 0, time, items: [{ node: 3, pose: pose(x, angle) }] })),
  ];
  const said: ServerMessage[] = [];
  let next: ((now: number) => void) | null = null;
  const player = new Player(recorded.map((m) => encode(m)), (message) => { said.push(message); }, (call) => { next = call; });
  await player.start();
  const latest = <K extends ServerMessage['kind']>(kind: K) => [...said].reverse().find((m) => m.kind === kind) as Extract<ServerMessage, { kind: K }>;
  return {
    player, said, x: () => latest('Poses').items[0]!.pose.translation[0], place: () => latest('Position').value,
    frame(now) {
      const call = next;
      next = null;
      call?.(now);
    },
  };
}

test('a player says what was recorded, and goes where it is sent', async () => {
  const { player, said, x, place } = await played();
  assert.deepEqual(said.map(({ kind }) => kind), ['Hello', 'Timeline', 'Position', 'Poses']);
  assert.deepEqual([x(), place()], [0, 0]);
  for (const [value, expected, at] of [[0.25, 4, 0.25], [0.5, 8, 0.5], [0.75, 9, 0.75], [2, 10, 1], [-1, 0, 0]] as const) {
    player.take({ kind: 'Scrub', value });
    assert.ok(Math.abs(x() - expected) < 1e-9, `${value}: ${x()}`);
    assert.equal(place(), at);
  }
  player.take({ kind: 'Advance', keys: 1 });
  assert.equal(place(), 0.5);
  const before = said.length;
  player.take({ kind: 'AskFace', node: 3, face: 8 });
  player.take({ kind: 'Prove' });
  assert.equal(said.length, before, 'what needs a program is left alone');
  player.take({ kind: 'AskFace', node: 3, face: 7 });
  assert.equal(said.at(-1)!.kind, 'FaceShape');
});

test('a player plays, backwards too, and stops at the ends', async () => {
  const { player, said, frame, place } = await played();
  const speed = () => ([...said].reverse().find((m) => m.kind === 'Position') as Extract<ServerMessage, { kind: 'Position' }>).speed;
  player.take({ kind: 'Play', speed: 2 });
  frame(1000);
  for (const [now, at] of [[1500, 0.2], [2500, 0.6], [3500, 1]] as const) {
    frame(now);
    assert.ok(Math.abs(place() - at) < 1e-9, `${now}: ${place()}`);
  }
  assert.equal(speed(), 0);
  frame(9000);
  assert.equal(place(), 1);
  player.take({ kind: 'Play', speed: -1 });
  frame(10000);
  frame(11000);
  assert.ok(Math.abs(place() - 0.8) < 1e-9);
  player.take({ kind: 'Play', speed: 0 });
  player.take({ kind: 'Play', speed: -1 });
  player.take({ kind: 'Play', speed: 0 });
  frame(12000);
  assert.ok(Math.abs(place() - 0.8) < 1e-9);
  assert.equal(speed(), 0);
  player.take({ kind: 'Play', speed: -1 });
  frame(20000);
  frame(21000);
  assert.ok(Math.abs(place() - 0.6) < 1e-9, 'time that it stood does not count');
});

test('seconds are played as seconds', async () => {
  const { player, frame, place } = await played(true);
  player.take({ kind: 'Play', speed: 0.5 });
  frame(0);
  frame(500);
  assert.ok(Math.abs(place() - 0.25) < 1e-9);
});
