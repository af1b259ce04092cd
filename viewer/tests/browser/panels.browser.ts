// SPDX-License-Identifier: Apache-2.0
// The panels in a headless browser, with a stand-in that answers them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { kNone } from '../../src/protocol';
import { launch, openPage } from './open_page';
import type { OpenPage } from './open_page';
import { becomes, drawn, eventually, opens } from './patience';
import { PanelAnswers } from './panel_answers';

const kBundle = process.env['TOUCHE_VIEWER_BUNDLE'] ?? 'dist';

let browser: Browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** A test with a page of its own, which may complain of nothing. */
function panelTest(name: string, run: (opened: OpenPage, answers: PanelAnswers) => Promise<void>): void {
  test(name, { timeout: 240_000 }, async () => {
    const opened = await openPage(browser, kBundle, { acceptDownloads: true });
    try {
      await run(opened, new PanelAnswers(opened.server));
      assert.deepEqual(opened.complaints, []);
    } finally {
      await opened.page.context().close();
    }
  });
}

panelTest('record, prove and jump to the blocking contact, by keys alone', async ({ page, server }, answers) => {
  await page.keyboard.press('Shift+P');
  const panel = page.getByRole('complementary', { name: 'Record and prove' });
  await panel.waitFor();
  await page.keyboard.press('r');
  await panel.getByRole('button', { name: 'Stop' }).waitFor();
  const first = await panel.locator('.clock').textContent();
  await page.waitForFunction((text) => document.querySelector('.clock')?.textContent !== text, first);
  await page.keyboard.press('r');
  await panel.getByRole('button', { name: 'Prove', exact: true }).waitFor();
  assert.deepEqual(server.received.filter(({ kind }) => kind === 'Record').map((m) => (m as { on: boolean }).on), [true, false]);

  answers.progress(61, 184);
  await panel.getByText('61 of 184 pieces of the path').waitFor();
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await becomes(() => server.last('Cancel')?.task, 'proof');

  answers.proved();
  await panel.getByText('it cannot be taken out along this path').waitFor();
  const asked = () => server.received.filter(({ kind }) => kind === 'AskFace').length;
  await becomes(asked, 2);
  // Messages stay in order: once a later one shows, both faces are there.
  server.send({ kind: 'Position', value: 0.25, speed: 0 });
  const place = page.getByRole('slider', { name: 'Position on the path' });
  await eventually('a later message', async () => (await place.getAttribute('aria-valuetext'))?.startsWith('s = 0.2500') ?? false);
  await page.keyboard.press('k');
  await becomes(() => server.last('Scrub')?.value, 0.31014);
  assert.equal(await panel.locator('[data-contact="1"]').getAttribute('aria-current'), 'true');
  await panel.getByRole('button', { name: '0.4121 to 0.4139 mm', exact: true }).click();
  assert.equal(await panel.locator('[aria-current="true"]').getAttribute('data-contact'), '1');
  assert.equal(asked(), 2, 'each blocking face is requested once');
});

panelTest('the scrubber follows keys and pointer and shows the proved clearance', async ({ page, server }, answers) => {
  answers.proved();
  const slider = page.getByRole('slider', { name: 'Position on the path' });
  await slider.focus();
  await page.keyboard.press('End');
  await becomes(() => server.last('Scrub')?.value, 1);
  assert.match(await slider.getAttribute('aria-valuetext') ?? '', /^s = 1\.0000, clearance 1\.\d+ to 1\.\d+ mm$/);
  await page.keyboard.press('ArrowLeft');
  await eventually('a step back', () => Math.abs(server.last('Scrub')!.value - 0.99) < 1e-12);
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + 46 + (box.width - 60) * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 46 + (box.width - 60) * 0.36, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await eventually('where the pointer is', () => Math.abs(server.last('Scrub')!.value - 0.36) < 0.002);
  assert.match(await slider.getAttribute('aria-valuetext') ?? '', /in contact$/);
  // The contact's mark, by the pointer.
  await page.mouse.click(box.x + 46 + (box.width - 60) * 0.31014, box.y + 12 + 66 - 6);
  await becomes(() => server.last('Scrub')?.value, 0.31014);
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('Space');
  await becomes(() => server.last('Play')?.speed, 1);
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();  // the page has heard of it
  await page.keyboard.press('<');
  await becomes(() => server.last('Play')?.speed, 0.5);
  await page.keyboard.press('d');
  await becomes(() => server.last('Advance')?.keys, 1);
});

panelTest('the budget is set, and what is wrong is said', async ({ page, server }) => {
  const tolerance = page.getByLabel('Tolerance');
  await opens(page, 'Shift+O', tolerance);
  await tolerance.fill('0.02');
  await tolerance.press('Enter');
  await page.getByText('The clearance is more than 1.5 times the tolerance.').waitFor();
  assert.equal(await tolerance.getAttribute('aria-invalid'), 'true');
  assert.equal(server.last('SetBudget'), undefined);
  await tolerance.press('Escape');
  assert.equal(await tolerance.inputValue(), '0.01');
  const budget = page.getByLabel('Budget', { exact: true });
  await budget.fill('5');
  await budget.press('Enter');
  await page.getByLabel('Shared by pairs').selectOption('by_distance');
  await becomes(() => server.last('SetBudget')?.share, 'by_distance');
  assert.equal(server.last('SetBudget')?.milliseconds, 5);
  await page.getByLabel('Stop', { exact: false }).last().check();
  await becomes(() => server.last('SetMode')?.mode, 'stop');
});

