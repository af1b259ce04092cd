// SPDX-License-Identifier: Apache-2.0
// What stands in for the server inside a report: it says what was recorded, and plays the motion.
import { decodeServer } from './protocol';
import type { ClientMessage, FaceShape, NodePose, Pose, Poses, ServerMessage, Timeline } from './protocol';
import { faceKey } from './panels/panel_state';

const kPathSeconds = 5;  // that a path without times takes at speed 1
const kBytesAtOnce = 1 << 20;

/** Requests a call at the next picture, with the time in milliseconds. */
export type NextFrame = (call: (now: number) => void) => void;

/** Interpolates two poses: linear translation, and rotation at constant speed by the smaller angle. */
export function between(a: Pose, b: Pose, share: number): Pose {
  const mix = (x: number, y: number) => x + share * (y - x);
  const [p, q] = [a.rotation, b.rotation];
  const cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const u = sine < 1e-6 ? 1 - share : Math.sin((1 - share) * angle) / sine;
  const v = (sine < 1e-6 ? share : Math.sin(share * angle) / sine) * (cosine < 0 ? -1 : 1);
  const turned = p.map((x, i) => u * x + v * q[i]!);
  const length = Math.hypot(...turned);
  return {
    translation: [0, 1, 2].map((i) => mix(a.translation[i]!, b.translation[i]!)) as Pose['translation'],
    rotation: turned.map((x) => x / length) as Pose['rotation'],
  };
}

/** Of the numbers, which increase, how many are at most this one. */
function countUpTo(numbers: ArrayLike<number>, value: number): number {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The key `count` keys after a position, as in src/viewer/timeline.cpp. */
export function advanced(keys: ArrayLike<number>, value: number, count: number): number {
  if (keys.length === 0) return value;
  const upTo = countUpTo(keys, value);
  const from = upTo > 0 && (count >= 0 || keys[upTo - 1] === value) ? upTo - 1 : upTo;
  return keys[Math.min(keys.length - 1, Math.max(0, from + count))]!;
}

export class Player {
  private readonly film: Poses[] = [];
  private readonly times: number[] = [];
  private readonly faces = new Map<string, FaceShape>();
  private timeline: Timeline | null = null;
  private value = 0;
  private speed = 0;
  private running = false;  // pictures are being requested
  private last = 0;         // time of the last one

  constructor(
    private readonly messages: readonly Uint8Array[], private readonly tell: (message: ServerMessage) => void,
    private readonly nextFrame: NextFrame) {}

  /** Sends everything but the motion and the faces, which are kept until they are requested; meshes in
   * several turns, so that the page stays responsive. */
  async start(): Promise<void> {
    let bytes = 0;
    for (const packed of this.messages) {
      const message = decodeServer(packed);
      if (message.kind === 'Poses') {
        this.film.push(message);
        this.times.push(message.time);
      } else if (message.kind === 'FaceShape') {
        this.faces.set(faceKey(message.node, message.face), message);
      } else {
        if (message.kind === 'Timeline' && message.keys.length > 0) this.timeline = message;
        this.tell(message);
      }
      bytes += packed.length;
      if (bytes < kBytesAtOnce) continue;
      bytes = 0;
      await new Promise<void>((resolve) => { this.nextFrame(() => { resolve(); }); });
    }
    if (this.timeline) this.goTo(this.timeline.start);
  }

  /** What is not about time and faces needs a program, and is left alone. */
  take(message: ClientMessage): void {
    const { timeline } = this;
    if (message.kind === 'AskFace') {
      const shape = this.faces.get(faceKey(message.node, message.face));
      if (shape) this.tell(shape);
    }
    if (!timeline) return;
    if (message.kind === 'Scrub') this.stopAt(message.value);
    if (message.kind === 'Advance') this.stopAt(advanced(timeline.keys, this.value, message.keys));
    if (message.kind === 'Play') this.play(timeline, message.speed);
  }

  private stopAt(value: number): void {
    this.speed = 0;
    this.goTo(value);
  }

  private play(timeline: Timeline, speed: number): void {
    this.speed = speed;
    if (speed > 0 && this.value >= timeline.end) this.value = timeline.start;
    if (speed < 0 && this.value <= timeline.start) this.value = timeline.end;
    this.tell({ kind: 'Position', value: this.value, speed });
    if (this.running || speed === 0) return;
    this.running = true;
    this.nextFrame((now) => {
      this.last = now;
      this.playOn(timeline, now);
    });
  }

  private playOn(timeline: Timeline, now: number): void {
    this.running = this.speed !== 0;
    if (!this.running) return;
    const length = timeline.end - timeline.start;
    const next = this.value + this.speed * (now - this.last) / 1000 * (timeline.seconds ? 1 : length / kPathSeconds);
    this.last = now;
    if (next <= timeline.start && this.speed < 0 || next >= timeline.end && this.speed > 0) this.speed = 0;
    this.goTo(next);
    this.nextFrame((then) => { this.playOn(timeline, then); });
  }

  private goTo(value: number): void {
    const { timeline } = this;
    if (!timeline) return;
    this.value = Math.min(timeline.end, Math.max(timeline.start, value));
    this.tell({ kind: 'Position', value: this.value, speed: this.speed });
    if (this.film.length > 0) this.tell({ kind: 'Poses', step: 0, time: this.value, items: this.itemsAt(this.value) });
  }

  private itemsAt(value: number): NodePose[] {
    const after = Math.min(this.film.length - 1, countUpTo(this.times, value));
    const [a, b] = [this.film[Math.max(0, after - 1)]!, this.film[after]!];
    const share = b.time > a.time ? Math.min(1, (value - a.time) / (b.time - a.time)) : 0;
    return a.items.map(({ node, pose }, i) => ({ node, pose: between(pose, b.items[i]!.pose, share) }));
  }
}
