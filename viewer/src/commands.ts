// SPDX-License-Identifier: Apache-2.0
// What can be done, each with a name and keys. The keyboard, the toolbar and the help are made of it.
import type { AppStore, State } from './state';

export interface Command {
  id: string;
  title: string;
  group: string;  // headline in the help
  /** As 'f', 'Shift+h', 'Ctrl+z', 'ArrowLeft', '?': the first is shown. Ctrl is Cmd on a Mac. */
  keys?: readonly string[];
  /** Keys and title in the help for several commands that belong together. */
  summary?: readonly [string, string];
  run: () => void;
  enabled?: (state: Readonly<State>) => boolean;
}

export class Commands {
  private readonly all = new Map<string, Command>();

  constructor(private readonly store: AppStore) {}

  add(...commands: Command[]): void {
    for (const command of commands) {
      if (this.all.has(command.id)) throw new Error(`There are two commands ${command.id}.`);
      this.all.set(command.id, command);
    }
  }

  list(): Command[] {
    return [...this.all.values()];
  }

  get(id: string): Command {
    const command = this.all.get(id);
    if (!command) throw new Error(`There is no command ${id}.`);
    return command;
  }

  run(id: string): void {
    const command = this.get(id);
    if (command.enabled?.(this.store.get()) ?? true) command.run();
  }

  /** Runs the first enabled command with a key; false if there is none. */
  runKey(key: string): boolean {
    for (const command of this.all.values()) {
      if (!command.keys?.includes(key)) continue;
      if (!(command.enabled?.(this.store.get()) ?? true)) continue;
      command.run();
      return true;
    }
    return false;
  }
}

/** The name of a key as commands write it. Shift is named with letters and special keys, whose
 * symbol it does not change, so that '?' is '?' on every keyboard. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): string {
  const letter = /^\p{L}$/u.test(event.key);
  const key = letter ? event.key.toLowerCase() : event.key === ' ' ? 'Space' : event.key;
  let name = '';
  if (event.ctrlKey || event.metaKey) name += 'Ctrl+';
  if (event.altKey) name += 'Alt+';
  if (event.shiftKey && (letter || event.key.length > 1 || event.key === ' ')) name += 'Shift+';
  return name + key;
}

/** How a key is written on the screen. */
export function keyLabel(key: string): string {
  const names: Record<string, string> = {
    ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', PageUp: 'Page ↑', PageDown: 'Page ↓',
    Backspace: '⌫', Delete: 'Del', Enter: '⏎',
  };
  return key.split(/\+(?=.)/).map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(' ');
}
