// SPDX-License-Identifier: Apache-2.0
// From the hand's motion to a proof: record, prove, save, and the answer.
import type { App } from '../app';
import { kNone } from '../protocol';
import type { State } from '../state';
import { element, fill } from '../ui/dom';
import { buildAnswer } from './answer';
import { button, figures, note, progress, section } from './fields';
import { clock, grouped } from './figures';
import { fileNameError, nameOf } from './names';
import { askFaces } from './playback';
import { isRunning } from './panel_state';

const kMostMarked = 60;  // contacts whose faces are requested automatically

export function toggleRecording(app: App): void {
  app.send({ kind: 'Record', on: !(app.store.get().recording?.active ?? false) });
}

/** Whether there is a motion to be proved. */
export function canProve(state: Readonly<State>): boolean {
  const { recording, hello } = state;
  if (recording === null || isRunning(state, 'proof')) return false;
  return recording.poses > 1 || (!recording.active && (hello?.source === 'study' || hello?.source === 'result'));
}

export function addRecordCommands(app: App): void {
  const { store, commands } = app;
  commands.add(
    { id: 'record.toggle', title: 'Record, or end the recording', group: 'Record and prove', keys: ['r'], run: () => { toggleRecording(app); } },
    {
      id: 'record.prove', title: 'Prove the path', group: 'Record and prove', keys: ['Shift+r'], enabled: canProve,
      run: () => {
        store.update({ panel: 'record' });
        app.send({ kind: 'Prove' });
      },
    },
  );
}

/** Marks what blocks the path, and notifies the user. */
export function followProof(app: App): void {
  const { store, inbox } = app;
  inbox.on('Proved', (proof) => {
    const blocking = proof.contacts.filter((contact) => !contact.allowed).slice(0, kMostMarked);
    askFaces(app, blocking);
    // A report says in words what was proved; here it is about where.
    if (store.get().panel === null && (!app.inReport || proof.contacts.length > 0)) store.update({ panel: 'record' });
  });
}

export function buildRecordPanel(app: App): HTMLElement {
  return element('div', {}, recordBlock(app), proveBlock(app), buildAnswer(app));
}

function recordBlock(app: App): HTMLElement {
  const { store } = app;
  const name = element('span', {});
  const press = element('button', {
    'type': 'button', 'class': 'record', 'aria-keyshortcuts': 'r', 'onclick': () => { toggleRecording(app); },
  }, element('span', { 'class': 'dot', 'aria-hidden': 'true' }), name);
  const time = element('output', { 'class': 'clock', 'aria-label': 'Time recorded' });
  const poses = element('output', { 'aria-label': 'Poses recorded' });
  const part = element('output', { 'aria-label': 'Part whose motion it is' });
  const status = figures([['Poses', poses], ['Part', part]]);
  const hint = note();
  // The server sends the time with each pose; in between the clock runs here.
  let told = 0;
  let ticking: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    const { recording } = store.get();
    const since = recording?.active ? (performance.now() - told) / 1000 : 0;
    time.textContent = clock((recording?.seconds ?? 0) + since);
  };
  store.subscribe(['recording'], ({ recording }) => {
    told = performance.now();
    clearInterval(ticking);
    if (recording?.active) ticking = setInterval(tick, 100);
    tick();
  });
  store.subscribe(['recording', 'nodes'], ({ recording, nodes }) => {
    const active = recording?.active ?? false;
    press.setAttribute('aria-pressed', String(active));
    name.textContent = active ? 'Stop' : recording && recording.poses > 0 ? 'Record again' : 'Record';
    time.classList.toggle('active', active);
    poses.textContent = grouped(recording?.poses ?? 0);
    part.textContent = recording && recording.node !== kNone ? nameOf(nodes, recording.node) : '–';
    hint.textContent = active && recording?.node === kNone ? 'Now take a part and move it: its motion is recorded.' :
      active ? 'Let go and press Stop when the part is out.' :
        recording && recording.poses > 0 ? '' : 'The motion of the part that you move becomes a study.';
    hint.hidden = hint.textContent === '';
  });
  return section('Record', element('div', { 'class': 'record-row' }, press, time), status, hint);
}

function proveBlock(app: App): HTMLElement {
  const { store } = app;
  const prove = button('Prove', () => { app.commands.run('record.prove'); }, 'primary');
  const input = element('input', { 'type': 'text', 'maxlength': 100, 'placeholder': 'name of the study', 'aria-label': 'Name of the study', 'spellcheck': false });
  const complaint = element('span', { 'class': 'complaint', 'role': 'alert' });
  const save = () => {
    const name = input.value.trim();
    const wrong = fileNameError(name);
    complaint.textContent = wrong ?? '';
    if (wrong === null) app.send({ kind: 'SaveStudy', name });
  };
  input.addEventListener('keydown', (event) => { if (event.key === 'Enter') save(); });
  const saveButton = button('Save', save);
  const file = note();
  const saving = element('div', { 'class': 'save-row' }, input, saveButton, complaint);
  const box = section('Prove', element('div', { 'class': 'actions' }, prove), progress(app, 'proof', 'piece of the path', 'pieces of the path'),
    saving, file);
  store.subscribe(['recording', 'tasks', 'hello'], (state) => {
    const recorded = (state.recording?.poses ?? 0) > 0;
    prove.textContent = recorded ? 'Prove' : 'Prove the path that was opened';
    saving.hidden = !recorded;
    prove.disabled = !canProve(state);
    prove.hidden = isRunning(state, 'proof');
    saveButton.disabled = !state.recording || state.recording.active || state.recording.poses < 2;
    box.hidden = !recorded && !canProve(state) && !isRunning(state, 'proof');
    const saved = state.recording?.file ?? '';
    fill(file, ...(saved ? ['Saved as ', element('code', {}, saved)] : []));
    file.hidden = saved === '';
  });
  return box;
}
