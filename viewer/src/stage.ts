// SPDX-License-Identifier: Apache-2.0
// The canvas, the scene and when it is drawn: only after something changed.
import { Scene, WebGLRenderer } from 'three';
import type { PerspectiveCamera, Ray } from 'three';
import { AmbientOcclusion, drawsInSoftware } from './ambient';
import { Backdrop } from './backdrop';
import { Rig } from './rig';

/** Called before a picture is drawn; true requests another one after it. */
export type FrameListener = (now: number, milliseconds: number) => boolean;

const kSlow = 45;      // milliseconds between pictures from which on they are coarser while things move
const kReach = 0.16;   // how far things shade each other, of half the height of the picture
const kRest = 250;     // milliseconds without a picture until a fine one is drawn

export class Stage {
  readonly scene = new Scene();
  readonly rig = new Rig();
  readonly renderer: WebGLRenderer;
  readonly backdrop = new Backdrop();
  private readonly listeners: FrameListener[] = [];
  private requested = false;
  private lastFrame = 0;
  private coarseness = 1;  // pixels of the canvas per pixel drawn, in each direction
  private settle: ReturnType<typeof setTimeout> | undefined;
  private slowPictures = 0;
  private readonly ambient = new AmbientOcclusion();
  private shaded: boolean;
  private headset: PerspectiveCamera | null = null;
  frames = 0;  // drawn so far

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, stencil: true, powerPreference: 'high-performance' });
    this.shaded = !drawsInSoftware(this.renderer);
    this.scene.add(this.backdrop.mesh);
    new ResizeObserver(() => { this.resize(); }).observe(canvas);
    canvas.addEventListener('webglcontextrestored', () => { this.invalidate(); });
    this.resize();
  }

  get camera() {
    return this.rig.camera;
  }

  onFrame(listener: FrameListener): void {
    this.listeners.push(listener);
  }

  /** Whether corners and gaps are darker: ambient.ts. */
  get ambientOcclusion(): boolean {
    return this.shaded;
  }
  set ambientOcclusion(on: boolean) {
    this.shaded = on;
    this.invalidate();
  }

  /** Draws soon. Many calls make one picture. */
  invalidate(): void {
    if (this.requested || this.headset) return;
    this.requested = true;
    requestAnimationFrame((now) => { this.frame(now); });
  }

  /** While a headset shows the scene it is drawn by this camera, at the headset's rate; null ends it. */
  present(camera: PerspectiveCamera | null): void {
    this.setCoarseness(1);
    this.headset = camera;
    this.renderer.setAnimationLoop(camera ? (now) => { this.frame(now); } : null);
    if (!camera) this.resize();
  }

  /** The ray through a point of the page. */
  rayAt(clientX: number, clientY: number): Ray {
    const [x, y] = this.deviceAt(clientX, clientY);
    return this.rig.ray(x, y);
  }

  /** Device coordinates, [-1, 1] each, of a point of the page. */
  deviceAt(clientX: number, clientY: number): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [(2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height];
  }

  /** Draws now and gives the picture as PNG. */
  async picture(): Promise<Blob> {
    this.setCoarseness(1);
    this.draw();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('The browser did not give the picture.'));
      }, 'image/png');
    });
  }

  private frame(now: number): void {
    this.requested = false;
    const since = now - this.lastFrame;
    this.lastFrame = now;
    let more = this.rig.tick(now);
    for (const listener of this.listeners) more = listener(now, Math.min(100, since)) || more;
    this.draw();
    if (this.headset) return;
    this.adapt(since);
    if (more) this.invalidate();
  }

  private draw(): void {
    ++this.frames;
    this.renderer.render(this.scene, this.headset ?? this.camera);
    if (this.headset || !this.shaded || this.coarseness > 1) return;
    this.ambient.apply(this.renderer, this.scene, this.camera, kReach * this.rig.halfHeight());
  }

  /** Where pictures follow each other slowly they are drawn coarser, until nothing moved for a moment. */
  private adapt(since: number): void {
    if (since < 500) this.slowPictures = since > kSlow ? this.slowPictures + 1 : 0;
    clearTimeout(this.settle);
    if (this.slowPictures >= 3) this.setCoarseness(2);
    if (this.coarseness === 1) return;
    this.settle = setTimeout(() => {
      this.slowPictures = 0;
      this.setCoarseness(1);
      this.invalidate();
    }, kRest);
  }

  private setCoarseness(coarseness: number): void {
    if (this.coarseness === coarseness) return;
    this.coarseness = coarseness;
    this.resize();
  }

  private resize(): void {
    if (this.headset) return;  // the picture belongs to it
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio) / this.coarseness);
    this.renderer.setSize(width, height, false);
    this.rig.setAspect(width / height);
    this.invalidate();
  }
}
