// SPDX-License-Identifier: Apache-2.0
// A motion as pictures: the world goes to one position after the other, and each is drawn.
import type { Timeline } from '../protocol';
import { storedZip } from './zip';
import type { ZipEntry } from './zip';

/** What a film is made with. */
export interface FilmSource {
  /** Resolves when the world is at a position and the scene shows it. */
  goTo(place: number): Promise<void>;
  /** The scene as PNG. */
  picture(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The positions of `frames` pictures: first and last are the ends of the motion. */
export function filmPlaces(timeline: Pick<Timeline, 'start' | 'end'>, frames: number): number[] {
  const { start, end } = timeline;
  return Array.from({ length: frames }, (_, i) => (i === frames - 1 ? end : start + ((end - start) * i) / (frames - 1)));
}

/** Names with as many digits as the last one needs, so that they sort. */
export function frameName(number: number, frames: number): string {
  return `${String(number).padStart(Math.max(4, String(frames - 1).length), '0')}.png`;
}

/** A zip file of the pictures; null if `cancelled` became true meanwhile. */
export async function makeFilm(
  source: FilmSource, places: readonly number[], cancelled: () => boolean, told: (done: number) => void): Promise<Uint8Array<ArrayBuffer>[] | null> {
  const entries: ZipEntry[] = [];
  for (const [i, place] of places.entries()) {
    if (cancelled()) return null;
    await source.goTo(place);
    entries.push({ name: frameName(i, places.length), bytes: await source.picture() });
    told(i + 1);
  }
  return storedZip(entries);
}

/** Signals when the server has reached a position. */
export class Arrival {
  private waiting: { place: number; near: number; position: boolean; poses: boolean; resolve: () => void } | null = null;

  /** To be called with the value of each Position and with the time of each Poses. */
  reached(what: 'position' | 'poses', value: number): void {
    const { waiting } = this;
    if (!waiting || Math.abs(value - waiting.place) > waiting.near) return;
    waiting[what] = true;
    if (!waiting.position || !waiting.poses) return;
    this.waiting = null;
    waiting.resolve();
  }

  /** Rejects after this number of milliseconds. */
  at(place: number, near: number, milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = null;
        reject(new Error('The server did not go to the next position in time.'));
      }, milliseconds);
      this.waiting = {
        place, near, position: false, poses: false,
        resolve() {
          clearTimeout(timer);
          resolve();
        },
      };
    });
  }
}
