// SPDX-License-Identifier: Apache-2.0
// The section plane: parts are cut by their shader; what is left open is closed by hatched caps, and
// outlined where the plane cuts triangles. Caps need closed meshes, outlines do not.
import {
  AlwaysStencilFunc, BackSide, Box3, BufferAttribute, BufferGeometry, DecrementWrapStencilOp, DoubleSide, DynamicDrawUsage,
  FrontSide, Group, IncrementWrapStencilOp, LineBasicMaterial, LineSegments, Matrix4, Mesh, NotEqualStencilFunc,
  PlaneGeometry, Quaternion, ShaderMaterial, Vector3, ZeroStencilOp,
} from 'three';
import type { Side, StencilOp } from 'three';
import { kShadedLayer } from './ambient';
import type { SharedUniforms } from './materials';
import type { Palette } from './palette';
import type { Part, Parts } from './parts';
import type { Section } from './state';

export class SectionView {
  readonly root = new Group();
  private readonly normal = new Vector3(1, 0, 0);
  private offset = 0;
  private isOn = false;
  private show: Section['show'] = 'both';
  private stale = true;
  private readonly caps = new Group();
  private readonly outlines: LineSegments;
  private readonly outlineMaterial = new LineBasicMaterial();
  private readonly middle = new Vector3();
  private size = 1;
  private readonly fills = new Map<Part, Mesh>();

  constructor(private readonly parts: Parts, private readonly shared: SharedUniforms) {
    this.outlines = new LineSegments(new BufferGeometry(), this.outlineMaterial);
    this.outlines.frustumCulled = false;
    this.outlines.renderOrder = 1e6;
    this.root.add(this.caps, this.outlines);
  }

  set(section: Section, box: Box3, palette: Palette): void {
    this.isOn = section.on && !box.isEmpty();
    this.show = section.show;
    const sign = section.flip ? -1 : 1;
    this.normal.set(0, 0, 0)[section.axis] = sign;
    const at = box.isEmpty() ? 0 : box.min[section.axis] + section.offset * (box.max[section.axis] - box.min[section.axis]);
    this.offset = sign * at;
    if (!box.isEmpty()) {
      box.getCenter(this.middle);
      this.size = box.getSize(new Vector3()).length();
    }
    this.shared.sectioned.value = this.isOn ? 1 : 0;
    this.shared.plane.value.set(this.normal.x, this.normal.y, this.normal.z, this.offset);
    this.outlineMaterial.color.copy(palette.edge);
    this.root.visible = this.isOn;
    this.dirty();
  }

  /** Forgets the caps of parts that are no more. */
  reset(): void {
    this.caps.clear();
    for (const fill of this.fills.values()) (fill.material as ShaderMaterial).dispose();
    this.fills.clear();
    this.dirty();
  }

  /** Parts moved, came or went: caps and outlines are made again before the next picture. */
  dirty(): void {
    this.stale = true;
  }

  cutsAway(point: Vector3): boolean {
    return this.isOn && this.normal.dot(point) > this.offset;
  }

  update(): void {
    if (!this.isOn || !this.stale) return;
    this.stale = false;
    this.updateOutlines();
    this.updateCaps();
  }

