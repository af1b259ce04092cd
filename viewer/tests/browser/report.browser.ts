// SPDX-License-Identifier: Apache-2.0
// A report in a browser that has no network: the viewer inside it, and what is there without it.
// TOUCHE_PROGRAM is the program that writes it; without it there is nothing to test here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { browserPath, launch } from './open_page';
import { atRest, eventually, kPatience, other } from './patience';

const kProgram = process.env['TOUCHE_PROGRAM'] ?? '';
const kOptions = { timeout: 240_000, skip: kProgram ? false : 'TOUCHE_PROGRAM is not set' };
const folder = mkdtempSync(join(tmpdir(), 'touche-report-'));
let browser: Browser;

function run(...line: string[]): void {
  const ran = spawnSync(kProgram, line);
  assert.ok(ran.status === 0 || ran.status === 1, `${line.join(' ')}: ${String(ran.stderr)}`);
}

before(async () => {
  if (!kProgram) return;
  run('scene', 'nut-bolt', '--pitch-error', '0.05', '--segments', '24', '--out', join(folder, 'nut'));
  run('study', join(folder, 'nut', 'study.json'), '--no-explain', '--out', join(folder, 'study'));
  run('clash', join(folder, 'nut', 'study.json'), '--at', '0.5', '--out', join(folder, 'clash'));
  run('scene', 'engine-bay', '--parts', '60', '--out', join(folder, 'bay'));
  run('clash', join(folder, 'bay', 'engine_bay.glb'), '--out', join(folder, 'assembly'));
  browser = await launch();
});

after(async () => {
  if (kProgram) await browser.close();
  rmSync(folder, { recursive: true });
});

interface OpenReport {
  page: Page;
  viewer: FrameLocator;
  complaints: string[];
}

async function openReport(name: string, from = browser): Promise<OpenReport> {
  const context = await from.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', offline: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => { complaints.push(String(error)); });
  page.on('request', (request) => { if (!/^(file|data|blob|about):/.test(request.url())) complaints.push(`requests ${request.url()}`); });
  page.setDefaultTimeout(kPatience);
  await page.goto(pathToFileURL(join(folder, name, 'report.html')).href);
  return { page, complaints, viewer: page.frameLocator('section.viewer iframe') };
}

async function look({ page, viewer }: OpenReport): Promise<void> {
  assert.equal(await page.locator('iframe').count(), 0, 'nothing starts by itself');
  await page.getByRole('button', { name: 'View in 3D' }).click();
  await viewer.getByRole('treeitem').first().waitFor();
  await viewer.locator('.status-line progress').waitFor({ state: 'hidden' });
}

/** The scene once it stands still. */
async function picture({ viewer }: OpenReport): Promise<Buffer> {
  return atRest(() => viewer.locator('canvas.scene').screenshot());
}

/** The next one that differs. */
async function changes({ viewer }: OpenReport, from: Buffer, what: string): Promise<Buffer> {
  return other(() => viewer.locator('canvas.scene').screenshot(), from, what);
}

test('a study is turned, scrubbed and followed to its contacts, offline', kOptions, async () => {
  const report = await openReport('study');
  const { page, viewer, complaints } = report;
  await look(report);
  const slider = viewer.getByRole('slider', { name: 'Position on the path' });

  // By a key, which the frame has without a click.
  const first = await picture(report);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const turned = await changes(report, first, 'the view turns');

  await slider.focus();
  await page.keyboard.press('End');
  await eventually('at the end', async () => /^s = 1\.0000/.test(await slider.getAttribute('aria-valuetext') ?? ''));
  await changes(report, turned, 'the nut goes');

  await viewer.locator('canvas.scene').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('k');
  await eventually('it jumps to a contact', async () => await viewer.locator('[data-contact="0"]').getAttribute('aria-current') === 'true');
  const place = Number(await slider.getAttribute('aria-valuenow'));
  const { verdict } = JSON.parse(readFileSync(join(folder, 'study', 'result.json'), 'utf8')) as { verdict: { free_until: number } };
  assert.ok(place >= verdict.free_until && place < verdict.free_until + 0.01, `the first contact is at ${place}`);

  // It plays without a server.
  await page.keyboard.press('Space');
  await eventually('it plays', async () => Number(await slider.getAttribute('aria-valuenow')) > place);
  await page.keyboard.press('Space');

  // Nothing that needs a program is offered.
  for (const name of ['Record and prove', 'Tool: grab parts', 'Tool: measure', 'Undo', 'Bounding volumes', 'Step and budget', 'Clashes']) {
    assert.equal(await viewer.getByRole('button', { name, exact: true }).count(), 0, name);
  }

  const wide = page.getByRole('button', { name: 'Whole window' });
  await wide.click();
  const box = (await page.locator('section.viewer iframe').boundingBox())!;
  assert.ok(box.width > 1200 && box.height > 700);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.locator('iframe').count(), 0);
  await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a clash check leads to its clashes', kOptions, async () => {
  const report = await openReport('clash');
  await look(report);
  const row = report.viewer.locator('div.clash').first();
  const before = await picture(report);
  await row.getByRole('button').click();
  await eventually('it is shown', async () => /shown/.test(await row.getAttribute('class') ?? ''));
  await changes(report, before, 'it flies there');
  assert.equal(await report.viewer.getByRole('button', { name: 'Find again' }).count(), 0);
  assert.equal(await report.viewer.locator('textarea').count(), 0);
  assert.deepEqual(report.complaints, []);
  await report.page.context().close();
});

