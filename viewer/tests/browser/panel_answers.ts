// SPDX-License-Identifier: Apache-2.0
// What a stand-in for the server says to the panels: a recorded path with two contacts, a budget,
// volumes, trees and clashes.
import { kNone } from '../../src/protocol';
import type { Band, BuildTree, ClashClass, ClashRow, PathContact, Vec3 } from '../../src/protocol';
import type { StandIn } from './standin';

const kTop = 11;  // of the nut, which goes up by this

function contact(part: Partial<PathContact>): PathContact {
  return {
    sLower: 0, sUpper: 0, sEnd: 0, a: 4, b: 3, faceA: 1, faceB: 1, point: [8.2, 0, 8], normal: [1, 0, 0], thicknessLower: 0, thicknessUpper: 0,
    allowed: false, ...part,
  };
}

/** The least clearance along the path, as bands that get narrower where it matters. */
export function profile(): Band[] {
  const bands: Band[] = [];
  for (let i = 0; i < 200; ++i) {
    const s = (i + 0.5) / 200;
    const inContact = (s > 0.31 && s < 0.42) || s < 0.02;
    const clearance = inContact ? 0 : 0.15 + 1.3 * Math.abs(Math.sin(7 * s)) ** 2 * (s > 0.42 ? 1 + 3 * (s - 0.42) : 0.3);
    bands.push({ sStart: i / 200, sEnd: (i + 1) / 200, lower: clearance * 0.93, upper: clearance * 1.06 + (inContact ? 0 : 0.03) });
  }
  return bands;
}

const kContacts: PathContact[] = [
  contact({ sLower: 0, sUpper: 0, sEnd: 0.0178, b: 2, point: [11, 3, 0], normal: [0, 0, -1], allowed: true }),
  contact({ sLower: 0.31012, sUpper: 0.31014, sEnd: 0.42, thicknessLower: 0.4121, thicknessUpper: 0.4139 }),
  contact({ sLower: 0.3522, sUpper: 0.3524, sEnd: 0.391, point: [-8.2, 1, 9], normal: [-1, 0, 0], thicknessLower: 0.09, thicknessUpper: 0.091 }),
];

export function clashRows(): ClashRow[] {
  const row = (a: number, b: number, verdict: ClashClass, part: Partial<ClashRow> = {}): ClashRow => ({
    a, b, verdict, distanceLower: 0, distanceUpper: 0, thicknessLower: 0, thicknessUpper: 0, faceA: 2, faceB: 2, point: [8, 0, -3], hasPoint: true,
    accepted: false, comment: '', ...part,
  });
  return [
    row(3, 4, 'clash', { thicknessLower: 0.52, thicknessUpper: 0.531 }),
    row(2, 5, 'clash', { thicknessLower: 0.1, thicknessUpper: 0.12, accepted: true, comment: 'pressed in on purpose' }),
    row(2, 3, 'touching', { thicknessLower: 0.001, thicknessUpper: 0.004 }),
    row(4, 5, 'undecided', { hasPoint: false }),
    row(3, 5, 'near', { distanceLower: 0.61, distanceUpper: 0.612 }),
  ];
}

/** The edges of a box as lines. */
function boxLines(lo: Vec3, hi: Vec3): number[] {
  const lines: number[] = [];
  for (let axis = 0; axis < 3; ++axis) {
    for (let corner = 0; corner < 4; ++corner) {
      const from: number[] = [], to: number[] = [];
      const others = [0, 1, 2].filter((k) => k !== axis);
      others.forEach((k, i) => { from[k] = to[k] = (corner >> i) & 1 ? hi[k]! : lo[k]!; });
      from[axis] = lo[axis]!;
      to[axis] = hi[axis]!;
      lines.push(...from, ...to);
    }
  }
  return lines;
}

/** Rings of boxes about the z axis, more of them on deeper levels. */
export function levelLines(level: number): Float32Array {
  const count = 2 ** level;
  const lines: number[] = [];
  for (let i = 0; i < count; ++i) {
    const [from, to] = [(2 * Math.PI * i) / count, (2 * Math.PI * (i + 1)) / count];
    const xs: number[] = [], ys: number[] = [];
    for (let k = 0; k <= 16; ++k) {
      for (const r of [8.2, 14]) {
        const angle = from + ((to - from) * k) / 16;
        xs.push(r * Math.cos(angle));
        ys.push(r * Math.sin(angle));
      }
    }
    lines.push(...boxLines([Math.min(...xs), Math.min(...ys), 0], [Math.max(...xs), Math.max(...ys), 11]));
  }
  return new Float32Array(lines);
}

export class PanelAnswers {
  private position = 0;
  private rows = clashRows();

