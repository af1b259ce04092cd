// SPDX-License-Identifier: Apache-2.0
// A nut is turned off its bolt by the mouse, in steps that the program proves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch } from './open_page';
import { eventually, kPatience } from './patience';
import { areApart, everythingIsThere, kSkip, last, listen, pointAt, Program } from './program';

let browser: Browser;
let program: Program;

before(async () => {
  if (kSkip) return;
  program = new Program(['nut-bolt', '--size', 'M6', '--segments', '12', '--clearance', '0.1']);
  await program.start();
  browser = await launch();
});

after(async () => {
  if (kSkip) return;
  await browser.close();
  await program.end();
});

test('a nut that is only turned rises on its thread and stays out of it', { timeout: 400_000, skip: kSkip }, async () => {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(kPatience);
  const complaints: string[] = [];
  page.on('pageerror', (error) => { complaints.push(String(error)); });
  const traffic = listen(page);
  await page.goto(program.address);
  await everythingIsThere(traffic);
  const { nodes } = last(traffic, 'Scene')!;
  const nut = nodes.find(({ name, kind }) => name === 'nut' && kind === 'body')!;
  const bolt = nodes.find(({ name, kind }) => name === 'bolt' && kind === 'body')!;

  // The axis is that of the nut's shape; the nut is turned by its side that faces the viewer.
  await page.locator(`[data-node="${nut.id}"]`).click();
  await page.mouse.move(790, 590);
  await page.keyboard.press('a');
  // From below, so that it is taken by its near side.
  const held = () => traffic.said.filter((message) => message.kind === 'Held');
  // From left to right the near side goes anticlockwise, seen from above: up a right-handed thread.
  let rise = 0;
  for (let stroke = 0; stroke < 12 && rise < 1; ++stroke) {
    const [x, y] = await pointAt(page, 'nut', 400, 480, 120);
    const before = held().length;
    await page.mouse.down();
    await page.mouse.move(x + 300, y, { steps: 8 });
    await eventually('the nut follows', () => held().length > before && held().at(-1)!.angleLeft < 0.3);
    await page.mouse.up();
    assert.equal(held().at(-1)!.node, nut.id);
    rise = held().at(-1)!.pose.translation[2] - nut.pose.translation[2];
  }
  assert.ok(rise >= 1, `it rose by ${rise}`);
  await areApart(page, traffic, nut.id, bolt.id, 'apart after turning');
  assert.deepEqual(complaints, []);
});