test('the list of a clash check is sorted, and its rows lead to a picture and into the viewer', kOptions, async () => {
  const report = await openReport('assembly');
  const { page, viewer, complaints } = report;
  const ranks = () => page.locator('#pairs tbody tr').evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset['rank'])));
  const names = () => page.locator('#pairs tbody tr').evaluateAll((rows) => rows.map((row) => (row as HTMLTableRowElement).cells[1]!.textContent.toLowerCase()));
  const worstFirst = await ranks();
  assert.deepEqual(worstFirst, worstFirst.map((_, i) => i));
  const byName = page.getByRole('button', { name: 'parts' });
  await byName.click();
  assert.deepEqual(await names(), [...await names()].sort());
  await byName.click();
  assert.deepEqual(await names(), [...await names()].sort().reverse());
  await page.getByRole('button', { name: 'class', exact: true }).click();
  assert.deepEqual(await ranks(), worstFirst);

  await page.locator('#pairs tbody tr').nth(1).locator('td').nth(2).click();
  assert.match(page.url(), /#picture-\d+$/);
  await page.locator('figure:target').waitFor();

  // The same row in the viewer, which starts by that.
  const shown = (rank: number) => viewer.locator('div.clash').nth(rank);
  for (const rank of [1, 0]) {
    await page.locator(`#pairs tr[data-rank="${rank}"] button.look`).click();
    await eventually(`row ${rank} is shown`, async () => /shown/.test(await shown(rank).getAttribute('class') ?? ''));
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the frame may do nothing but draw', kOptions, async () => {
  const report = await openReport('study');
  await look(report);
  const frame = report.page.frames().find((other) => other !== report.page.mainFrame())!;
  const asked = await frame.evaluate(async () => {
    const tried = async (what: () => unknown) => {
      try {
        await what();
        return 'allowed';
      } catch {
        return 'refused';
      }
    };
    return [await tried(() => fetch('https://example.org/')), await tried(() => localStorage.length), await tried(() => parent.document.title),
      await tried(() => fetch('file:///etc/hostname'))];
  });
  assert.deepEqual(asked, ['refused', 'refused', 'refused', 'refused']);
  await report.page.context().close();
});

test('without WebGL the pictures stay, and nothing else is promised', kOptions, async () => {
  const blind = await chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'] });
  try {
    const { page, complaints } = await openReport('study', blind);
    assert.equal(await page.locator('section.viewer').isVisible(), false);
    assert.ok(await page.locator('.picture').first().isVisible());
    assert.ok(await page.locator('.picture').count() >= 3);
    assert.deepEqual(complaints.filter((text) => !/WebGL|GPU/i.test(text)), []);
  } finally {
    await blind.close();
  }
});

test('the viewer can be left out', kOptions, () => {
  run('clash', join(folder, 'nut', 'study.json'), '--at', '0.5', '--no-viewer', '--out', join(folder, 'plain'));
  const plain = readFileSync(join(folder, 'plain', 'report.html'), 'utf8');
  assert.ok(!plain.includes('data-file'));
  assert.ok(readFileSync(join(folder, 'clash', 'report.html'), 'utf8').length > plain.length + 200_000);
});
