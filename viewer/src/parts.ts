// SPDX-License-Identifier: Apache-2.0
// The parts in the scene: their chunks, where they are, and how they are shown.
import {
  Box3, BufferAttribute, BufferGeometry, Color, Group, LineSegments, Matrix4, Mesh, Quaternion, Ray, Sphere, Vector3,
} from 'three';
import { kShadedLayer } from './ambient';
import { Chunk } from './chunk';
import type { Hit } from './chunk';
import { PartMaterial, edgeMaterial } from './materials';
import type { SharedUniforms } from './materials';
import { partColour } from './palette';
import type { Mesh as MeshInfo, MeshChunk, Pose } from './protocol';
import type { NodeId, SceneNode, Spot } from './state';

/** One chunk as the graphics card has it; parts with the same mesh share it. */
interface Piece {
  chunk: Chunk;
  number: number;  // of the chunk in its mesh
  faces: BufferGeometry;
  edges: BufferGeometry | null;
  toMesh: Matrix4;  // from the unit box of the positions to the frame of the mesh
  box: Box3;        // in the frame of the mesh
}

export interface PartLook {
  visible: boolean;
  glass: boolean;
  edges: boolean;
  tint: number;
  alarm: number;
}

export class Part {
  readonly group = new Group();
  readonly material: PartMaterial;
  readonly colour: Color;
  readonly pose = new Matrix4();   // where the server says it is
  readonly offset = new Vector3(); // by which it is displaced in the picture: exploded
  private readonly edgeStrength = { value: 0.5 };
  private readonly edgeTint = { value: 0 };
  private readonly edges;
  private readonly edgeLines: LineSegments[] = [];
  private readonly meshes: Mesh[] = [];
  visible = true;

  constructor(readonly node: SceneNode, readonly info: MeshInfo, shared: SharedUniforms) {
    this.colour = partColour(node);
    this.material = new PartMaterial(shared, this.colour.clone());
    this.edges = edgeMaterial(shared, { strength: this.edgeStrength, tint: this.edgeTint });
    this.group.matrixAutoUpdate = false;
    this.setPose(node.pose);
  }

  setPose(pose: Pose): void {
    poseMatrix(pose, this.pose);
    this.place();
  }

  setOffset(offset: Vector3): void {
    this.offset.copy(offset);
    this.place();
  }

  add(piece: Piece): void {
    const flat = !piece.faces.getAttribute('octahedral');
    const mesh = new Mesh(piece.faces, flat ? this.material.flat : this.material.smooth);
    mesh.layers.enable(kShadedLayer);
    this.meshes.push(mesh);
    const children: (Mesh | LineSegments)[] = [mesh];
    if (piece.edges) {
      const lines = new LineSegments(piece.edges, this.edges);
      lines.renderOrder = 1;
      this.edgeLines.push(lines);
      children.push(lines);
    }
    for (const child of children) {
      child.matrixAutoUpdate = false;
      child.matrix.copy(piece.toMesh);
      this.group.add(child);
    }
  }

  show(look: PartLook): void {
    this.visible = look.visible;
    this.group.visible = look.visible;
    this.material.set({ colour: this.colour, glass: look.glass ? 1 : 0, tint: look.tint, alarm: look.alarm });
    this.edgeStrength.value = look.glass ? 0.28 : 0.5;
    this.edgeTint.value = look.tint > 0.6 ? 1 : 0;
    for (const lines of this.edgeLines) lines.visible = look.edges;
    for (const mesh of this.meshes) {
      if (look.glass) mesh.layers.disable(kShadedLayer);
      else mesh.layers.enable(kShadedLayer);
    }
  }

  /** Of its mesh, as it stands in the picture. */
  box(): Box3 {
    return new Box3(new Vector3(...this.info.lo), new Vector3(...this.info.hi)).applyMatrix4(this.group.matrix);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.material.dispose();
    this.edges.dispose();
  }

  private place(): void {
    this.group.matrix.copy(this.pose);
    const e = this.group.matrix.elements;
    e[12]! += this.offset.x;
    e[13]! += this.offset.y;
    e[14]! += this.offset.z;
    this.group.matrixWorldNeedsUpdate = true;
  }
}

export class Parts {
  readonly root = new Group();
  readonly parts = new Map<NodeId, Part>();
  private readonly pieces = new Map<number, Piece[]>();  // by mesh

  constructor(private readonly shared: SharedUniforms) {
    this.root.name = 'parts';
  }

  /** Begins anew with other nodes; chunks follow. */
  reset(nodes: Iterable<SceneNode>, meshes: ReadonlyMap<number, MeshInfo>): void {
    for (const part of this.parts.values()) part.dispose();
    for (const pieces of this.pieces.values()) for (const piece of pieces) disposePiece(piece);
    this.parts.clear();
    this.pieces.clear();
    for (const node of nodes) {
      const info = meshes.get(node.mesh);
      if (!info) continue;
      const part = new Part(node, info, this.shared);
      this.parts.set(node.id, part);
      this.root.add(part.group);
    }
  }

