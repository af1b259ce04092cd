// SPDX-License-Identifier: Apache-2.0
// The single state. Everything that is drawn, in the scene or beside it, is drawn from it.
import type {
  Clashes, Held, Hello, History, Level, Measured, Mesh as MeshInfo, Mode, Node as NodeInfo, Pose, Roles,
} from './protocol';
import type { Chunk } from './chunk';
import { initialPanelState } from './panels/panel_state';
import type { PanelState } from './panels/panel_state';
import type { Store } from './store';
import type { Theme } from './theme';

export type NodeId = number;
export type Connection = 'connecting' | 'open' | 'lost' | 'refused';
export type Tool = 'look' | 'grab' | 'measure';
export type Axis = 'x' | 'y' | 'z';

/** What the hand may do with the part: anything, move along an axis of the world, move in the plane
 * across it, or turn about a line. */
export type Constraint =
  | { kind: 'none' }
  | { kind: 'axis'; axis: Axis }
  | { kind: 'plane'; axis: Axis }
  | { kind: 'turn' };

/** A line of the world that a part turns about, fixed to the part where it was picked. */
export interface TurnAxis {
  node: NodeId;
  point: readonly [number, number, number];      // in the frame of the node
  direction: readonly [number, number, number];  // likewise, of unit length
  source: 'cylinder' | 'plane' | 'shape';
}

export interface Section {
  on: boolean;
  axis: Axis;
  offset: number;  // share of the path through the scene, 0 to 1
  flip: boolean;
  show: 'caps' | 'outlines' | 'both';
}

export interface SceneNode extends NodeInfo {
  children: NodeId[];
}

/** Where a part is pointed at or was clicked. */
export interface Spot {
  node: NodeId;
  point: readonly [number, number, number];   // in the world
  normal: readonly [number, number, number];  // of the triangle, in the world
  chunk: Chunk;
  triangle: number;                           // of the chunk
}

export interface State extends PanelState {
  connection: Connection;
  reason: string;  // why the connection was refused or lost
  retryAfter: number;  // milliseconds until it is tried again, the more the longer it is lost
  hello: Hello | null;
  nodes: ReadonlyMap<NodeId, SceneNode>;
  roots: readonly NodeId[];
  meshes: ReadonlyMap<number, MeshInfo>;
  chunksLeft: number;  // of meshes, that are still to come
  poses: Map<NodeId, Pose>;  // changed in place, at the rate of the server
  moved: ReadonlySet<NodeId>;  // nodes that are not at the scene's original pose
  time: number;
  step: number;

  selection: ReadonlySet<NodeId>;
  hover: Spot | null;
  hidden: ReadonlySet<NodeId>;
  isolated: ReadonlySet<NodeId> | null;
  transparent: ReadonlySet<NodeId>;
  explode: number;  // 0: as it is, 1: parts as far apart as the scene is large
  edges: boolean;
  parallel: boolean;
  section: Section;
  theme: Theme;
  search: string;

  tool: Tool;
  mode: Mode;
  constraint: Constraint;
  turnAxis: TurnAxis | null;
  pitch: number;  // how far a turn moves the part along the axis, per revolution
  speed: number;  // of the hand: how far the part moves for a movement of the pointer
  grabbed: NodeId | null;
  handPose: Pose | null;  // where the hand is, which a part that is held back does not reach
  held: Held | null;
  clashes: Clashes | null;
  roles: Roles | null;
  history: History | null;

  latency: number;  // milliseconds from the hand's move to the pose that answers it

  measureFrom: NodeId | null;
  measured: Measured | null;

  panel: string | null;  // the open one of the registered panels
  help: boolean;
  treeOpen: boolean;
  notices: readonly Notice[];
}

export interface Notice {
  id: number;
  level: Level;
  text: string;
}

export type AppStore = Store<State>;

export function initialState(): State {
  return {
    connection: 'connecting', reason: '', retryAfter: 0, hello: null,
    nodes: new Map(), roots: [], meshes: new Map(), chunksLeft: 0,
    poses: new Map(), moved: new Set(), time: 0, step: 0,
    selection: new Set(), hover: null, hidden: new Set(), isolated: null, transparent: new Set(),
    explode: 0, edges: true, parallel: false,
    section: { on: false, axis: 'x', offset: 0.5, flip: false, show: 'both' },
    theme: 'auto', search: '',
    tool: 'grab', mode: 'contact', constraint: { kind: 'none' }, turnAxis: null, pitch: 0, speed: 1,
    grabbed: null, handPose: null, held: null, clashes: null, roles: null, history: null,
    latency: 0,
    measureFrom: null, measured: null,
    panel: null, help: false, treeOpen: true, notices: [],
    ...initialPanelState(),
  };
}
