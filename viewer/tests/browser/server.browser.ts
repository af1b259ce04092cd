// SPDX-License-Identifier: Apache-2.0
// The page with the program behind it: a nut on its bolt, moved by the mouse, answers of the library.
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
  program = new Program(['nut-bolt']);
  await program.start();
  browser = await launch();
});

after(async () => {
  if (kSkip) return;
  await browser.close();
  await program.end();
});

test('a nut that is pulled sideways is held back by its bolt and stays out of it', { timeout: 240_000, skip: kSkip }, async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(kPatience);
  const complaints: string[] = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => { complaints.push(String(error)); });
  const traffic = listen(page);
  await page.goto(program.address);
  await everythingIsThere(traffic);
  const scene = last(traffic, 'Scene')!;
  const nut = scene.nodes.find(({ name, kind }) => name === 'nut' && kind === 'body')!;
  const bolt = scene.nodes.find(({ name, kind }) => name === 'bolt' && kind === 'body')!;
  const triangles = scene.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
  const sent = traffic.said.filter((message) => message.kind === 'MeshChunk')
    .reduce((sum, m) => sum + m.indices.byteLength + m.positions.byteLength + m.normals.byteLength + m.edges.byteLength, 0);
  assert.ok(sent <= 16 * triangles + 4096, `${sent / triangles} bytes a triangle`);

  const apart = (what: string) => areApart(page, traffic, nut.id, bolt.id, what);
  await apart('apart in the beginning');

  // Pulled sideways the nut meets its thread and stays there, with a force that points back.
  await page.locator(`[data-node="${nut.id}"]`).hover();
  const [x, y] = await pointAt(page, 'nut', 560, 250, 420);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 12 });
  await eventually('held back', () => {
    const { status, contacts } = last(traffic, 'Held') ?? { status: '', contacts: [] };
    return status === 'held_back' && contacts.length > 0;
  }, 60);
  const held = last(traffic, 'Held')!;
  assert.equal(held.node, nut.id);
  assert.ok(held.distanceLeft > 1, `${held.distanceLeft}`);
  await page.mouse.up();
  await apart('apart when the nut is pressed against the bolt');
  await page.keyboard.press('Control+z');
  await eventually('undone', () => (last(traffic, 'History')?.redo ?? 0) > 0);
  assert.deepEqual(complaints, []);
});
