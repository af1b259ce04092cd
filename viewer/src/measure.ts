// SPDX-License-Identifier: Apache-2.0
// Measuring: two parts are chosen, the server says where they are closest and how far apart.
import { Vector3 } from 'three';
import type { App } from './app';
import { Dots, Lines } from './markers';
import type { PointerTool } from './navigation';
import { distanceText } from './numbers';
import type { Spot } from './state';
import { element } from './ui/dom';

const kAgain = 250;  // milliseconds between two questions while parts move

export class Measure implements PointerTool {
  private readonly lines = new Lines();
  private readonly dots = new Dots();
  private readonly label = element('output', { 'class': 'label3d', 'hidden': true });
  private asked = 0;
  private stale = false;

  constructor(private readonly app: App) {
    const { store, stage, view, commands } = app;
    stage.scene.add(this.lines.root, this.dots.root);
    app.shell.layer.append(this.label);
    commands.add({
      id: 'measure.selection', title: 'Measure between the two parts selected', group: 'Hand', keys: ['Shift+m'],
      enabled: (state) => state.selection.size === 2 || state.measured !== null,
      run: () => {
        const [a, b] = [...store.get().selection];
        if (a !== undefined && b !== undefined) this.between(a, b);
      },
    });
    store.subscribe(['theme'], () => {
      this.lines.setColour(view.palette.measure);
      this.dots.setColour(view.palette.measure);
    });
    store.subscribe(['measured', 'theme'], () => { this.draw(); });
    store.subscribe(['poses'], ({ measured }) => {
      this.stale = measured !== null;
      if (this.stale) stage.invalidate();
    });
    store.subscribe(['tool'], ({ tool }) => { if (tool !== 'measure') store.update({ measureFrom: null }); });
    stage.onFrame((now) => {
      this.again(now);
      this.place();
      return this.stale;
    });
  }

  press(): null {
    return null;
  }

  click(_event: PointerEvent, spot: Spot | null): boolean {
    const { store } = this.app;
    const { tool, measureFrom } = store.get();
    if (tool !== 'measure') return false;
    if (!spot) {
      store.update({ measureFrom: null, measured: null });
    } else if (measureFrom === null || measureFrom === spot.node) {
      store.update({ measureFrom: spot.node, measured: null, selection: new Set([spot.node]) });
    } else {
      this.between(measureFrom, spot.node);
    }
    return true;
  }

  between(a: number, b: number): void {
    this.app.store.update({ selection: new Set([a, b]), measureFrom: null });
    this.app.send({ kind: 'MeasurePair', a, b });
  }

  private again(now: number): void {
    const { measured } = this.app.store.get();
    if (!this.stale || !measured || now - this.asked < kAgain) return;
    this.asked = now;
    this.stale = false;
    this.app.send({ kind: 'MeasurePair', a: measured.a, b: measured.b });
  }

  private draw(): void {
    const { measured, hello } = this.app.store.get();
    const points = measured ? [new Vector3(...measured.pointA), new Vector3(...measured.pointB)] : [];
    this.lines.show(points);
    this.label.hidden = !measured;
    if (measured) this.label.textContent = distanceText(measured, hello?.unit ?? '');
    this.app.stage.invalidate();
  }

  private place(): void {
    const { measured } = this.app.store.get();
    const { rig, canvas } = this.app.stage;
    const points = measured ? [new Vector3(...measured.pointA), new Vector3(...measured.pointB)] : [];
    this.dots.show(points, 0.009 * rig.halfHeight());
    if (!measured) return;
    const middle = points[0]!.clone().add(points[1]!).multiplyScalar(0.5).project(rig.camera);
    this.label.style.transform =
      `translate(${((middle.x + 1) / 2) * canvas.clientWidth}px, ${((1 - middle.y) / 2) * canvas.clientHeight}px) translate(-50%, -150%)`;
  }
}
