// SPDX-License-Identifier: Apache-2.0
// Commands of time: play, slow, single step, and from contact to contact.
import { Box3, Vector3 } from 'three';
import type { App } from '../app';
import { kNone } from '../protocol';
import type { State } from '../state';
import { neighbour } from './chart';
import { faceKey, facesOf } from './panel_state';

export const kSpeeds = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10] as const;

const hasTime = (state: Readonly<State>) => state.timeline !== null && state.grabbed === null;
const hasContacts = (state: Readonly<State>) => (state.proof?.contacts.length ?? 0) > 0;

/** The position that is shown: the hand's while it is on the scrubber, else the server's. */
export function placeOf(state: Readonly<State>): number {
  return state.scrubTo ?? state.position;
}

/** The next of kSpeeds, faster or slower. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const others = direction === 1 ? kSpeeds.filter((s) => s > speed) : kSpeeds.filter((s) => s < speed).reverse();
  return others[0] ?? speed;
}

export function togglePlay(app: App): void {
  const { timeline, playing, playSpeed, position } = app.store.get();
  if (!timeline) return;
  if (playing === 0 && position >= timeline.end) scrub(app, timeline.start);
  app.send({ kind: 'Play', speed: playing === 0 ? playSpeed : 0 });
}

export function setSpeed(app: App, playSpeed: number): void {
  app.store.update({ playSpeed });
  if (app.store.get().playing !== 0) app.send({ kind: 'Play', speed: playSpeed });
}

/** Goes to a position. It is shown at once; the world follows. */
export function scrub(app: App, value: number): void {
  const { timeline } = app.store.get();
  if (!timeline) return;
  const place = Math.min(timeline.end, Math.max(timeline.start, value));
  app.store.update({ position: place });
  app.send({ kind: 'Scrub', value: place });
}

/** Requests the shapes of faces that are not here yet. */
export function askFaces(app: App, contacts: readonly Parameters<typeof facesOf>[0][]): void {
  const { faces } = app.store.get();
  const asked = new Set(faces.keys());
  for (const { node, face } of contacts.flatMap(facesOf)) {
    const key = faceKey(node, face);
    if (asked.has(key)) continue;
    asked.add(key);
    app.send({ kind: 'AskFace', node, face });
  }
}

/** Goes to a contact of the path: in time, and with the eye. */
export function showContact(app: App, number: number | null): void {
  const contact = number === null ? undefined : app.store.get().proof?.contacts[number];
  app.store.update({ contactShown: contact ? number : null });
  if (!contact) return;
  if (app.store.get().playing !== 0) app.send({ kind: 'Play', speed: 0 });
  scrub(app, contact.sUpper);
  askFaces(app, [contact]);
  lookAt(app, contact.point, contact.a, contact.b);
}

/** Flies near a point of the world, so near that the smaller of two parts fills the picture. */
export function lookAt(app: App, point: readonly number[], a: number, b: number): void {
  const sizes = [a, b].filter((id) => id !== kNone).map((id) => app.view.parts.box(new Set([id])).getSize(new Vector3()).length());
  const whole = app.view.sceneBox().getSize(new Vector3()).length();
  const size = Math.max(whole * 0.02, Math.min(whole * 0.6, ...sizes.filter((s) => s > 0)));
  app.view.flyTo(new Box3().setFromCenterAndSize(new Vector3(point[0], point[1], point[2]), new Vector3().setScalar(size * 0.6)));
}

export function addPlayCommands(app: App): void {
  const { store, commands } = app;
  commands.add(
    { id: 'play.toggle', title: 'Play or pause', group: 'Time', keys: ['Space'], enabled: hasTime, run: () => { togglePlay(app); } },
    {
      id: 'play.back', title: 'One step back', group: 'Time', keys: ['Shift+d'], enabled: hasTime,
      run: () => { app.send({ kind: 'Advance', keys: -1 }); },
    },
    {
      id: 'play.on', title: 'One step on', group: 'Time', keys: ['d'], enabled: hasTime,
      run: () => { app.send({ kind: 'Advance', keys: 1 }); },
    },
    {
      id: 'play.start', title: 'To the start', group: 'Time', keys: ['Ctrl+Home'], enabled: hasTime,
      run: () => { scrub(app, store.get().timeline?.start ?? 0); },
    },
    {
      id: 'play.slower', title: 'Slower', group: 'Time', keys: ['<'], enabled: hasTime,
      run: () => { setSpeed(app, nextSpeed(store.get().playSpeed, -1)); },
    },
    {
      id: 'play.faster', title: 'Faster', group: 'Time', keys: ['>'], enabled: hasTime,
      run: () => { setSpeed(app, nextSpeed(store.get().playSpeed, 1)); },
    },
    ...([['next', 'k', 1], ['previous', 'j', -1]] as const).map(([name, key, direction]) => ({
      id: `contact.${name}`, title: `The ${name} contact`, group: 'Time', keys: [key], enabled: hasContacts,
      run: () => {
        const state = store.get();
        const number = neighbour(state.proof?.contacts ?? [], state.contactShown, placeOf(state), direction);
        if (number !== null) showContact(app, number);
      },
    })),
  );
}
