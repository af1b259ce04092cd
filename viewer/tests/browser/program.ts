// SPDX-License-Identifier: Apache-2.0
// The program behind a page, with a generated scene, and what both say to each other.
// TOUCHE_PROGRAM is the program; without it there is nothing to test.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { drawn, eventually } from './patience';
import { decodeClient, decodeServer } from '../../src/protocol';
import type { ClientMessage, ServerMessage } from '../../src/protocol';

const kProgram = process.env['TOUCHE_PROGRAM'] ?? '';

/** Of tests that need the program: false, or why they are skipped. */
export const kSkip = kProgram ? false : 'TOUCHE_PROGRAM is not set';

/** `touche view` of a scene. */
export class Program {
  readonly folder = mkdtempSync(join(tmpdir(), 'touche-viewer-'));
  address = '';
  said = '';  // on its standard output, since it was started
  private server: ChildProcess | undefined;

  constructor(scene: readonly string[]) {
    const made = spawnSync(kProgram, ['scene', ...scene, '--out', this.folder]);
    assert.equal(made.status, 0, String(made.stderr));
  }

  async start(options: readonly string[] = [], environment: Record<string, string> = {}): Promise<void> {
    await this.stop();
    const server = spawn(kProgram, ['view', '--no-browser', ...options, join(this.folder, 'study.json')],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
    this.server = server;
    this.said = '';
    this.address = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (data: Buffer) => {
        this.said += data.toString();
        const found = /http:\/\/\S+/.exec(this.said);
        if (found) resolve(found[0]);
      });
      server.on('exit', (code) => { reject(new Error(`The program ended with ${code}.`)); });
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (!server || server.exitCode !== null) return;
    const ended = new Promise((resolve) => { server.on('exit', resolve); });
    server.kill(signal);
    await ended;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

export interface Traffic {
  said: ServerMessage[];
  asked: ClientMessage[];
}

export function listen(page: Page): Traffic {
  const traffic: Traffic = { said: [], asked: [] };
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => { if (typeof payload !== 'string') traffic.said.push(decodeServer(new Uint8Array(payload))); });
    socket.on('framesent', ({ payload }) => { if (typeof payload !== 'string') traffic.asked.push(decodeClient(new Uint8Array(payload))); });
  });
  return traffic;
}

export function last<K extends ServerMessage['kind']>(traffic: Traffic, kind: K): Extract<ServerMessage, { kind: K }> | undefined {
  return [...traffic.said].reverse().find((message) => message.kind === kind) as Extract<ServerMessage, { kind: K }> | undefined;
}

/** Waits until all pieces of all meshes have come. */
export async function everythingIsThere(traffic: Traffic): Promise<void> {
  await eventually('everything is there', () => {
    const scene = last(traffic, 'Scene');
    const chunks = scene?.meshes.reduce((sum, mesh) => sum + mesh.chunks, 0);
    return chunks !== undefined && chunks <= traffic.said.filter(({ kind }) => kind === 'MeshChunk').length;
  });
}

/** Measures what is selected. On a busy machine the program's time for that may pass without an answer: nothing. */
export async function measure(page: Page, traffic: Traffic): Promise<Extract<ServerMessage, { kind: 'Measured' }> | undefined> {
  const before = traffic.said.length;
  await page.keyboard.press('Shift+M');
  const answer = () => traffic.said.slice(before).find(({ kind }) => kind === 'Measured' || kind === 'Notice');
  await eventually('an answer', () => answer() !== undefined);
  const said = answer()!;
  return said.kind === 'Measured' ? said : undefined;
}

/** Queries the distance of two parts: the library answers. Repeated if the time was too short to prove
 * more than that the distance is not negative. */
export async function areApart(page: Page, traffic: Traffic, one: number, other: number, what: string): Promise<void> {
  await page.locator(`[data-node="${one}"]`).click();
  await page.locator(`[data-node="${other}"]`).click({ modifiers: ['Shift'] });
  await eventually(what, async () => {
    const measured = await measure(page, traffic);
    if (!measured) return false;
    assert.deepEqual([measured.a, measured.b], [one, other]);
    assert.equal(measured.intersecting, false, what);
    return measured.lower > 0;
  });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** Looks on a vertical line, from one end to the other, for where the pointer is on a part. */
export async function pointAt(page: Page, name: string, x: number, from: number, to: number): Promise<[number, number]> {
  for (let k = 0; k < Math.abs(to - from) / 12; ++k) {
    const y = from + 12 * k * Math.sign(to - from);
    await page.mouse.move(x, y);
    await drawn(page);
    if (new RegExp(`${name}$`).test(await page.locator('.status-line .what').textContent() ?? '')) return [x, y];
  }
  throw new Error(`${name} is not where it is searched for.`);
}
