// SPDX-License-Identifier: Apache-2.0
// In a report's page: starts the viewer when somebody wants to look. It runs in a frame of its own,
// which may do nothing but draw: no network, no storage, nothing of the report around it.
import './report.css';
import { unpacked } from './packed';

const kPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
const section = document.currentScript?.closest<HTMLElement>('section.viewer');

function find(selector: string): HTMLElement {
  return section!.querySelector<HTMLElement>(selector)!;
}

function fileText(name: string): string {
  return find(`script[data-file="${name}"]`).textContent;
}

function drawsInThreeDimensions(): boolean {
  if (!('DecompressionStream' in window)) return false;
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}

async function framePage(): Promise<string> {
  const text = async (name: string) => new TextDecoder().decode(await unpacked(fileText(name), 'gzip'));
  const [style, script] = await Promise.all([text('main.css'), text('main.js')]);
  return '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="Content-Security-Policy" content="${kPolicy}"><meta name="color-scheme" content="light dark">` +
    `<style>${style}</style></head><body><script type="application/octet-stream;base64" id="report-session">${fileText('session')}</script>` +
    `<script>${script}</script></body></html>`;
}

function start(): void {
  const [look, wide, close, stage] = ['[data-do=look]', '[data-do=wide]', '[data-do=close]', '.viewer-stage'].map(find) as
    [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLElement];
  const setWide = (on: boolean) => {
    section!.classList.toggle('wide', on);
    document.documentElement.classList.toggle('viewer-wide', on);
    wide.setAttribute('aria-pressed', String(on));
    wide.textContent = on ? 'Back into the page' : 'Whole window';
  };
  const show = (on: boolean) => {
    look.hidden = on;
    wide.hidden = close.hidden = !on;
    section!.classList.toggle('open', on);
  };
  // The frame is told which clash the reader wants to see, once it listens.
  let wanted: number | null = null;
  let listens = false;
  const tell = () => {
    const frame = stage.querySelector('iframe');
    if (!frame || !listens || wanted === null) return;
    frame.contentWindow?.postMessage({ clash: wanted }, '*');
    frame.focus();
    wanted = null;
  };
  section!.addEventListener('show-clash', (event) => {
    wanted = (event as CustomEvent<number>).detail;
    if (stage.querySelector('iframe')) tell();
    else look.click();
  });
  look.addEventListener('click', () => {
    look.disabled = true;
    void framePage().then((page) => {
      const frame = document.createElement('iframe');
      frame.title = 'The parts in 3D';
      frame.setAttribute('sandbox', 'allow-scripts allow-downloads');
      frame.srcdoc = page;
      frame.addEventListener('load', () => {
        listens = true;
        frame.focus();
        tell();
      });
      stage.replaceChildren(frame);
      show(true);
    }).catch((error: unknown) => {
      stage.textContent = `The viewer of this report does not start: ${String(error)}`;
    }).finally(() => { look.disabled = false; });
  });
  wide.addEventListener('click', () => { setWide(!section!.classList.contains('wide')); });
  close.addEventListener('click', () => {
    setWide(false);
    listens = false;
    stage.replaceChildren();
    show(false);
    look.focus();
  });
  section!.hidden = false;
}

if (section && drawsInThreeDimensions()) start();