  private crosses(part: Part): boolean {
    if (!part.visible) return false;
    const box = part.box();
    const corner = new Vector3();
    let below = false;
    let above = false;
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
      if (this.normal.dot(corner) > this.offset) above = true;
      else below = true;
    }
    return below && above;
  }

  private updateOutlines(): void {
    const points: number[] = [];
    const world = new Vector3();
    if (this.show !== 'caps') {
      for (const part of this.parts.parts.values()) {
        if (!this.crosses(part)) continue;
        // The plane in the frame of the part: n·(R x + t) = d.
        const inverse = new Matrix4().copy(part.group.matrix).invert();
        const normal = this.normal.clone().transformDirection(inverse);
        const d = this.offset - this.normal.dot(world.setFromMatrixPosition(part.group.matrix));
        const from = points.length;
        for (const { chunk } of this.parts.piecesOf(part)) chunk.cut(normal.toArray(), d, points);
        for (let i = from; i < points.length; i += 3) {
          world.set(points[i]!, points[i + 1]!, points[i + 2]!).applyMatrix4(part.group.matrix);
          world.addScaledVector(this.normal, 1e-4 * this.size);  // before the cap
          points[i] = world.x;
          points[i + 1] = world.y;
          points[i + 2] = world.z;
        }
      }
    }
    this.outlines.geometry.dispose();
    this.outlines.geometry = new BufferGeometry();
    const attribute = new BufferAttribute(new Float32Array(points), 3);
    attribute.setUsage(DynamicDrawUsage);
    this.outlines.geometry.setAttribute('position', attribute);
  }

  /** Each part counts in the stencil buffer how often it is entered and left behind the plane; where
   * that does not cancel, the plane is inside, and a square paints it and clears the count. */
  private updateCaps(): void {
    this.caps.clear();
    if (this.show === 'outlines') return;
    let order = 10;
    for (const part of this.parts.parts.values()) {
      if (!part.info.closed || !this.crosses(part)) continue;
      for (const { geometry, matrix } of this.parts.solidOf(part)) {
        for (const material of [this.counters.back, this.counters.front]) {
          const mesh = new Mesh(geometry, material);
          mesh.matrixAutoUpdate = false;
          mesh.matrix.copy(matrix);
          mesh.renderOrder = order;
          mesh.layers.enable(kShadedLayer);
          this.caps.add(mesh);
        }
      }
      const cap = this.fills.get(part) ?? this.makeFill(part);
      cap.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.normal));
      cap.position.copy(this.middle).addScaledVector(this.normal, this.offset - this.normal.dot(this.middle));
      cap.scale.setScalar(1.5 * this.size);
      cap.renderOrder = order + 1;
      this.caps.add(cap);
      order += 2;
    }
  }

  private get counters(): { back: ShaderMaterial; front: ShaderMaterial } {
    this.made ??= { back: this.counter(BackSide, IncrementWrapStencilOp), front: this.counter(FrontSide, DecrementWrapStencilOp) };
    return this.made;
  }
  private made: { back: ShaderMaterial; front: ShaderMaterial } | undefined;

  private counter(side: Side, op: StencilOp): ShaderMaterial {
    return new ShaderMaterial({
      uniforms: { plane: this.shared.plane },
      vertexShader: `varying vec3 vWorld;
        void main() {
          vWorld = (modelMatrix * vec4(position, 1.0)).xyz;
          gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
        }`,
      fragmentShader: `uniform vec4 plane; varying vec3 vWorld;
        void main() { if (dot(plane.xyz, vWorld) > plane.w) discard; gl_FragColor = vec4(1.0); }`,
      side, colorWrite: false, depthWrite: false, depthTest: false,
      stencilWrite: true, stencilFunc: AlwaysStencilFunc, stencilFail: op, stencilZFail: op, stencilZPass: op,
    });
  }

  private makeFill(part: Part): Mesh {
    const material = new ShaderMaterial({
      uniforms: { colour: { value: part.colour }, angle: { value: hatchAngle(this.fills.size) }, ink: this.shared.edge },
      vertexShader: 'void main() { gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0)); }',
      fragmentShader: `uniform vec3 colour; uniform float angle; uniform vec3 ink;
        void main() {
          float along = gl_FragCoord.x * cos(angle) + gl_FragCoord.y * sin(angle);
          float line = smoothstep(3.4, 4.4, abs(mod(along, 9.0) - 4.5));
          gl_FragColor = vec4(mix(mix(colour, vec3(1.0), 0.18), ink, 0.42 * line), 1.0);
          #include <colorspace_fragment>
        }`,
      side: DoubleSide, stencilWrite: true, stencilRef: 0, stencilFunc: NotEqualStencilFunc,
      stencilFail: ZeroStencilOp, stencilZFail: ZeroStencilOp, stencilZPass: ZeroStencilOp,
    });
    const mesh = new Mesh(kSquare, material);
    mesh.frustumCulled = false;
    mesh.layers.enable(kShadedLayer);
    this.fills.set(part, mesh);
    return mesh;
  }
}

const kSquare = new PlaneGeometry(1, 1);

/** Neighbours in an assembly are hatched in other directions, as on drawings. */
function hatchAngle(number: number): number {
  return [Math.PI / 4, -Math.PI / 4, Math.PI / 6, -Math.PI / 3, Math.PI / 3, -Math.PI / 6][number % 6]!;
}