  constructor(private readonly server: StandIn) {
    server.answer = (message) => {
      switch (message.kind) {
        case 'Record':
          server.send({ kind: 'Recording', active: message.on, node: message.on ? kNone : 4, poses: message.on ? 0 : 184, seconds: message.on ? 0 : 6.13, file: '' });
          break;
        case 'Prove': this.proved(); break;
        case 'SaveStudy':
          server.send({ kind: 'Recording', active: false, node: 4, poses: 184, seconds: 6.13, file: `${message.name}.study.json` });
          break;
        case 'SaveAnimation':
          server.send({ kind: 'TaskProgress', task: 'animation', running: true, done: 0, total: 0 });
          server.send({ kind: 'TaskProgress', task: 'animation', running: false, done: 0, total: 0 });
          server.send({ kind: 'Saved', what: 'animation', file: `/home/me/${message.name || 'nut-animation'}.glb` });
          break;
        case 'Scrub': this.goTo(message.value); break;
        case 'Advance': this.goTo(Math.min(1, Math.max(0, (Math.round(this.position * 183) + message.keys) / 183))); break;
        case 'Play': server.send({ kind: 'Position', value: this.position, speed: message.speed }); break;
        case 'AskFace':
          server.send({
            kind: 'FaceShape', node: message.node, face: message.face, group: '',
            triangles: new Float32Array(message.node === 4 ? [8.2, -3, 2, 8.2, 3, 2, 8.2, 3, 9, 8.2, -3, 2, 8.2, 3, 9, 8.2, -3, 9] :
              [8, -3, 3, 8, 3, 3, 8, 3, 20, 8, -3, 3, 8, 3, 20, 8, -3, 20]),
          });
          break;
        case 'ShowVolumes': {
          const { node, hierarchy, level } = message;
          const lines = level === kNone ? new Float32Array() : levelLines(level);
          server.send({ kind: 'Volumes', node, hierarchy, level, levels: 12, count: lines.length / 72, lines });
          break;
        }
        case 'ShowOpenPairs':
          server.send({ kind: 'OpenPairs', count: message.on ? 3 : 0, lines: new Float32Array(message.on ? [...boxLines([6, -2, 3], [9, 2, 9]), ...boxLines([7, -3, 4], [10, 1, 10])] : []) });
          break;
        case 'BuildTree': this.tree(message); break;
        case 'FindClashes': this.clashes(); break;
        case 'CommentClash':
          this.rows = this.rows.map((row) => (row.a === message.a && row.b === message.b ? { ...row, accepted: message.accepted, comment: message.text } : row));
          this.clashes();
          break;
        case 'SetBudget': {
          const { kind: _, ...budget } = message;
          this.budget(budget.milliseconds * 0.7, budget);
          break;
        }
        default:
      }
    };
    server.send({
      kind: 'TreeChoices', volumes: ['sphere', 'aabb', 'obb', 'dop18', 'rss', 'mixed'].map((text) => ({ text, hausdorff: ['sphere', 'aabb', 'obb', 'mixed'].includes(text) })),
      methods: ['gottschalk', 'zachmann', 'hochbaum_shmoys', 'moving_centres', 'median', 'surface_area'].map((text) => ({ text })),
      qualities: ['volume', 'diameter', 'surface_area', 'hausdorff'].map((text) => ({ text })), combines: ['mean', 'maximum'].map((text) => ({ text })),
    });
    for (let i = 0; i < 180; ++i) this.budget(i < 60 ? 0.4 : 2.6 + 2.2 * Math.sin(i / 9) + (i % 37 === 0 ? 5 : 0));
  }

  budget(used: number, part: object = {}): void {
    this.server.send({
      kind: 'Budget', tolerance: 0.01, clearance: 0.02, milliseconds: 8, share: 'one_queue', guess: 'none', used, slowest: 9.8, pairs: 12, undecided: 2,
      guessed: 0, ...part,
    });
  }

  timeline(): void {
    this.server.send({ kind: 'Timeline', start: 0, end: 1, seconds: false, keys: Float64Array.from({ length: 184 }, (_, i) => i / 183) });
    this.goTo(0);
  }

  proved(): void {
    this.timeline();
    this.server.send({ kind: 'TaskProgress', task: 'proof', running: false, done: 184, total: 184 });
    this.server.send({
      kind: 'Proved', verdict: 'contact', sentence: 'nut M16 touches bolt M16 at s = 0.3101: it cannot be taken out along this path.',
      details: '184 recorded poses, tolerance 0.01 mm.\n3 contacts, 1 of them allowed.', explanation: 'Turn the nut as its thread needs, or move it 0.42 mm towards −x.',
      firstLower: 0.31012, firstUpper: 0.31014, contacts: kContacts, profile: profile(), thickest: 1, study: '',
    });
  }

  progress(done: number, total: number): void {
    this.server.send({ kind: 'TaskProgress', task: 'proof', running: true, done, total });
  }

  clashes(): void {
    this.server.send({
      kind: 'ClashTable', sentence: '1 clash, 1 accepted, 1 pair undecided; 4 parts, 10 pairs.', rows: this.rows, file: 'nut_and_bolt.clashes.json',
    });
  }

  private tree({ node, volume, method, degree, improvement, quality, combine }: BuildTree): void {
    this.server.send({ kind: 'TaskProgress', task: 'tree', running: false, done: 1, total: 1 });
    this.server.send({
      kind: 'Tree', node, volume, method, degree, improvement, quality, combine, levels: 7, nodes: 1843, milliseconds: 38.2, bytesPerTriangle: 61.4, tests: 18234,
      triangleTests: 4211, testsBefore: 25110, triangleTestsBefore: 6120, ownTests: 9120, ownTriangleTests: 2480,
    });
  }

  private goTo(value: number): void {
    this.position = value;
    this.server.movePart(4, [0, 0, 4 + kTop * 2 * value]);
    this.server.sendPoses(value);
    this.server.send({ kind: 'Position', value, speed: 0 });
  }
}