  addChunk(message: MeshChunk): void {
    const piece = makePiece(message);
    const pieces = this.pieces.get(message.mesh) ?? [];
    pieces.push(piece);
    this.pieces.set(message.mesh, pieces);
    for (const part of this.parts.values()) if (part.node.mesh === message.mesh) part.add(piece);
  }

  piecesOf(part: Part): readonly { chunk: Chunk; box: Box3; toMesh: Matrix4 }[] {
    return this.pieces.get(part.node.mesh) ?? [];
  }

  /** The faces of a part as they stand in the picture. */
  solidOf(part: Part): { geometry: BufferGeometry; toMesh: Matrix4; matrix: Matrix4 }[] {
    return (this.pieces.get(part.node.mesh) ?? []).map((piece) => (
      { geometry: piece.faces, toMesh: piece.toMesh, matrix: new Matrix4().multiplyMatrices(part.group.matrix, piece.toMesh) }));
  }

  /** The first visible face that a ray meets at a point that is not cut away. */
  raycast(ray: Ray, cutAway: (point: Vector3) => boolean): Spot | null {
    let best: { part: Part; chunk: Chunk; hit: Hit; distance: number } | null = null;
    const local = new Ray();
    const inverse = new Matrix4();
    const where = new Vector3();
    const sphere = new Sphere();
    for (const part of this.parts.values()) {
      if (!part.visible) continue;
      part.box().getBoundingSphere(sphere);
      if (!ray.intersectsSphere(sphere)) continue;
      local.copy(ray).applyMatrix4(inverse.copy(part.group.matrix).invert());
      for (const piece of this.pieces.get(part.node.mesh) ?? []) {
        if (!local.intersectsBox(piece.box)) continue;
        // The part's frame is not scaled: distances along the ray equal distances in the world.
        let from = 0;
        for (;;) {
          const hit = piece.chunk.raycast(local.origin.toArray(), local.direction.toArray(), from, best?.distance ?? Infinity);
          if (!hit) break;
          if (cutAway(ray.at(hit.distance, where))) {
            from = hit.distance;
            continue;
          }
          best = { part, chunk: piece.chunk, hit, distance: hit.distance };
          break;
        }
      }
    }
    if (!best) return null;
    const normal = new Vector3(...best.chunk.sample(best.hit.triangle).normal).transformDirection(best.part.group.matrix);
    return { node: best.part.node.id, point: ray.at(best.distance, where).toArray(), normal: normal.toArray(), chunk: best.chunk, triangle: best.hit.triangle };
  }

  /** Of these nodes' parts that are visible, or of all. */
  box(nodes?: ReadonlySet<NodeId>): Box3 {
    const box = new Box3();
    for (const [id, part] of this.parts) if (part.visible && (!nodes || nodes.has(id))) box.union(part.box());
    return box;
  }
}

export function poseMatrix(pose: Pose, out = new Matrix4()): Matrix4 {
  const [w, x, y, z] = pose.rotation;
  return out.compose(new Vector3(...pose.translation), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
}

function makePiece(message: MeshChunk): Piece {
  const { lo, hi } = message;
  const size = [0, 1, 2].map((k) => hi[k]! - lo[k]!);
  const largest = Math.max(...size, 1e-30);
  // A flat box keeps a little of depth, else its normals would have no direction.
  const toMesh = new Matrix4().makeScale(...(size.map((s) => Math.max(s, 1e-7 * largest)) as [number, number, number]));
  toMesh.setPosition(...lo);

  const positions = new BufferAttribute(message.positions, 3, true);
  const faces = new BufferGeometry();
  faces.setAttribute('position', positions);
  if (message.normals.length > 0) faces.setAttribute('octahedral', new BufferAttribute(message.normals, 2, true));
  faces.setIndex(new BufferAttribute(message.indices, 1));
  faces.boundingBox = new Box3(new Vector3(0, 0, 0), new Vector3(1, 1, 1));
  faces.boundingSphere = faces.boundingBox.getBoundingSphere(new Sphere());
  let edges: BufferGeometry | null = null;
  if (message.edges.length > 0) {
    edges = new BufferGeometry();
    edges.setAttribute('position', positions);
    edges.setIndex(new BufferAttribute(message.edges, 1));
    edges.boundingBox = faces.boundingBox;
    edges.boundingSphere = faces.boundingSphere;
  }
  return {
    chunk: new Chunk(message), number: message.chunk, faces, edges, toMesh,
    box: new Box3(new Vector3(...lo), new Vector3(...hi)),
  };
}

function disposePiece(piece: Piece): void {
  piece.faces.dispose();
  piece.edges?.dispose();
}
