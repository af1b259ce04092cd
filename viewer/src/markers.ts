// SPDX-License-Identifier: Apache-2.0
// Arrows, dots and lines over the scene. They are as large in the picture however far one zooms, and
// are seen through parts.
import {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, Object3D, Quaternion, SphereGeometry, Vector3,
} from 'three';

const kUp = new Vector3(0, 1, 0);
const kOrder = 2e6;

export interface ArrowData {
  point: Vector3;   // where its tip is
  way: Vector3;     // direction and length, in the world
}

/** Any number of arrows of one colour. */
export class Arrows {
  readonly root = new Group();
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
  private readonly shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
  private readonly head = new ConeGeometry(1, 1, 20).translate(0, -0.5, 0);

  setColour(colour: Color): void {
    this.material.color.copy(colour);
  }

  /** `width` is the radius of a shaft. */
  show(arrows: readonly ArrowData[], width: number): void {
    while (this.root.children.length < arrows.length) {
      const arrow = new Group();
      for (const geometry of [this.shaft, this.head]) {
        const mesh = new Mesh(geometry, this.material);
        mesh.renderOrder = kOrder;
        arrow.add(mesh);
      }
      this.root.add(arrow);
    }
    this.root.children.forEach((arrow, i) => {
      const data = arrows[i];
      arrow.visible = data !== undefined;
      if (!data) return;
      const length = data.way.length();
      const tip = Math.min(6 * width, 0.6 * length);
      arrow.quaternion.copy(new Quaternion().setFromUnitVectors(kUp, data.way.clone().divideScalar(length || 1)));
      arrow.position.copy(data.point);
      const [shaft, head] = arrow.children as [Object3D, Object3D];
      shaft.position.set(0, -length, 0);
      shaft.scale.set(width, Math.max(length - 0.8 * tip, 1e-12), width);
      head.scale.set(2.6 * width, tip, 2.6 * width);
    });
  }
}

/** Any number of dots of one colour. */
export class Dots {
  readonly root = new Group();
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly ball = new SphereGeometry(1, 20, 14);

  setColour(colour: Color): void {
    this.material.color.copy(colour);
  }

  show(points: readonly Vector3[], radius: number): void {
    while (this.root.children.length < points.length) {
      const dot = new Mesh(this.ball, this.material);
      dot.renderOrder = kOrder;
      this.root.add(dot);
    }
    this.root.children.forEach((dot, i) => {
      const point = points[i];
      dot.visible = point !== undefined;
      if (!point) return;
      dot.position.copy(point);
      dot.scale.setScalar(radius);
    });
  }
}

/** Segments between pairs of points, with `seenThrough` also behind parts. */
export class Lines {
  readonly root: LineSegments;
  private readonly material: LineBasicMaterial;

  constructor(seenThrough = true) {
    this.material = new LineBasicMaterial({ depthTest: !seenThrough, transparent: true });
    this.root = new LineSegments(new BufferGeometry(), this.material);
    this.root.frustumCulled = false;
    this.root.renderOrder = kOrder;
  }

  setColour(colour: Color): void {
    this.material.color.copy(colour);
  }

  show(points: readonly Vector3[]): void {
    this.showNumbers(new Float32Array(points.flatMap((p) => p.toArray())));
  }

  /** Six numbers a segment. */
  showNumbers(numbers: Float32Array): void {
    this.root.geometry.dispose();
    this.root.geometry = new BufferGeometry();
    this.root.geometry.setAttribute('position', new BufferAttribute(numbers, 3));
    this.root.visible = numbers.length > 0;
  }
}
