// SPDX-License-Identifier: Apache-2.0
// Pointer and wheel over the scene: turn, move, zoom, point at and choose parts. One button is
// enough: dragging turns, with Shift it moves, with Ctrl or Cmd it zooms. With two fingers the
// picture follows them. Tools may take a drag for themselves before it turns the view.
import { Vector3 } from 'three';
import type { SceneView } from './scene_view';
import type { Stage } from './stage';
import type { AppStore, NodeId, Spot } from './state';

/** A drag that is handled by something other than the view. Coordinates are relative to the page. */
export interface Drag {
  move(event: PointerEvent): void;
  end(event: PointerEvent, cancelled: boolean): void;
  wheel?(event: WheelEvent): void;
}

export interface PointerTool {
  /** A press on what is under the pointer: the drag it begins, or null to leave it to others. */
  press(event: PointerEvent, spot: Spot | null): Drag | null;
  /** A click, that is a press that did not move; true: it is used up. */
  click?(event: PointerEvent, spot: Spot | null): boolean;
}

type Action = 'orbit' | 'pan' | 'zoom';

interface Finger {
  x: number;
  y: number;
}

const kTurn = Math.PI;       // radians for a drag over the height of the canvas
const kBetweenMoves = 6;  // milliseconds
const kClick = 4;            // pixels that a click may move
const kWheelStep = 0.0016;   // of zoom per pixel of the wheel
const kViewpointEvery = 250; // milliseconds

export class Navigation {
  private readonly tools: PointerTool[] = [];
  private readonly fingers = new Map<number, Finger>();
  private drag: Drag | null = null;
  private dragPointer = -1;
  private movedAt = 0;
  private action: Action = 'orbit';
  private pivot = new Vector3();
  private pressed: { x: number; y: number; spot: Spot | null } | null = null;
  private hoverAt: { x: number; y: number } | null = null;
  private viewpointSent = 0;
  private readonly viewpoint = new Vector3(NaN, NaN, NaN);
  /** Receives the viewpoint, not often. */
  onViewpoint: (position: readonly [number, number, number]) => void = () => undefined;

  constructor(private readonly store: AppStore, private readonly stage: Stage, private readonly view: SceneView) {
    const canvas = stage.canvas;
    canvas.addEventListener('pointerdown', (event) => { this.down(event); });
    canvas.addEventListener('pointermove', (event) => { this.moved(event); });
    // Browsers hold pointermove back until they draw; a part that is dragged need not wait for that.
    canvas.addEventListener('pointerrawupdate', (event) => { this.movedEarly(event as PointerEvent); });
    canvas.addEventListener('pointerup', (event) => { this.up(event, false); });
    canvas.addEventListener('pointercancel', (event) => { this.up(event, true); });
    canvas.addEventListener('pointerleave', () => {
      this.hoverAt = null;
      if (!this.drag) store.update({ hover: null });
    });
    canvas.addEventListener('wheel', (event) => { this.wheel(event); }, { passive: false });
    canvas.addEventListener('dblclick', (event) => { this.doubleClick(event); });
    canvas.addEventListener('contextmenu', (event) => { event.preventDefault(); });
    // A server that is new does not know yet where the viewer looks from.
    store.subscribe(['hello'], () => { this.viewpoint.setScalar(NaN); });
    stage.onFrame((now) => {
      this.hover();
      this.tellViewpoint(now);
      return false;
    });
  }

  /** Tools added last have priority. */
  addTool(tool: PointerTool): void {
    this.tools.unshift(tool);
  }

  get dragging(): boolean {
    return this.drag !== null || this.fingers.size > 0;
  }

  /** Turns, moves or zooms by one step, as keys do; in parts of the canvas. */
  step(action: Action, x: number, y: number): void {
    const rig = this.stage.rig;
    if (action === 'orbit') rig.orbit(-x * kTurn, y * kTurn, this.middleOfInterest());
    else if (action === 'pan') rig.pan(-2 * x, -2 * y);
    else rig.zoom(Math.exp(y));
    this.stage.invalidate();
  }

  private middleOfInterest(): Vector3 {
    const { selection } = this.store.get();
    const box = this.view.parts.box(selection.size > 0 ? selection : undefined);
    return box.isEmpty() ? this.stage.rig.current.target.clone() : box.getCenter(new Vector3());
  }

