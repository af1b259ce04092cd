// SPDX-License-Identifier: Apache-2.0
// Computes the poses of all nodes from the poses that the server sends of moved nodes.
import type { NodePose, Pose, Vec3 } from './protocol';
import type { NodeId, SceneNode } from './state';

type Quaternion = Pose['rotation'];

function turned([w, x, y, z]: Quaternion, v: Vec3): Vec3 {
  // v + 2 q × (q × v + w v), q the vector part
  const a = y * v[2] - z * v[1] + w * v[0];
  const b = z * v[0] - x * v[2] + w * v[1];
  const c = x * v[1] - y * v[0] + w * v[2];
  return [v[0] + 2 * (y * c - z * b), v[1] + 2 * (z * a - x * c), v[2] + 2 * (x * b - y * a)];
}

function product(p: Quaternion, q: Quaternion): Quaternion {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

/** First b, then a. */
export function composed(a: Pose, b: Pose): Pose {
  const t = turned(a.rotation, b.translation);
  return {
    translation: [a.translation[0] + t[0], a.translation[1] + t[1], a.translation[2] + t[2]], rotation: product(a.rotation, b.rotation),
  };
}

export function inverse({ translation, rotation: [w, x, y, z] }: Pose): Pose {
  const back: Quaternion = [w, -x, -y, -z];
  const t = turned(back, translation);
  return { translation: [-t[0], -t[1], -t[2]], rotation: back };
}

/** Poses of the nodes listed, and of all their descendants: these keep their pose relative to the node
 * above them, as in the scene at the start. */
export function posesWithChildren(nodes: ReadonlyMap<NodeId, SceneNode>, items: readonly NodePose[]): Map<NodeId, Pose> {
  const poses = new Map<NodeId, Pose>(items.map(({ node, pose }) => [node, pose]));
  const listed = new Set(poses.keys());
  for (const { node } of items) {
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const above = nodes.get(next);
      const pose = poses.get(next);
      if (!above || !pose || above.children.length === 0) continue;
      const change = composed(pose, inverse(above.pose));
      for (const id of above.children) {
        const child = nodes.get(id);
        if (!child || listed.has(id)) continue;
        poses.set(id, composed(change, child.pose));
        open.push(id);
      }
    }
  }
  return poses;
}
