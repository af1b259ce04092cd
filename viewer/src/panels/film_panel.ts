// SPDX-License-Identifier: Apache-2.0
// To take away: a picture of what is seen, the motion as pictures or as an animation for other programs.
import type { App } from '../app';
import { notify } from '../inbox';
import type { State } from '../state';
import { element, fill } from '../ui/dom';
import { button, note, numberField, progress, section } from './fields';
import { Arrival, filmPlaces, makeFilm } from './film';
import { grouped } from './figures';
import { fileNameError } from './names';
import { isRunning } from './panel_state';
import { scrub } from './playback';

const kPatience = 10000;  // milliseconds for the server to reach the position of one picture
const kMostFrames = 5000;

/** Hands a file to the user. */
export function download(name: string, pieces: Uint8Array<ArrayBuffer>[], type: string): void {
  const url = URL.createObjectURL(new Blob(pieces, { type }));
  element('a', { 'href': url, 'download': name }).click();
  setTimeout(() => { URL.revokeObjectURL(url); }, 60000);
}

/** What was opened, as the name of a file. */
export function fileStem(title: string): string {
  return title.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+|_+$/g, '').slice(0, 80) || 'touche';
}

/** Whether there is a motion to be saved, and none is being saved. */
export function canSaveAnimation(state: Readonly<State>): boolean {
  return state.timeline !== null && !isRunning(state, 'animation');
}

export function addFilmCommands(app: App): void {
  app.commands.add({
    id: 'film.animation', title: 'Save the motion as glTF', group: 'Time', keys: ['Shift+n'], enabled: canSaveAnimation,
    run: () => { app.send({ kind: 'SaveAnimation', name: '' }); },
  });
}

/** The motion as glTF. The server writes it, whose meshes are whole. */
function animationBlock(app: App): HTMLElement {
  const { store } = app;
  const input = element('input', {
    'type': 'text', 'maxlength': 100, 'placeholder': 'name, or none', 'aria-label': 'Name of the animation', 'spellcheck': false,
  });
  const complaint = element('span', { 'class': 'complaint', 'role': 'alert' });
  const save = () => {
    const name = input.value.trim();
    const wrong = name === '' ? null : fileNameError(name);
    complaint.textContent = wrong ?? '';
    if (wrong === null && canSaveAnimation(store.get())) app.send({ kind: 'SaveAnimation', name });
  };
  input.addEventListener('keydown', (event) => { if (event.key === 'Enter') save(); });
  const saveButton = button('Save as glTF', save, 'primary');
  const file = note();
  store.subscribe(['timeline', 'tasks', 'animationFile'], (state) => {
    saveButton.disabled = !canSaveAnimation(state);
    fill(file, ...(state.animationFile ? ['Saved as ', element('code', {}, state.animationFile)] : []));
    file.hidden = state.animationFile === '';
  });
  return section('Animation', note('The motion with all parts as keyframes, for Blender, game engines and other viewers. It is saved beside what was opened.'),
    element('div', { 'class': 'save-row' }, input, saveButton, complaint), progress(app, 'animation', 'part'), file);
}

export function buildFilmPanel(app: App): HTMLElement {
  const { store, inbox, stage } = app;
  const arrival = new Arrival();
  inbox.on('Position', ({ value }) => { arrival.reached('position', value); });
  inbox.on('Poses', ({ time }) => { arrival.reached('poses', time); });

  let frames = 100;
  let running = false;
  let stop = false;
  const count = numberField('Pictures', '', (value) => { frames = value; },
    (value) => (Number.isInteger(value) && value >= 2 && value <= kMostFrames ? null : `From 2 to ${kMostFrames}.`));
  count.set(frames);
  const bar = element('progress', { 'aria-label': 'Pictures taken' });
  const text = element('span', { 'class': 'count' });
  const working = element('div', { 'class': 'progress', 'hidden': true }, bar, text, button('Cancel', () => { stop = true; }, 'small'));
  const take = button('Save as PNG sequence', () => { void film(); }, 'primary');
  const film = async () => {
    const { timeline, hello, position } = store.get();
    if (!timeline || running) return;
    running = true;
    stop = false;
    update();
    app.send({ kind: 'Play', speed: 0 });
    const near = 1e-9 * Math.max(1, Math.abs(timeline.start), Math.abs(timeline.end));
    const places = filmPlaces(timeline, frames);
    bar.max = places.length;
    try {
      const zip = await makeFilm({
        async goTo(place) {
          const there = arrival.at(place, near, kPatience);
          scrub(app, place);
          await there;
        },
        async picture() { return new Uint8Array(await (await stage.picture()).arrayBuffer()); },
      }, places, () => stop || store.get().connection !== 'open', (done) => {
        bar.value = done;
        text.textContent = `${grouped(done)} of ${grouped(places.length)}`;
      });
      if (zip) download(`${fileStem(hello?.title ?? '')}-pictures.zip`, zip, 'application/zip');
    } catch (error) {
      notify(store, 'error', error instanceof Error ? error.message : String(error));
    }
    running = false;
    scrub(app, position);
    update();
  };
  const update = () => {
    const { timeline } = store.get();
    working.hidden = !running;
    take.hidden = running;
    take.disabled = timeline === null;
    nothing.hidden = timeline !== null;
  };
  const nothing = note('There is no motion yet: record one, or open a study or a simulation.');
  store.subscribe(['timeline'], update);
  return element('div', {},
    section('Picture', note('The scene as it is now, without panels.'),
      element('div', { 'class': 'actions' }, button('Save picture', () => { app.commands.run('picture'); }))),
    section('Motion', note('From the start to the end of the timeline, one picture at each position, in a zip file.'),
      count.box, element('div', { 'class': 'actions' }, take), working, nothing),
    app.inReport ? null : animationBlock(app));
}
