// SPDX-License-Identifier: Apache-2.0
// What panels show in the scene: faces that meet, positions of contacts, bounding volumes, open pairs.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Points, ShaderMaterial,
  Vector3,
} from 'three';
import type { Object3D } from 'three';
import type { App } from '../app';
import type { ClashRow, PathContact } from '../protocol';
import type { NodeId, State } from '../state';
import { isDark } from '../theme';
import { faceKey, facesOf, pairKey } from './panel_state';

const kMostDots = 2000;

interface Colours {
  contact: Color;
  other: Color;
  allowed: Color;
  volume: Color;
  open: Color;
  rim: Color;
}
const kColours: Record<'light' | 'dark', Colours> = {
  light: {
    contact: new Color('#c8141f'), other: new Color('#d2620a'), allowed: new Color('#a87400'), volume: new Color('#0b5fa8'), open: new Color('#6a2fb5'),
    rim: new Color('#ffffff'),
  },
  dark: {
    contact: new Color('#ff5a5f'), other: new Color('#ff9d4d'), allowed: new Color('#e9b44c'), volume: new Color('#7cc4ff'), open: new Color('#c79bff'),
    rim: new Color('#12161b'),
  },
};

/** Frees what the graphics card has of an object and all below it. */
function dispose(object: Object3D): void {
  object.removeFromParent();
  object.traverse((child) => {
    if (!(child instanceof Mesh || child instanceof LineSegments || child instanceof Points)) return;
    child.geometry.dispose();
    child.material.dispose();
  });
}

export class Marks {
  private readonly root = new Group();
  private readonly onParts: { node: NodeId; group: Group }[] = [];  // drawn in the frame of a part
  private readonly made = new Map<'faces' | 'dots' | 'volumes' | 'open', Object3D>();
  private readonly pixel = { value: 1 };

  constructor(private readonly app: App) {
    const { store, stage } = app;
    this.root.name = 'marks';
    stage.scene.add(this.root);
    store.subscribe(['proof', 'contactShown', 'clashShown', 'clashTable', 'faces', 'theme', 'nodes', 'panel'], (state) => {
      this.replace('faces', this.faces(state));
      this.replace('dots', this.dots(state));
    });
    store.subscribe(['volumes', 'theme', 'nodes'], (state) => { this.replace('volumes', this.volumes(state)); });
    store.subscribe(['openPairs', 'openPairsOn', 'theme'], (state) => { this.replace('open', this.open(state)); });
    store.subscribe(['poses', 'explode', 'nodes'], () => { this.follow(); });
    stage.onFrame(() => {
      this.pixel.value = stage.renderer.getPixelRatio();
      return false;
    });
  }

  /** Contacts that are marked: the shown one, else all that block the path. */
  private marked(state: Readonly<State>): Pick<PathContact, 'a' | 'b' | 'faceA' | 'faceB'>[] {
    const clash = shownClash(state);
    if (clash) return [clash];
    const contacts = state.proof?.contacts ?? [];
    const shown = state.contactShown === null ? undefined : contacts[state.contactShown];
    return shown ? [shown] : contacts.filter((contact) => !contact.allowed);
  }

  private faces(state: Readonly<State>): Object3D | null {
    const colours = this.colours(state);
    const byNode = new Map<NodeId, { own: Float32Array[]; first: boolean }>();
    const seen = new Set<string>();
    for (const contact of this.marked(state)) {
      for (const { node, face } of facesOf(contact)) {
        const key = faceKey(node, face);
        const shape = state.faces.get(key);
        if (!shape || seen.has(key)) continue;
        seen.add(key);
        const entry = byNode.get(node) ?? { own: [], first: node === contact.a };
        entry.own.push(shape.triangles);
        byNode.set(node, entry);
      }
    }
    if (byNode.size === 0) return null;
    const all = new Group();
    for (const [node, { own, first }] of byNode) {
      const geometry = new BufferGeometry();
      const positions = new Float32Array(own.reduce((sum, t) => sum + t.length, 0));
      let at = 0;
      for (const triangles of own) {
        positions.set(triangles, at);
        at += triangles.length;
      }
      geometry.setAttribute('position', new BufferAttribute(positions, 3));
      const colour = first ? colours.contact : colours.other;
      const group = this.onPart(node, all);
      // Once where it is seen, and once through whatever lies before it.
      for (const [opacity, depthTest, order] of [[0.85, true, 5], [0.3, false, 6]] as const) {
        const mesh = new Mesh(geometry, new MeshBasicMaterial({
          color: colour, transparent: true, opacity, depthTest, depthWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1,
          polygonOffsetUnits: -2,
        }));
        mesh.renderOrder = order;
        mesh.frustumCulled = false;
        group.add(mesh);
      }
    }
    return all;
  }

