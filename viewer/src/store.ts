// SPDX-License-Identifier: Apache-2.0
// A record of values that notifies its readers of changes.

export type Listener<S> = (state: Readonly<S>, changed: ReadonlySet<keyof S>) => void;

export class Store<S extends object> {
  private readonly listeners: { keys: ReadonlySet<keyof S>; listener: Listener<S> }[] = [];
  private changed = new Set<keyof S>();
  private telling = false;

  constructor(private state: S) {}

  get(): Readonly<S> {
    return this.state;
  }

  /** Replaces the given values and notifies the subscribers of the ones that differ. A listener may call
   * update: everybody is notified of that afterwards. Values are compared by identity, so collections are
   * replaced, not changed in place; `touch` is for collections too large for that. */
  update(patch: Partial<S>): void {
    for (const key of Object.keys(patch) as (keyof S)[]) {
      if (Object.is(this.state[key], patch[key])) continue;
      this.state[key] = patch[key] as S[keyof S];
      this.changed.add(key);
    }
    this.tell();
  }

  /** Notifies that a value was changed in place. */
  touch(key: keyof S): void {
    this.changed.add(key);
    this.tell();
  }

  /** Calls the listener now and whenever one of the keys changes; returns how to stop that. */
  subscribe(keys: readonly (keyof S)[], listener: Listener<S>): () => void {
    const entry = { keys: new Set(keys), listener };
    this.listeners.push(entry);
    listener(this.state, entry.keys);
    return () => {
      const at = this.listeners.indexOf(entry);
      if (at >= 0) this.listeners.splice(at, 1);
    };
  }

  private tell(): void {
    if (this.telling) return;
    this.telling = true;
    try {
      while (this.changed.size > 0) {
        const changed = this.changed;
        this.changed = new Set();
        for (const { keys, listener } of [...this.listeners]) {
          for (const key of changed) {
            if (!keys.has(key)) continue;
            listener(this.state, changed);
            break;
          }
        }
      }
    } finally {
      this.telling = false;
    }
  }
}
