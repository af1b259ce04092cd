// SPDX-License-Identifier: Apache-2.0
// Waiting for what is to happen, however busy the machine is: never for a time.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';

/** Milliseconds, for what Playwright waits for itself. */
export const kPatience = 60_000;

export async function eventually(what: string, holds: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => { setTimeout(resolve, 30); });
  }
  assert.fail(`${what}: not within ${seconds} s`);
}

/** Until a value is the one that is expected. */
export async function becomes<T>(value: () => T | Promise<T>, expected: T, seconds = 60): Promise<void> {
  for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
    if (isDeepStrictEqual(await value(), expected)) return;
    await new Promise((resolve) => { setTimeout(resolve, 30); });
  }
  assert.deepEqual(await value(), expected);
}

/** Presses keys until they show the expected element: a page that is not loaded yet may ignore them. */
export async function opens(page: Page, keys: string, shown: Locator): Promise<void> {
  await eventually(`what ${keys} opens`, async () => {
    if (!await shown.isVisible()) await page.keyboard.press(keys);
    return shown.waitFor({ timeout: 3000 }).then(() => true, () => false);
  });
}

/** Until the page has drawn twice: it has seen then what was done before. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => { requestAnimationFrame(resolve); }); }));
}

/** The picture once it stays the same. A busy machine may not have begun to draw what was done last: see other(). */
export async function atRest(take: () => Promise<Buffer>): Promise<Buffer> {
  let last = await take();
  for (let i = 0; i < 40; ++i) {
    await new Promise((resolve) => { setTimeout(resolve, 120); });
    const next = await take();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('The picture does not come to rest.');
}

/** The next picture at rest that differs from another one. */
export async function other(take: () => Promise<Buffer>, from: Buffer, what: string): Promise<Buffer> {
  for (const end = performance.now() + kPatience; performance.now() < end;) {
    const next = await atRest(take);
    if (!next.equals(from)) return next;
  }
  assert.fail(`the picture stays the same: ${what}`);
}