panelTest('volumes of a level, and the cost of another tree', async ({ page, server }) => {
  await page.keyboard.press('Shift+V');
  assert.ok(await page.getByRole('button', { name: 'Build', exact: true }).isDisabled());
  await page.locator('.row', { hasText: 'nut' }).last().click();
  await page.getByLabel('Show volumes').check();
  await page.getByText('4 volumes on this level').waitFor();
  await page.getByLabel('Level').fill('4');
  await page.getByText('16 volumes on this level').waitFor();
  assert.deepEqual(server.last('ShowVolumes'), { kind: 'ShowVolumes', node: 4, hierarchy: 'own', level: 4 });
  const quality = page.getByLabel('Quality', { exact: true });
  await quality.selectOption('hausdorff');
  await page.getByText('no point of a volume far from the faces in it').waitFor();
  await page.getByLabel('Of several').selectOption('maximum');
  await page.getByLabel('Volume', { exact: true }).selectOption('dop18');
  assert.deepEqual(await quality.locator('option').allTextContents(), ['volume', 'diameter', 'surface area'], 'the qualities that it has');
  assert.equal(await quality.inputValue(), 'surface_area');
  await quality.selectOption('diameter');
  await page.getByLabel('Variable degree').check();
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByText('Compared with the tree before: −27 % tests of volumes, −31 % of triangles.').waitFor();
  assert.deepEqual(server.last('BuildTree'), { kind: 'BuildTree', node: 4, volume: 'dop18', method: 'gottschalk', degree: 4, improvement: 0.5, quality: 'diameter', combine: 'maximum' });
  await page.getByText('α = 0.5, maximum of diameter').waitFor();
  await page.getByLabel('Show volumes').uncheck();
  await becomes(() => server.last('ShowVolumes')?.level, kNone);
});

panelTest('clashes are listed, flown to, commented on and accepted', async ({ page, server }) => {
  await page.keyboard.press('Shift+C');
  await page.getByLabel('List pairs nearer than').fill('1,5');
  await page.getByRole('button', { name: 'Find clashes' }).click();
  await becomes(() => server.last('FindClashes')?.clearance, 1.5);
  const rows = page.locator('div.clash');
  await becomes(() => rows.count(), 5);
  assert.match(await rows.last().textContent() ?? '', /pressed in on purpose/);
  await page.getByRole('button', { name: 'Near 1' }).click();
  await becomes(() => rows.count(), 4);
  await rows.first().getByRole('button').first().click();
  await page.getByLabel('Comment on bolt M16 and nut M16').fill('thread');
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await becomes(() => server.last('CommentClash'), { kind: 'CommentClash', a: 3, b: 4, text: 'thread', accepted: true });
  assert.match(await rows.last().textContent() ?? '', /accepted · (thread|pressed)/);
});

panelTest('a simulation reports its progress, and can be stopped', async ({ page, server }) => {
  const box = page.getByRole('region', { name: 'Simulation' });
  assert.equal(await box.isVisible(), false);
  server.send({ kind: 'TaskProgress', task: 'simulation', running: true, done: 53, total: 180 });
  await box.getByText('53 of 180 frames').waitFor();
  await box.getByRole('button', { name: 'Cancel' }).click();
  await becomes(() => server.last('Cancel')?.task, 'simulation');
  server.send({ kind: 'TaskProgress', task: 'simulation', running: false, done: 53, total: 180 });
  await box.waitFor({ state: 'hidden' });
});

panelTest('a motion is saved as numbered pictures in a zip file', async ({ page }, answers) => {
  answers.proved();
  await page.getByText('it cannot be taken out along this path').waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Pictures', { exact: true }).fill('5');
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PNG sequence' }).click();
  const download = await waiting;
  assert.equal(download.suggestedFilename(), 'nut_and_bolt-pictures.zip');
  const folder = mkdtempSync(join(tmpdir(), 'touche-film-'));
  try {
    const file = join(folder, 'a.zip');
    await download.saveAs(file);
    const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; n = z.namelist(); print("|".join(n)); ' +
      'd = [z.read(x) for x in n]; assert all(x[:4] == b"\\x89PNG" for x in d); print(len(set(d)))';
    const told = execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }).trim().split('\n');
    assert.equal(told[0], '0000.png|0001.png|0002.png|0003.png|0004.png');
    assert.equal(told[1], '5', 'the part is elsewhere in each picture');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

panelTest('a motion is saved as glTF by the server, which says where', async ({ page, server }, answers) => {
  await page.keyboard.press('Shift+N');
  await drawn(page);
  assert.equal(server.last('SaveAnimation'), undefined, 'there is no motion');
  answers.proved();
  await page.getByText('it cannot be taken out along this path').waitFor();
  await page.keyboard.press('Shift+N');
  await page.getByRole('log').getByText('Saved: /home/me/nut-animation.glb').waitFor();
  assert.equal(server.last('SaveAnimation')?.name, '');
  await page.keyboard.press('n');
  const panel = page.getByRole('complementary', { name: 'Pictures and films' });
  await panel.getByText('Saved as /home/me/nut-animation.glb').waitFor();
  const name = panel.getByLabel('Name of the animation');
  await name.fill('../nut');
  await name.press('Enter');
  await panel.getByText('Only the letters a to z').waitFor();
  await name.fill('nut off');
  await panel.getByRole('button', { name: 'Save as glTF' }).click();
  await panel.getByText('Saved as /home/me/nut off.glb').waitFor();
  assert.equal(server.last('SaveAnimation')?.name, 'nut off');
  assert.equal(server.received.filter(({ kind }) => kind === 'SaveAnimation').length, 2);
});
