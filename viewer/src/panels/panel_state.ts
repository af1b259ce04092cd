// SPDX-License-Identifier: Apache-2.0
// What the panels show, as part of the one state, and how it follows from messages.
import { notify } from '../inbox';
import type { Inbox } from '../inbox';
import { kNone } from '../protocol';
import type {
  Budget, ClashRow, ClashTable, FaceShape, OpenPairs, PathContact, Proved, Recording, Task, TaskProgress, Timeline, Tree, TreeChoices,
  Volumes,
} from '../protocol';
import type { AppStore } from '../state';

export interface PanelState {
  recording: Recording | null;
  proof: Proved | null;
  tasks: Readonly<Partial<Record<Task, TaskProgress>>>;
  timeline: Timeline | null;  // null: there is nothing to be played
  position: number;
  playing: number;            // speed at which the server plays; 0: it stands
  scrubTo: number | null;     // where the hand on the scrubber is
  playSpeed: number;          // requested by Play
  contactShown: number | null;  // of proof.contacts
  budget: Budget | null;
  steps: readonly number[];   // milliseconds of the last steps, oldest first
  volumes: Volumes | null;
  openPairs: OpenPairs | null;
  openPairsOn: boolean;
  tree: Tree | null;
  treeChoices: TreeChoices | null;
  clashTable: ClashTable | null;
  clashShown: string | null;  // pairKey of a row
  faces: ReadonlyMap<string, FaceShape>;  // by faceKey
  animationFile: string;  // the last one that was saved; empty: none
}

export const kStepsKept = 180;

export function initialPanelState(): PanelState {
  return {
    recording: null, proof: null, tasks: {}, timeline: null, position: 0, playing: 0, scrubTo: null, playSpeed: 1,
    contactShown: null, budget: null, steps: [], volumes: null, openPairs: null, openPairsOn: false, tree: null,
    treeChoices: null, clashTable: null, clashShown: null, faces: new Map(),
    animationFile: '',
  };
}

export function faceKey(node: number, face: number): string {
  return `${node}:${face}`;
}

export function pairKey(row: Pick<ClashRow, 'a' | 'b'>): string {
  return `${row.a}:${row.b}`;
}

/** The faces of a contact that are known. */
export function facesOf(contact: Pick<PathContact, 'a' | 'b' | 'faceA' | 'faceB'>): { node: number; face: number }[] {
  return [{ node: contact.a, face: contact.faceA }, { node: contact.b, face: contact.faceB }]
    .filter(({ node, face }) => node !== kNone && face !== kNone);
}

const kMostFaces = 400;  // whose shapes are kept

export function handlePanelMessages(inbox: Inbox, store: AppStore): void {
  inbox.on('Hello', () => { store.update(initialPanelState()); });
  inbox.on('Recording', (recording) => { store.update({ recording }); });
  inbox.on('TaskProgress', (progress) => {
    store.update({ tasks: { ...store.get().tasks, [progress.task]: progress } });
  });
  inbox.on('Proved', (proof) => { store.update({ proof, contactShown: null }); });
  inbox.on('Timeline', (timeline) => {
    // What was proved was another motion; an answer about this one follows.
    const none = timeline.keys.length === 0;
    store.update({ timeline: none ? null : timeline, proof: null, contactShown: null, scrubTo: null, playing: 0, position: timeline.start });
  });
  inbox.on('Position', ({ value, speed }) => { store.update({ position: value, playing: speed }); });
  inbox.on('Budget', (budget) => {
    const { steps } = store.get();
    store.update({ budget, steps: [...steps, budget.used].slice(-kStepsKept) });
  });
  inbox.on('Volumes', (volumes) => { store.update({ volumes: volumes.level === kNone ? null : volumes }); });
  inbox.on('OpenPairs', (openPairs) => { store.update({ openPairs }); });
  // The open pairs belong to the held part.
  inbox.on('Roles', ({ holder }) => { if (holder === 0) store.update({ openPairs: null }); });
  inbox.on('Tree', (tree) => { store.update({ tree }); });
  inbox.on('TreeChoices', (treeChoices) => { store.update({ treeChoices }); });
  inbox.on('ClashTable', (clashTable) => { store.update({ clashTable }); });
  inbox.on('Saved', ({ what, file }) => {
    if (what === 'animation') store.update({ animationFile: file });
    notify(store, 'remark', `Saved: ${file}`);
  });
  inbox.on('FaceShape', (shape) => {
    const faces = [...store.get().faces, [faceKey(shape.node, shape.face), shape] as const];
    store.update({ faces: new Map(faces.slice(-kMostFaces)) });
  });
}

/** Whether a task runs; `running` is false when it ended. */
export function isRunning(state: Pick<PanelState, 'tasks'>, task: Task): boolean {
  return state.tasks[task]?.running ?? false;
}