  private down(event: PointerEvent): void {
    this.stage.canvas.focus({ preventScroll: true });
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    try {
      this.stage.canvas.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already.
    }
    if (this.drag) return;
    if (this.fingers.size > 1) {
      this.pressed = null;
      return;
    }
    const spot = this.view.spotAt(event.clientX, event.clientY);
    this.pressed = { x: event.clientX, y: event.clientY, spot };
    this.pivot = spot ? new Vector3(...spot.point) : this.middleOfInterest();
    this.action = event.button === 1 || event.shiftKey ? 'pan' : event.ctrlKey || event.metaKey ? 'zoom' : 'orbit';
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey) return;
    for (const tool of this.tools) {
      this.drag = tool.press(event, spot);
      if (!this.drag) continue;
      this.dragPointer = event.pointerId;
      return;
    }
  }

  /** Some devices report a thousand times a second; the last position comes by pointermove in any case. */
  private movedEarly(event: PointerEvent): void {
    if (!this.drag || event.pointerId !== this.dragPointer || event.timeStamp - this.movedAt < kBetweenMoves) return;
    this.movedAt = event.timeStamp;
    this.moved(event);
  }

  private moved(event: PointerEvent): void {
    if (this.fingers.size === 0) {
      this.hoverAt = { x: event.clientX, y: event.clientY };
      this.stage.invalidate();
      return;
    }
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const dx = event.clientX - finger.x;
    const dy = event.clientY - finger.y;
    if (this.pressed && Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > kClick) this.pressed = null;
    if (this.drag) {
      if (event.pointerId === this.dragPointer && (dx !== 0 || dy !== 0)) this.drag.move(event);
    } else if (this.fingers.size === 1) {
      if (!this.pressed) this.moveView(dx, dy);
    } else {
      this.pinch(event.pointerId, dx, dy);
    }
    if (this.pressed && !this.drag) return;  // the movement before it counts as a drag is not lost
    finger.x = event.clientX;
    finger.y = event.clientY;
  }

  private moveView(dx: number, dy: number): void {
    const { rig, canvas } = this.stage;
    const height = canvas.clientHeight;
    if (this.action === 'orbit') rig.orbit((-dx * kTurn) / height, (dy * kTurn) / height, this.pivot);
    else if (this.action === 'pan') rig.pan((2 * dx) / canvas.clientWidth, (-2 * dy) / height, this.pivot);
    else rig.zoom(Math.exp((3 * dy) / height), this.pivot);
    this.stage.invalidate();
  }

  /** Two fingers: their middle moves the picture, their distance scales it. */
  private pinch(id: number, dx: number, dy: number): void {
    const other = [...this.fingers].find(([key]) => key !== id)?.[1];
    const finger = this.fingers.get(id);
    if (!other || !finger) return;
    const { rig, canvas } = this.stage;
    rig.pan(dx / canvas.clientWidth, -dy / canvas.clientHeight);
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(finger.x + dx - other.x, finger.y + dy - other.y);
    if (before > 1 && after > 1) rig.zoom(before / after, this.pointOfTarget((finger.x + other.x) / 2, (finger.y + other.y) / 2));
    this.stage.invalidate();
  }

  private up(event: PointerEvent, cancelled: boolean): void {
    if (!this.fingers.delete(event.pointerId)) return;
    const drag = this.drag;
    if (drag) {
      if (event.pointerId !== this.dragPointer) return;
      this.drag = null;
      drag.end(event, cancelled);
    }
    const pressed = this.pressed;
    this.pressed = null;
    if (!pressed || cancelled || event.button !== 0) return;
    for (const tool of this.tools) if (tool.click?.(event, pressed.spot)) return;
    this.choose(pressed.spot, event.ctrlKey || event.metaKey || event.shiftKey);
  }

  /** Selects what was clicked; with a modifier, besides what is selected, or no more. */
  private choose(spot: Spot | null, more: boolean): void {
    const { selection } = this.store.get();
    if (!spot) {
      if (!more && selection.size > 0) this.store.update({ selection: new Set() });
      return;
    }
    const next = new Set<NodeId>(more ? selection : []);
    if (more && selection.has(spot.node)) next.delete(spot.node);
    else next.add(spot.node);
    this.store.update({ selection: next });
  }

  private doubleClick(event: MouseEvent): void {
    const spot = this.view.spotAt(event.clientX, event.clientY);
    this.view.fit(spot ? new Set([spot.node]) : undefined);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (this.drag?.wheel) {
      this.drag.wheel(event);
      return;
    }
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    // Two fingers on a touchpad that pinch arrive as a wheel with Ctrl, in small steps.
    const pixels = Math.max(-300, Math.min(300, event.deltaY * lines * (event.ctrlKey ? 5 : 1)));
    const spot = this.view.spotAt(event.clientX, event.clientY);
    const about = spot ? new Vector3(...spot.point) : this.pointOfTarget(event.clientX, event.clientY);
    this.stage.rig.zoom(Math.exp(pixels * kWheelStep), about);
    this.stage.invalidate();
  }

  /** Where the ray through a point of the page meets the plane of the target across the view. */
  private pointOfTarget(clientX: number, clientY: number): Vector3 {
    const ray = this.stage.rayAt(clientX, clientY);
    const back = this.stage.rig.axes()[2];
    const along = ray.direction.dot(back);
    const t = this.stage.rig.current.target.clone().sub(ray.origin).dot(back) / along;
    return ray.at(t, new Vector3());
  }

  private hover(): void {
    if (!this.hoverAt || this.dragging) return;
    const spot = this.view.spotAt(this.hoverAt.x, this.hoverAt.y);
    this.hoverAt = null;
    this.store.update({ hover: spot });
  }

  private tellViewpoint(now: number): void {
    if (now - this.viewpointSent < kViewpointEvery) return;
    const eye = this.stage.rig.perspective.position;
    if (eye.equals(this.viewpoint)) return;
    this.viewpointSent = now;
    this.viewpoint.copy(eye);
    this.onViewpoint(eye.toArray());
  }
}
