// SPDX-License-Identifier: Apache-2.0
// A panel on the wrist of the other hand: what cannot be reached through a headset's glass.
import { CanvasTexture, DoubleSide, LinearFilter, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace } from 'three';
import type { Matrix4, Ray } from 'three';
import type { App } from '../app';
import { isRunning } from '../panels/panel_state';
import type { State } from '../state';
import { onRectangle } from './xr_math';

interface Key {
  text: (state: Readonly<State>) => string;
  run: (app: App) => void;
  on?: (state: Readonly<State>) => boolean;
  enabled?: (state: Readonly<State>) => boolean;
}

const kWidth = 0.22;  // metres
const kHeight = 0.19;
const kPixels = 768;
const kColumns = 4;
const kTop = 0.26;    // of the height, where the keys begin

const kModeTexts = { free: 'Free', stop: 'Stop', contact: 'Contact' } as const;
const command = (id: string, text: (state: Readonly<State>) => string, on?: Key['on']): Key => (
  { text, run: (app) => { app.commands.run(id); }, ...(on ? { on } : {}) });

const kKeys: Key[] = [
  ...(['free', 'stop', 'contact'] as const).map((mode): Key => (
    { text: () => kModeTexts[mode], run: (app) => { app.store.update({ mode }); }, on: (state) => state.mode === mode })),
  command('hand.undo', () => 'Undo'),
  command('record.toggle', (state) => (state.recording?.active ? 'End' : 'Record'), (state) => state.recording?.active ?? false),
  command('record.prove', () => 'Prove', (state) => isRunning(state, 'proof')),
  command('hand.snapBack', () => 'Put back'),
  command('play.toggle', (state) => (state.playing === 0 ? 'Play' : 'Pause'), (state) => state.playing !== 0),
  command('contact.next', () => 'Contact'),
  command('section.toggle', () => 'Section', (state) => state.section.on),
  command('show.transparent', () => 'Glass', (state) => [...state.selection].some((id) => state.transparent.has(id))),
  command('xr.leave', () => 'Leave'),
];

/** What is said above the keys. */
export function wristText(state: Readonly<State>): [string, string] {
  const { hello, held, grabbed, nodes, tasks, proof, recording } = state;
  const title = hello?.title ?? '';
  const part = grabbed === null ? '' : nodes.get(grabbed)?.name ?? '';
  if (part) {
    const how = { undecided: 'lags behind', arrived: 'follows', held_back: 'is held back', touching: 'was in contact from the start' } as const;
    return [title, held ? `${part} ${how[held.status]}` : part];
  }
  const task = tasks.proof;
  if (task?.running) return [title, task.total > 0 ? `Proving: ${Math.round((100 * task.done) / task.total)} %` : 'Proving …'];
  if (recording?.active) return [title, 'Records: take a part and move it'];
  return [title, proof?.sentence ?? 'Trigger or pinch: take a part'];
}

export class WristPanel {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly canvas = document.createElement('canvas');
  private readonly texture: CanvasTexture;
  private pointed = -1;
  private drawn = '';

  constructor(private readonly app: App) {
    this.canvas.width = kPixels;
    this.canvas.height = Math.round((kPixels * kHeight) / kWidth);
    this.texture = new CanvasTexture(this.canvas);
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.minFilter = LinearFilter;
    this.texture.generateMipmaps = false;
    this.mesh = new Mesh(new PlaneGeometry(kWidth, kHeight), new MeshBasicMaterial({ map: this.texture, side: DoubleSide, toneMapped: false }));
    this.mesh.position.set(0, 0.1, -0.05);
    this.mesh.rotation.set(-1.1, 0, 0);
    this.mesh.renderOrder = 20;
  }

  /** The key under a ray of the world, and how far it is; −1 is the panel beside its keys. */
  hit(ray: Ray, matrix: Matrix4 = this.mesh.matrixWorld): { key: number; distance: number } | null {
    const spot = onRectangle(ray, matrix, kWidth, kHeight);
    if (!spot) return null;
    const rows = Math.ceil(kKeys.length / kColumns);
    const row = Math.floor(((spot.v - kTop) / (1 - kTop)) * rows);
    const column = Math.min(kColumns - 1, Math.floor(spot.u * kColumns));
    return { key: spot.v < kTop ? -1 : row * kColumns + column, distance: spot.distance };
  }

  point(key: number): void {
    this.pointed = key;
    this.draw();
  }

  press(key: number): void {
    kKeys[key]?.run(this.app);
  }

  /** Draws when something else is to be seen than last time. */
  draw(): void {
    const state = this.app.store.get();
    const lines = wristText(state);
    const keys = kKeys.map((key, i) => ({ text: key.text(state), on: key.on?.(state) ?? false, pointed: i === this.pointed }));
    const now = JSON.stringify([lines, keys]);
    if (now === this.drawn) return;
    this.drawn = now;
    const context = this.canvas.getContext('2d');
    if (!context) return;
    const { width, height } = this.canvas;
    context.fillStyle = '#1c2229';
    context.fillRect(0, 0, width, height);
    context.textBaseline = 'middle';
    context.fillStyle = '#e8ecf1';
    context.font = '600 40px system-ui, sans-serif';
    context.fillText(lines[0], 28, 48, width - 56);
    context.fillStyle = '#b0bac6';
    context.font = '34px system-ui, sans-serif';
    wrap(context, lines[1], width - 56).slice(0, 2).forEach((line, i) => { context.fillText(line, 28, 100 + 42 * i, width - 56); });
    const rows = Math.ceil(kKeys.length / kColumns);
    const w = width / kColumns;
    const h = (height * (1 - kTop)) / rows;
    keys.forEach((key, i) => {
      const x = (i % kColumns) * w;
      const y = height * kTop + Math.floor(i / kColumns) * h;
      context.fillStyle = key.on ? '#6bb8ff' : key.pointed ? '#3d4a59' : '#2b353f';
      context.beginPath();
      context.roundRect(x + 8, y + 8, w - 16, h - 16, 18);
      context.fill();
      context.fillStyle = key.on ? '#07121c' : '#e8ecf1';
      context.textAlign = 'center';
      context.fillText(key.text, x + w / 2, y + h / 2, w - 28);
      context.textAlign = 'left';
    });
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.texture.dispose();
  }
}

function wrap(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return line ? [...lines, line] : lines;
}