  private dots(state: Readonly<State>): Object3D | null {
    const colours = this.colours(state);
    const clash = shownClash(state);
    const contacts = clash ? [] : (state.proof?.contacts ?? []).slice(0, kMostDots);
    const shown = state.contactShown === null ? undefined : state.proof?.contacts[state.contactShown];
    const places = contacts.map((contact) => ({ point: contact.point, colour: contact.allowed ? colours.allowed : colours.contact, size: contact === shown ? 15 : 8 }));
    if (clash?.hasPoint) places.push({ point: clash.point, colour: colours.contact, size: 15 });
    if (places.length === 0) return null;
    const all = new Group();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(places.flatMap(({ point }) => [...point])), 3));
    geometry.setAttribute('tone', new BufferAttribute(new Float32Array(places.flatMap(({ colour }) => colour.toArray())), 3));
    geometry.setAttribute('size', new BufferAttribute(new Float32Array(places.map(({ size }) => size)), 1));
    const points = new Points(geometry, dotMaterial(this.pixel, colours.rim));
    points.renderOrder = 8;
    points.frustumCulled = false;
    all.add(points);
    if (shown && !clash) all.add(this.needle(shown, colours));
    return all;
  }

  /** A line along the normal of a contact, as long as the overlap is thick where that can be seen. */
  private needle(contact: PathContact, colours: Colours): Object3D {
    const whole = this.app.view.sceneBox().getSize(new Vector3()).length();
    const thickness = Number.isFinite(contact.thicknessUpper) ? contact.thicknessUpper : 0;
    const half = Math.max(thickness, 0.03 * whole) / 2;
    const from = new Vector3(...contact.point).addScaledVector(new Vector3(...contact.normal), -half);
    const to = new Vector3(...contact.point).addScaledVector(new Vector3(...contact.normal), half);
    return lines(new Float32Array([...from.toArray(), ...to.toArray()]), colours.contact, 1, false);
  }

  private volumes(state: Readonly<State>): Object3D | null {
    const { volumes } = state;
    if (!volumes || volumes.lines.length === 0) return null;
    const all = new Group();
    const colour = this.colours(state).volume;
    const group = this.onPart(volumes.node, all);
    group.add(lines(volumes.lines, colour, 0.9, true), lines(volumes.lines, colour, 0.16, false));
    return all;
  }

  private open(state: Readonly<State>): Object3D | null {
    const { openPairs, openPairsOn } = state;
    if (!openPairsOn || !openPairs || openPairs.lines.length === 0) return null;
    return lines(openPairs.lines, this.colours(state).open, 0.75, false);
  }

  private onPart(node: NodeId, parent: Object3D): Group {
    const group = new Group();
    group.matrixAutoUpdate = false;
    parent.add(group);
    this.onParts.push({ node, group });
    return group;
  }

  private replace(name: 'faces' | 'dots' | 'volumes' | 'open', object: Object3D | null): void {
    const old = this.made.get(name);
    if (!old && !object) return;
    if (old) dispose(old);
    this.made.delete(name);
    if (object) {
      this.made.set(name, object);
      this.root.add(object);
    }
    this.follow();
    this.app.stage.invalidate();
  }

  /** Puts what is drawn in frames of parts where these are, and forgets what is gone. */
  private follow(): void {
    for (let i = this.onParts.length - 1; i >= 0; --i) {
      const { node, group } = this.onParts[i]!;
      let top: Object3D = group;
      while (top.parent) top = top.parent;
      const part = this.app.view.parts.parts.get(node);
      if (top === group || top !== this.app.stage.scene) {
        this.onParts.splice(i, 1);
        continue;
      }
      group.visible = part !== undefined;
      if (!part) continue;
      group.matrix.copy(part.group.matrix);
      group.matrixWorldNeedsUpdate = true;
    }
  }

  private colours(state: Readonly<State>): Colours {
    return kColours[isDark(state.theme) ? 'dark' : 'light'];
  }
}

function shownClash(state: Readonly<State>): ClashRow | undefined {
  if (state.clashShown === null || state.panel !== 'clashes') return undefined;
  return state.clashTable?.rows.find((row) => pairKey(row) === state.clashShown);
}

function lines(ends: Float32Array, color: Color, opacity: number, depthTest: boolean): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(ends, 3));
  const made = new LineSegments(geometry, new LineBasicMaterial({ color, transparent: true, opacity, depthTest, depthWrite: false }));
  made.renderOrder = 7;
  made.frustumCulled = false;
  return made;
}

/** Round dots with a rim, of the same size near and far. */
function dotMaterial(pixel: { value: number }, rim: Color): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { pixel, rim: { value: rim } },
    vertexShader: `
      attribute vec3 tone; attribute float size;
      uniform float pixel;
      varying vec3 vTone; varying float vSize;
      void main() {
        vTone = tone;
        vSize = size;
        gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
        gl_PointSize = (size + 4.0) * pixel;
      }`,
    fragmentShader: `
      uniform vec3 rim;
      varying vec3 vTone; varying float vSize;
      void main() {
        float r = length(gl_PointCoord - 0.5) * (vSize + 4.0);
        float outer = 0.5 * (vSize + 3.0);
        if (r > outer) discard;
        gl_FragColor = vec4(mix(vTone, rim, smoothstep(outer - 2.2, outer - 1.4, r)), 1.0);
        #include <colorspace_fragment>
      }`,
    transparent: true, depthTest: false, depthWrite: false,
  });
}
