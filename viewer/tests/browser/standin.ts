// SPDX-License-Identifier: Apache-2.0
// A server for tests of the page alone: a plate with a bolt and a nut, and a hand that goes through
// everything but z = 0.
import { decodeClient, encode, kNone, kVersion } from '../../src/protocol';
import type { ClientMessage, MeshChunk, Pose, ServerMessage, Vec3 } from '../../src/protocol';
import { box, chunkOf, lathe, nut } from './solids';
import type { Triangle } from './solids';

const kRest: Pose = { translation: [0, 0, 0], rotation: [1, 0, 0, 0] };

const kMeshes: Triangle[][] = [
  nut(42, 8.6, 4, -6, 0),                                                                       // plate
  lathe([[0, -15], [12, -15], [13, -14], [13, -7], [12, -6.01], [8, -6.01], [8, 22], [7, 24], [0, 24]], 64),  // bolt
  nut(14, 8.2, 6, 0, 11),                                                                       // nut
  box([-5, -5, 0], [5, 5, 10]),
];

export const kNodes = [
  { id: 1, parent: kNone, name: 'joint', kind: 'group', fixed: true, mesh: kNone, colour: 0, at: [0, 0, 0] },
  { id: 2, parent: 1, name: 'plate', kind: 'body', fixed: true, mesh: 0, colour: 0, at: [0, 0, 0] },
  { id: 3, parent: 1, name: 'bolt M16', kind: 'body', fixed: true, mesh: 1, colour: 2, at: [0, 0, 0] },
  { id: 4, parent: kNone, name: 'nut M16', kind: 'body', fixed: false, mesh: 2, colour: 1, at: [0, 0, 4] },
  { id: 5, parent: kNone, name: 'block', kind: 'body', fixed: false, mesh: 3, colour: 3, at: [22, -16, 0.5] },
] as const;

export class StandIn {
  readonly received: ClientMessage[] = [];
  private readonly poses = new Map<number, Pose>();
  private readonly undo: { node: number; pose: Pose }[] = [];
  private held: number | null = null;
  /** What else is to be done about messages. */
  answer: (message: ClientMessage) => void = () => {};

  constructor(private readonly tell: (bytes: Uint8Array) => void, private readonly meshes: readonly MeshChunk[] = kMeshes.map((t, i) => chunkOf(i, t))) {
    for (const node of kNodes) this.poses.set(node.id, this.rest(node.id));
  }

  take(bytes: Uint8Array): void {
    const message = decodeClient(bytes);
    this.received.push(message);
    switch (message.kind) {
      case 'Enter': this.enter(); break;
      case 'Grab':
        this.held = message.node;
        this.undo.push({ node: message.node, pose: this.poses.get(message.node)! });
        this.roles();
        break;
      case 'Drag': this.drag(message.sequence, message.clientTime, message.target); break;
      case 'Release':
        this.held = null;
        this.roles();
        break;
      case 'Undo': {
        const last = this.undo.pop();
        if (last) this.poses.set(last.node, last.pose);
        this.sendPoses();
        break;
      }
      case 'SnapBack':
        for (const node of kNodes) if (message.node === kNone || node.id === message.node) this.poses.set(node.id, this.rest(node.id));
        this.sendPoses();
        break;
      case 'MeasurePair':
        this.send({
          kind: 'Measured', a: message.a, b: message.b, pointA: this.poses.get(message.a)!.translation,
          pointB: this.poses.get(message.b)!.translation, lower: 12.34, upper: 12.340001, intersecting: false,
        });
        break;
      default: this.answer(message);
    }
  }

  last<K extends ClientMessage['kind']>(kind: K): Extract<ClientMessage, { kind: K }> | undefined {
    return [...this.received].reverse().find((message) => message.kind === kind) as Extract<ClientMessage, { kind: K }> | undefined;
  }

  poseOf(node: number): Pose {
    return this.poses.get(node)!;
  }

  movePart(node: number, translation: Vec3): void {
    this.poses.set(node, { ...kRest, translation });
  }

  send(message: ServerMessage): void {
    this.tell(encode(message));
  }

  private rest(id: number): Pose {
    return { ...kRest, translation: [...kNodes.find((node) => node.id === id)!.at] as Vec3 };
  }

  private enter(): void {
    this.send({
      kind: 'Hello', protocol: kVersion, program: 'stand-in', you: 1, title: 'nut and bolt', source: 'assembly', unit: 'mm',
      metresPerUnit: 0.001, rate: 60, tolerance: 0.01, clearance: 0.02,
    });
    this.send({
      kind: 'Scene', lo: [-30, -30, -15], hi: [30, 30, 24],
      nodes: kNodes.map(({ at, ...node }) => ({ ...node, pose: { ...kRest, translation: [...at] as Vec3 } })),
      meshes: this.meshes.map((mesh) => (
        { vertices: mesh.positions.length / 3, triangles: mesh.indices.length / 3, chunks: 1, lo: mesh.lo, hi: mesh.hi, closed: true })),
    });
    for (const mesh of this.meshes) this.send(mesh);
    this.roles();
    this.sendPoses();
  }

  private drag(sequence: number, clientTime: number, target: Pose): void {
    if (this.held === null) return;
    const z = Math.max(0, target.translation[2]);
    const pose: Pose = { ...target, translation: [target.translation[0], target.translation[1], z] };
    const left = z - target.translation[2];
    this.poses.set(this.held, pose);
    this.sendPoses();
    const at = pose.translation;
    this.send({
      kind: 'Held', sequence, clientTime, holder: 1, node: this.held, mode: 'contact', status: left > 0 ? 'held_back' : 'arrived', pose,
      distanceLeft: left, angleLeft: 0, force: [0, 0, left], torque: [0, 0, 0], centre: at,
      contacts: left > 0 ? [[-5, -5], [5, -5], [5, 5], [-5, 5]].map(([x, y], i) => ({
        part: this.held!, other: 2, faceA: 0, faceB: 0, point: [at[0] + x!, at[1] + y!, 0] as Vec3, normal: [0, 0, -1] as Vec3,
        force: [0, 0, left * (1 + i)] as Vec3, distance: 0,
      })) : [],
      milliseconds: 1.25,
    });
  }

  sendPoses(time = 0): void {
    const items = kNodes.map((node) => ({ node: node.id, pose: this.poses.get(node.id)! }));
    this.send({ kind: 'Poses', step: 1, time, items: items.filter(({ node, pose }) => pose.translation.some((x, k) => x !== this.rest(node).translation[k])) });
    this.send({ kind: 'History', undo: this.undo.length, redo: 0 });
  }

  private roles(): void {
    this.send({ kind: 'Roles', clients: 1, holder: this.held === null ? 0 : 1, node: this.held ?? kNone });
  }
}
