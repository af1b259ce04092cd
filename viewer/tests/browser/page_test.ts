// SPDX-License-Identifier: Apache-2.0
// Tests of the page in a headless browser, under a policy as strict as the server's, with a stand-in for the
// server that records what it receives.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Pose } from '../../src/protocol';
import { launch, openPage } from './open_page';
import type { OpenPage } from './open_page';
import { atRest, eventually, other } from './patience';

const kBundle = process.env['TOUCHE_VIEWER_BUNDLE'] ?? 'dist';
// Where parts are in the first picture, of 1280 by 800 pixels.
export const kBlock = [700, 470] as const;
export const kNut = [600, 400] as const;
export const kBoltSide = [640, 340] as const;
export const kPlate = [520, 480] as const;
export const kNothing = [1000, 300] as const;

let browser: Browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** A test with a page of its own, which may complain of nothing. */
export function pageTest(name: string, run: (opened: OpenPage) => Promise<void>, options: Parameters<typeof openPage>[2] = {}): void {
  test(name, { timeout: 240_000 }, async () => {
    const opened = await openPage(browser, kBundle, options);
    try {
      await run(opened);
      assert.deepEqual(opened.complaints, []);
    } finally {
      await opened.page.context().close();
    }
  });
}

/** Once the picture stays the same. */
export async function picture(page: Page): Promise<Buffer> {
  return atRest(() => page.locator('canvas.scene').screenshot());
}

/** How many pixels of the picture are as red as forces, and as blue as a ghost. */
export async function colours(page: Page): Promise<{ reds: number; blues: number }> {
  const image = `data:image/png;base64,${(await page.locator('canvas.scene').screenshot()).toString('base64')}`;
  return page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let reds = 0, blues = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (r > 180 && g < 90 && b < 90) ++reds;
      if (b > 170 && b > r + 60 && b > g + 20) ++blues;
    }
    return { reds, blues };
  }, image);
}

/** The next picture at rest that differs. */
export async function changes(page: Page, from: Buffer, what: string): Promise<Buffer> {
  return other(() => page.locator('canvas.scene').screenshot(), from, what);
}

export async function hover(page: Page, [x, y]: readonly [number, number], expected: string | RegExp): Promise<void> {
  await page.mouse.move(x, y);
  const line = page.locator('.status-line .what');
  await eventually(`pointing at ${String(expected)}`, async () => {
    const text = await line.textContent() ?? '';
    return typeof expected === 'string' ? text.endsWith(expected) : expected.test(text);
  });
}

export async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
}

export const turned = (pose: Pose) => 2 * Math.acos(Math.min(1, Math.abs(pose.rotation[0])));
