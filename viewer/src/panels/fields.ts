// SPDX-License-Identifier: Apache-2.0
// The parts that panels are made of: labelled controls, figures, progress.
import type { App } from '../app';
import type { Task } from '../protocol';
import { element, fill } from '../ui/dom';
import { count, grouped } from './figures';
import { isRunning } from './panel_state';

type Child = Node | string | null | undefined | false;

let ids = 0;
function freshId(): string {
  return `panel-${++ids}`;
}

/** A group of controls under a headline. */
export function section(title: string, ...children: Child[]): HTMLElement {
  const id = freshId();
  return element('section', { 'class': 'block', 'aria-labelledby': id }, element('h3', { id }, title), ...children);
}

export function note(text = ''): HTMLParagraphElement {
  return element('p', { 'class': 'note' }, text);
}

export function button(text: string, run: () => void, kind = ''): HTMLButtonElement {
  return element('button', { 'type': 'button', 'class': `action ${kind}`, 'onclick': run }, text);
}

export interface NumberField {
  box: HTMLElement;
  input: HTMLInputElement;
  set(value: number): void;
}

/** A number with its unit. `commit` is called with a valid one when it is entered; what `check`
 * complains about is said below the field, and nothing else happens. */
export function numberField(
  label: string, unit: string, commit: (value: number) => void, check: (value: number) => string | null = () => null): NumberField {
  const id = freshId();
  const complaint = element('span', { 'class': 'complaint', 'id': `${id}-complaint`, 'role': 'alert' });
  const input = element('input', { 'type': 'text', 'inputmode': 'decimal', id, 'autocomplete': 'off', 'aria-describedby': `${id}-complaint` });
  let shown = '';
  const enter = () => {
    if (input.value === shown) return;
    const value = Number(input.value.trim().replace(',', '.').replace('−', '-'));
    const wrong = input.value.trim() === '' || !Number.isFinite(value) ? 'This is no number.' : check(value);
    complaint.textContent = wrong ?? '';
    input.setAttribute('aria-invalid', String(wrong !== null));
    if (wrong !== null) return;
    shown = input.value;
    commit(value);
  };
  input.addEventListener('change', enter);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') enter();
    if (event.key !== 'Escape') return;
    input.value = shown;
    enter();
    input.setAttribute('aria-invalid', 'false');
    complaint.textContent = '';
    input.blur();
    event.preventDefault();
  });
  const box = element('div', { 'class': 'field' }, element('label', { 'for': id }, label),
    element('span', { 'class': 'with-unit' }, input, element('span', { 'class': 'unit' }, unit)), complaint);
  return {
    box, input,
    set(value) {
      shown = String(Number(value.toPrecision(7)));
      if (document.activeElement !== input) input.value = shown;
    },
  };
}

/** A choice from a list that the browser draws. */
export function selectField(label: string, commit: (value: string) => void): { box: HTMLElement; set(options: readonly [string, string][], value: string): void } {
  const id = freshId();
  const select = element('select', { id });
  select.addEventListener('change', () => { commit(select.value); });
  let known = '';
  return {
    box: element('div', { 'class': 'field' }, element('label', { 'for': id }, label), select),
    set(options, value) {
      const key = JSON.stringify(options);
      if (key !== known) fill(select, ...options.map(([name, text]) => element('option', { 'value': name }, text)));
      known = key;
      select.value = value;
    },
  };
}

export interface Explained<T extends string> {
  value: T;
  title: string;
  about: string;
}

/** One of a list, and a line that explains the one that is chosen. `set` may change the list. */
export function explainedSelect<T extends string>(
  label: string, options: readonly Explained<T>[], commit: (value: T) => void):
  { box: HTMLElement; set(value: T, offered?: readonly Explained<T>[]): void } {
  const about = element('small', { 'id': freshId() });
  const field = selectField(label, (value) => { commit(value as T); });
  field.box.querySelector('select')?.setAttribute('aria-describedby', about.id);
  field.box.append(about);
  return {
    box: field.box,
    set(value, offered = options) {
      field.set(offered.map((option) => [option.value, option.title]), value);
      about.textContent = offered.find((option) => option.value === value)?.about ?? '';
    },
  };
}

/** One of a few, each with a line that explains it. */
export function choice<T extends string>(
  legend: string, options: readonly { value: T; title: string; about: string }[], commit: (value: T) => void):
  { box: HTMLFieldSetElement; set(value: T): void } {
  const name = freshId();
  const inputs = options.map(({ value }) => {
    const input = element('input', { 'type': 'radio', name, value });
    input.addEventListener('change', () => { if (input.checked) commit(value); });
    return input;
  });
  const box = element('fieldset', { 'class': 'choice' }, element('legend', {}, legend), ...options.map(({ title, about }, i) =>
    element('label', {}, inputs[i]!, element('span', {}, element('b', {}, title), element('small', {}, about)))));
  return { box, set(value) { inputs.forEach((input, i) => { input.checked = options[i]!.value === value; }); } };
}

/** A switch with its name. */
export function toggle(label: string, commit: (on: boolean) => void): { box: HTMLElement; input: HTMLInputElement } {
  const input = element('input', { 'type': 'checkbox', 'role': 'switch' });
  input.addEventListener('change', () => { commit(input.checked); });
  return { box: element('label', { 'class': 'toggle' }, input, element('span', {}, label)), input };
}

/** Names and values below each other. */
export function figures(rows: readonly (readonly [string, Child] | null)[], kind = ''): HTMLElement {
  const shown = rows.filter((row): row is readonly [string, Child] => row !== null);
  return element('dl', { 'class': `figures ${kind}` },
    ...shown.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

/** How far a task is, with a button that stops it; hidden while none runs. */
export function progress(app: App, task: Task, one: string, many?: string): HTMLElement {
  const bar = element('progress', { 'aria-label': 'Progress' });
  const text = element('span', { 'class': 'count' });
  const box = element('div', { 'class': 'progress' }, bar, text, button('Cancel', () => { app.send({ kind: 'Cancel', task }); }, 'small'));
  app.store.subscribe(['tasks'], (state) => {
    const now = state.tasks[task];
    box.hidden = !isRunning(state, task);
    if (!now) return;
    if (now.total > 0) {
      bar.max = now.total;
      bar.value = now.done;
      text.textContent = `${grouped(now.done)} of ${count(now.total, one, many)}`;
    } else {
      bar.removeAttribute('value');
      text.textContent = now.done > 0 ? count(now.done, one, many) : 'Begins …';
    }
  });
  return box;
}
