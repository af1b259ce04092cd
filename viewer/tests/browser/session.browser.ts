// SPDX-License-Identifier: Apache-2.0
// A session as a user has it: the page with the program behind it. Recorded, proved and scrubbed by keys alone;
// strangers; the program ends and is started again.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch } from './open_page';
import { eventually, kPatience } from './patience';
import { everythingIsThere, kSkip, last, listen, measure, Program } from './program';
import type { Traffic } from './program';

const kOptions = { timeout: 400_000, skip: kSkip };
let browser: Browser;
let program: Program;

before(async () => {
  if (kSkip) return;
  program = new Program(['nut-bolt', '--size', 'M6', '--segments', '12', '--clearance', '0.1']);
  browser = await launch();
});

after(async () => {
  if (kSkip) return;
  await browser.close();
  await program.end();
});

interface Visit {
  page: Page;
  traffic: Traffic;
  errors: string[];
  body(name: string): number;
}

async function visit(): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(kPatience);
  const errors: string[] = [];
  page.on('pageerror', (error) => { errors.push(String(error)); });
  const traffic = listen(page);
  await page.goto(program.address);
  await everythingIsThere(traffic);
  const body = (name: string) => last(traffic, 'Scene')!.nodes.find((node) => node.name === name && node.kind === 'body')!.id;
  return { page, traffic, errors, body };
}

/** Keys from now on are for the scene. */
async function search(page: Page, name: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');  // the body below the group of the same name
  await page.keyboard.press('Enter');
  await page.locator('canvas.scene').focus();
}

test('a motion is recorded, proved, and scrubbed to where it meets something, by keys alone', kOptions, async () => {
  await program.start();
  const { page, traffic, errors, body } = await visit();
  const [nut, bolt] = [body('nut'), body('bolt')];
  await search(page, 'nut');
  await eventually('the nut is selected', async () => await page.locator(`[data-node="${nut}"]`).getAttribute('aria-selected') === 'true');
  // Through everything, along x, by more than the thread leaves.
  while (await page.getByRole('radio', { name: 'Free' }).first().getAttribute('aria-checked') !== 'true') await page.keyboard.press('q');
  await page.keyboard.press('r');
  await eventually('it records', () => last(traffic, 'Recording')?.active === true);
  await page.keyboard.press('g');
  await eventually('the nut is held', () => last(traffic, 'Roles')?.node === nut);
  await page.keyboard.press('x');
  for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowRight');
  await eventually('the nut moves along x', () => (last(traffic, 'Held')?.pose.translation[0] ?? 0) > 0.3);
  await eventually('it is seen to clash', () => (last(traffic, 'Clashes')?.pairs.length ?? 0) > 0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('r');
  await eventually('it has ended', () => last(traffic, 'Recording')?.active === false && last(traffic, 'Timeline')?.seconds === false);

  await page.keyboard.press('Shift+R');
  await eventually('the answer', () => last(traffic, 'Proved') !== undefined, 240);
  const proved = last(traffic, 'Proved')!;
  assert.equal(proved.verdict, 'contact');
  assert.ok(proved.firstUpper > 0 && proved.firstUpper < 1, `${proved.firstUpper}`);
  assert.ok(existsSync(proved.study), proved.study);
  await page.getByText('First contact', { exact: true }).waitFor();
  await page.keyboard.press('j');  // it stands at the end
  const contact = proved.contacts[0]!;
  assert.deepEqual(new Set([contact.a, contact.b]), new Set([nut, bolt]));
  await eventually('the scrubber is there', () => last(traffic, 'Position')?.value === contact.sUpper);
  // The library sees them meet there, or as near as it resolves contacts.
  await page.locator('.search input').fill('');
  await page.locator(`[data-node="${nut}"]`).click();
  await page.locator(`[data-node="${bolt}"]`).click({ modifiers: ['Shift'] });
  await eventually('they meet', async () => {
    const measured = await measure(page, traffic);
    return measured !== undefined && (measured.intersecting || measured.upper < 0.05);
  });
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('Control+Home');
  await eventually('at the start', () => last(traffic, 'Position')?.value === 0);
  assert.deepEqual(errors, []);
  await page.close();
  await program.stop();
  assert.ok(existsSync(join(program.folder, 'study-recording', 'study.json')));
});

test('a client without the token gets neither the page nor the socket', kOptions, async () => {
  await program.start();
  const page = await browser.newPage();
  page.setDefaultTimeout(kPatience);
  const wrong = program.address.replace(/[^/](?=\/$)/, (c) => (c === 'a' ? 'b' : 'a'));
  for (const address of [wrong, new URL('/', program.address).href, `${program.address}../`]) {
    const answer = await page.goto(address);
    assert.equal(answer?.status(), 403, address);
    assert.match(await page.locator('body').textContent() ?? '', /lacks its token/);
  }
  // Another page, which even knows the token, as that of another server on this machine.
  await page.route('http://127.0.0.1:1/', (route) => route.fulfill({ contentType: 'text/html', body: '<title>another</title>' }));
  await page.goto('http://127.0.0.1:1/');
  const opens = (address: string) => page.evaluate((url) => new Promise<string>((resolve) => {
    const socket = new WebSocket(url);
    socket.onopen = () => { resolve('opened'); };
    socket.onerror = () => { resolve('refused'); };
  }), address);
  const socket = new URL('socket', program.address).href.replace('http', 'ws');
  assert.equal(await opens(socket), 'refused');
  assert.equal(await opens(socket.replace('127.0.0.1', 'localhost')), 'refused');
  const read = await page.evaluate((url) => fetch(url).then(() => 'read', () => 'refused'), program.address);
  assert.equal(read, 'refused');
  await page.close();
  await program.stop();
});

test('the program is killed in the middle of a drag and started again: the page finds it and restores the view', kOptions, async () => {
  const home = { XDG_STATE_HOME: program.folder };
  await program.start(['--same-address'], home);
  const { address } = program;
  const { page, traffic, errors, body } = await visit();
  const [nut, bolt] = [body('nut'), body('bolt')];
  await page.locator(`[data-node="${bolt}"]`).click();
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('h');
  await page.locator(`[data-node="${nut}"]`).click();
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowUp');
  await eventually('it is held', () => last(traffic, 'Held')?.node === nut);
  const overlay = page.locator('.overlay');
  await program.stop('SIGKILL');
  await eventually('the page says so', async () => /does not answer/.test(await overlay.textContent() ?? ''));
  await eventually('and what to do', async () => /--same-address/.test(await overlay.textContent() ?? ''));

  const hellos = () => traffic.said.filter(({ kind }) => kind === 'Hello').length;
  assert.equal(hellos(), 1);
  await program.start(['--same-address'], home);
  assert.equal(program.address, address);
  await eventually('it is there again', async () => hellos() === 2 && await overlay.isHidden());
  assert.match(await page.locator(`[data-node="${bolt}"]`).getAttribute('class') ?? '', /hidden-part/);
  assert.equal(last(traffic, 'Roles')?.holder, 0, 'nobody holds it');
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowUp');
  await eventually('it is taken anew', () => last(traffic, 'Roles')?.node === nut);

  // With another token the page is informed, and does not retry forever.
  await program.stop();
  await program.start(['--port', new URL(address).port]);
  assert.notEqual(program.address, address);
  await eventually('the page says so', async () => /started anew, under another address/.test(await overlay.textContent() ?? ''));
  assert.deepEqual(errors, []);
  await page.close();
  await program.stop();
});
