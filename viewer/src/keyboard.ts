// SPDX-License-Identifier: Apache-2.0
// Keys go to commands, unless somebody writes or a control has its own use for them.
import type { App } from './app';
import { keyName } from './commands';

export function listenToKeys(app: App): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = keyName(event);
    if (usesKey(event.target, name)) return;
    if (app.commands.runKey(name)) event.preventDefault();
  });
}

const kMoving = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);

/** Whether the control that has the focus needs the key itself. */
function usesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === 'Escape') return false;
  const plain = key.replace(/^Shift\+/, '');
  if (target instanceof HTMLInputElement) {
    if (target.type === 'range' || target.type === 'radio') return kMoving.has(plain);
    if (target.type === 'checkbox' || target.type === 'button') return plain === 'Space' || plain === 'Enter';
    return true;
  }
  if (target instanceof HTMLTextAreaElement || target.isContentEditable) return true;
  if (target instanceof HTMLSelectElement) return kMoving.has(plain) || plain === 'Space' || plain === 'Enter' || plain.length === 1;
  if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) return plain === 'Space' || plain === 'Enter';
  return false;
}
