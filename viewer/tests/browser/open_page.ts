// SPDX-License-Identifier: Apache-2.0
// A page of the viewer in a headless browser, with a stand-in for the server.
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import { kPatience } from './patience';
import { StandIn } from './standin';

const kAddress = 'http://127.0.0.1:8642/token/';
const kTypes: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const kBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** That of the server, from the same file. */
const kPolicy = readFileSync('policy.txt', 'utf8').trim().split('\n').join('; ').replace('{host}', '127.0.0.1:8642');

export function browserPath(): string | undefined {
  return process.env['TOUCHE_BROWSER'] ?? kBrowsers.find((path) => existsSync(path));
}

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath()!,
    headless: true,
    timeout: 120_000,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
  });
}

export interface OpenPage {
  page: Page;
  server: StandIn;              // the newest
  complaints: string[];         // what the console and the policy complained of
  drop(code?: number): Promise<void>;
}

export async function openPage(browser: Browser, bundle: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<void>): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...options });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => { complaints.push(String(error)); });
  await page.route('**/*', async (route) => {
    const name = new URL(route.request().url()).pathname.replace(/^\/token\//, '') || 'index.html';
    const file = join(bundle, name);
    if (!existsSync(file)) return route.fulfill({ status: 404 });
    return route.fulfill({
      body: readFileSync(file), contentType: kTypes[extname(file)] ?? 'application/octet-stream',
      headers: { 'Content-Security-Policy': kPolicy },
    });
  });
  let socket: WebSocketRoute | undefined;
  const opened = { page, complaints } as OpenPage;
  await page.routeWebSocket(/\/socket/, (route) => {
    socket = route;
    opened.server = new StandIn((bytes) => { route.send(Buffer.from(bytes)); });
    route.onMessage((message) => { if (typeof message !== 'string') opened.server.take(new Uint8Array(message)); });
  });
  opened.drop = async (code = 1001) => { await socket?.close({ code }); };
  await prepare?.(page);
  await page.goto(kAddress);
  await page.waitForFunction(() => document.querySelector('.overlay')?.hasAttribute('hidden'));
  return opened;
}
