// SPDX-License-Identifier: Apache-2.0
// How fast the viewer is, measured in a real browser against the real server:
//   node bench/viewer.mjs [--touche build/touche] [--bundle build/viewer-bundle] [--triangles 200000]
//                         [--steps 10000] [--rate 60] [--seconds 20] [--minutes 0] [--only NAME,...]
// A headlamp is generated in out/bench-viewer. NAMEs, by default all:
//   bundle   bytes of the page
//   wire     bytes per triangle, time until all meshes have come
//   steps    a client without pictures takes the first cover away and then drags the bulb behind it
//            out of the lamp and back in, 2 mm beside the study's path, so that it rubs and is held
//            back; as often as --steps says: time of the server's steps, and from a Drag to its Held
//   pointer  a pointer drags the bulb in its seat about, in the page, for --seconds: from the event to
//            the message that is sent (in the page), and from there to the new pose (in the browser's
//            network process)
//   report   bytes of the page that touche study writes of the headlamp, with and without its viewer
//   memory   of the page: every 10 s for --minutes, while the view turns and the bulb moves
// The browser draws in software. TOUCHE_BROWSER names one that is not /usr/bin/chromium.
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {gzipSync} from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(join(root, 'viewer', 'package.json'));
const {chromium} = require('playwright-core');
const {buildSync} = require('esbuild');
const {values: options} = parseArgs({
  options: {
    touche: {type: 'string', default: join(root, 'build', 'touche')},
    bundle: {type: 'string', default: join(root, 'build', 'viewer-bundle')},
    triangles: {type: 'string', default: '200000'},
    steps: {type: 'string', default: '10000'},
    rate: {type: 'string', default: '60'},
    seconds: {type: 'string', default: '20'},
    minutes: {type: 'string', default: '0'},
    only: {type: 'string', default: 'bundle,wire,steps,pointer,memory,report'},
  },
});
const wanted = new Set(options.only.split(','));
const folder = join(root, 'out', `bench-viewer-${options.triangles}`);

// ---- measuring ------------------------------------------------------------------------------------

function line(name, value) {
  console.log(`${name.padEnd(52)} ${value}`);
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function times(name, values) {
  if (values.length === 0) throw new Error(`${name}: nothing was measured`);
  const [half, most, all] = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(2));
  line(name, `median ${half} ms, 99 % ${most} ms, most ${all} ms, of ${values.length}`);
}

// ---- the server and the browser --------------------------------------------------------------------

async function serve() {
  const program = spawn(options.touche, ['view', join(folder, 'study.json'), '--no-browser', '--rate', options.rate],
      {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  const started = performance.now();
  for await (const piece of program.stdout) {
    text += piece;
    if (text.includes('Ctrl-C')) break;
  }
  if (!text.startsWith('http')) throw new Error('the server does not start');
  return {url: text.split('\n')[0], program, seconds: (performance.now() - started) / 1000};
}

// Reads and writes messages in a page, as the viewer does.
const protocol = buildSync({
  stdin: {contents: `export * from './protocol'`, resolveDir: join(root, 'viewer', 'src'), loader: 'ts'},
  bundle: true, format: 'iife', globalName: 'Protocol', write: false,
}).outputFiles[0].text;

// A page of the server's own origin without any picture, whose client keeps count.
async function lightPage(browser, url) {
  const page = await browser.newPage();
  await page.goto(`${url}licences.txt`);
  await page.evaluate(protocol + ';globalThis.Protocol = Protocol');
  await page.evaluate(async () => {
    const {encode, decodeServer, kVersion} = globalThis.Protocol;
    const socket = new WebSocket(new URL('socket', location.href).href.replace('http', 'ws'));
    socket.binaryType = 'arraybuffer';
    const client = globalThis.client = {chunks: 0, bytes: 0, begun: performance.now(), complete: 0, waiting: [], held: []};
    client.send = (message) => socket.send(encode(message));
    socket.onmessage = ({data}) => {
      const message = decodeServer(new Uint8Array(data));
      if (message.kind === 'Scene') client.scene = message;
      if (message.kind === 'MeshChunk') {
        ++client.chunks;
        client.bytes += data.byteLength;
        if (client.chunks === client.scene.meshes.reduce((sum, mesh) => sum + mesh.chunks, 0)) client.complete = performance.now();
      }
      if (message.kind === 'Held') client.waiting.splice(0).forEach((resolve) => resolve(message));
    };
    client.next = () => new Promise((resolve, reject) => {
      if (client.closed) reject(new Error(client.closed));
      client.waiting.push((message) => (message ? resolve(message) : reject(new Error(client.closed))));
    });
    await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onclose = reject; });
    socket.onclose = ({code, reason}) => {
      client.closed = `the server closed: ${code} ${reason}`;
      client.waiting.splice(0).forEach((tell) => tell(null));
    };
    client.send({kind: 'Enter', protocol: kVersion});
  });
  await page.waitForFunction(() => globalThis.client.complete > 0, undefined, {timeout: 60000});
  return page;
}

// ---- what is measured -------------------------------------------------------------------------------

function bundle() {
  const files = readdirSync(options.bundle).filter((name) => !name.endsWith('.map'));
  const bytes = files.map((name) => statSync(join(options.bundle, name)).size);
  const packed = files.map((name) => gzipSync(readFileSync(join(options.bundle, name)), {level: 9}).length);
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  line('bundle', `${sum(bytes)} bytes, packed ${sum(packed)}`);
}

async function wire(browser, url) {
  const page = await lightPage(browser, url);
  const {bytes, triangles, seconds} = await page.evaluate(() => {
    const {bytes, scene, begun, complete} = globalThis.client;
    const triangles = scene.meshes.filter((mesh) => mesh.chunks > 0).reduce((sum, mesh) => sum + mesh.triangles, 0);
    return {bytes, triangles, seconds: (complete - begun) / 1000};
  });
  line('triangles', triangles);
  line('bytes per triangle on the wire', (bytes / triangles).toFixed(2));
  line('until all meshes have come', `${seconds.toFixed(2)} s`);
  await page.close();
}

async function steps(browser, url, study) {
  const page = await lightPage(browser, url);
  const [cover, bulb] = study.groups.filter((group) => group.motion)
      .map(({name, motion}) => ({name, poses: motion.poses}));
  const result = await page.evaluate(async ({cover, bulb, count}) => {
    const {client} = globalThis;
    let sequence = 0, last = 0;
    const take = (name, mode) => {
      const node = client.scene.nodes.find((each) => each.name === name);
      if (!node) throw new Error(`no node is called ${name}`);
      client.send({kind: 'Grab', node: node.id, mode, point: node.pose.translation});
    };
    const drag = async ({translation: [x, y, z], quaternion}, dx, dy) => {
      const target = {translation: [x + dx, y + dy, z], rotation: quaternion};
      // Who sends more than 1000 messages a second is closed.
      while (performance.now() < last + 2) await new Promise((resolve) => setTimeout(resolve, 1));
      last = performance.now();
      client.send({kind: 'Drag', sequence: ++sequence, clientTime: performance.now(), target});
      let held = await client.next();
      while (held.sequence !== sequence) held = await client.next();
      return held;
    };
    take(cover.name, 'free');
    await drag(cover.poses.at(-1), 0, 0);
    client.send({kind: 'Release'});
    take(bulb.name, 'contact');
    const inside = bulb.poses.slice(0, bulb.poses.length / 2);
    const measured = {steps: [], trips: [], contacts: 0, heldBack: 0};
    for (let i = 0; i < count; ++i) {
      const round = i % (2 * inside.length);
      const pose = inside[round < inside.length ? round : 2 * inside.length - 1 - round];
      const held = await drag(pose, 2 * Math.sin(i / 15), 2 * Math.sin(i / 11));
      measured.trips.push(performance.now() - last);
      measured.steps.push(held.milliseconds);
      if (held.contacts.length > 0) ++measured.contacts;
      if (held.status === 'held_back') ++measured.heldBack;
    }
    client.send({kind: 'Release'});
    return measured;
  }, {cover, bulb, count: Number(options.steps)});
  times('step of the server', result.steps);
  const share = result.steps.filter((time) => time < 8).length / result.steps.length;
  line('steps below 8 ms', `${(100 * share).toFixed(2)} %`);
  line('steps with contacts, held back', `${result.contacts}, ${result.heldBack}`);
  times('from a Drag to its Held, in the page', result.trips);
  await page.close();
}

// The viewer's page, whose canvas is drawn.
async function viewerPage(browser, url) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  // Remembers when each Drag was sent, and when the event came that it is of.
  await page.addInitScript(() => {
    globalThis.drags = new Map();
    let event = 0;
    for (const kind of ['pointermove', 'pointerrawupdate'])
      addEventListener(kind, ({timeStamp}) => { event = timeStamp; }, {capture: true});
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function(data) {
      const bytes = data.buffer ? data : new Uint8Array(data);
      if (bytes[0] === 130) {
        const sequence = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true);
        globalThis.drags.set(sequence, {event, sent: performance.now()});
      }
      return send.call(this, data);
    };
  });
  const begun = performance.now();
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('.overlay')?.hasAttribute('hidden'), undefined, {timeout: 60000});
  return {page, seconds: (performance.now() - begun) / 1000};
}

// Takes the main beam's bulb by the pointer where it sits; nothing else is shown, but all of it is there.
async function grab(page) {
  await page.getByRole('treeitem', {name: 'main beam bulb', exact: true}).first().click();
  await page.keyboard.press('i');
  await page.keyboard.press('f');
  for (let k = 0; k < 60; ++k) {
    const x = 640 + 12 * (k % 6) * (k % 2 ? 1 : -1), y = 400 + 15 * Math.floor(k / 6) * (k % 2 ? 1 : -1);
    await page.mouse.move(x, y);
    await page.waitForTimeout(300);  // the view glides there
    if (!/bulb (glass|base)$/.test(await page.locator('.status-line .what').textContent())) continue;
    await page.mouse.down();
    await page.mouse.move(x + 6, y, {steps: 3});
    await page.waitForFunction(() => globalThis.drags.size > 0);
    return {x, y};
  }
  throw new Error('the bulb cannot be taken');
}

async function pointer(browser, url) {
  const {page, seconds} = await viewerPage(browser, url);
  line('until there is a picture', `${seconds.toFixed(2)} s`);
  const network = await page.context().newCDPSession(page);
  const sent = new Map(), received = new Map();
  const ends = {undecided: 0, arrived: 0, held_back: 0, touching: 0};
  const note = (map, id) => ({timestamp, response}) => {
    const bytes = Buffer.from(response.payloadData, 'base64');
    if (bytes[0] !== id) return;
    // Of a drag that is not decided at once, the first pose counts.
    const sequence = bytes.readUInt32LE(1);
    if (!map.has(sequence)) map.set(sequence, timestamp * 1000);
    if (id === 5) ++ends[Object.keys(ends)[bytes[22]]];
  };
  network.on('Network.webSocketFrameSent', note(sent, 130));
  network.on('Network.webSocketFrameReceived', note(received, 5));
  await network.send('Network.enable');
  const {x, y} = await grab(page);
  const end = performance.now() + 1000 * Number(options.seconds);
  for (let i = 0; performance.now() < end; ++i) {
    await page.mouse.move(x + 160 * Math.sin(i / 20), y + 120 * Math.sin(i / 13));
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
  const drags = new Map(await page.evaluate(() => [...globalThis.drags]));
  const inPage = [], onWire = [], both = [];
  for (const [sequence, when] of drags) {
    if (!received.has(sequence) || !sent.has(sequence)) continue;  // a newer one took its place
    inPage.push(when.sent - when.event);
    onWire.push(received.get(sequence) - sent.get(sequence));
    both.push(inPage.at(-1) + onWire.at(-1));
  }
  line('steps while it is dragged', Object.entries(ends).map(([name, count]) => `${count} ${name}`).join(', '));
  times('from the pointer event to the message', inPage);
  times('from the message to the new pose', onWire);
  times('from the pointer event to the new pose on the wire', both);
  await page.close();
}

async function memory(browser, url) {
  const {page} = await viewerPage(browser, url);
  const inspector = await page.context().newCDPSession(page);
  const {x, y} = await grab(page);
  const sizes = [];
  const end = performance.now() + 60000 * Number(options.minutes);
  for (let i = 0, next = 0; performance.now() < end; ++i) {
    await page.mouse.move(x + 160 * Math.sin(i / 20), y + 120 * Math.sin(i / 13));
    if (performance.now() < next) continue;
    next = performance.now() + 10000;
    await inspector.send('HeapProfiler.collectGarbage');
    sizes.push(await page.evaluate(() => performance.memory.usedJSHeapSize) / 1e6);
  }
  const third = Math.ceil(sizes.length / 3);
  line('memory of the page, MB', `${sizes[0].toFixed(1)} at first, at most ${Math.max(...sizes.slice(0, third)).toFixed(1)} in the ` +
      `first third and ${Math.max(...sizes.slice(-third)).toFixed(1)} in the last, ${sizes.at(-1).toFixed(1)} at the end`);
  await page.close();
}

// What is in the page has to be proved first, which takes a minute or two.
function report() {
  const out = join(folder, 'report');
  for (const [name, more] of [['with its viewer', []], ['without', ['--no-viewer']]]) {
    const {status} = spawnSync(resolve(options.touche), ['study', join(folder, 'study.json'), '--no-explain', '--out', out, ...more],
        {stdio: ['ignore', 'ignore', 'inherit']});
    if (status > 1) throw new Error('there is no report');
    line(`report ${name}`, `${statSync(join(out, 'report.html')).size} bytes`);
  }
}

// ---- all of it --------------------------------------------------------------------------------------

if (wanted.has('bundle')) bundle();
if (['wire', 'steps', 'pointer', 'memory', 'report'].some((name) => wanted.has(name))) {
  if (!existsSync(join(folder, 'study.json')))
    spawnSync(resolve(options.touche), ['scene', 'headlamp', '--triangles', options.triangles, '--out', folder], {stdio: 'inherit'});
  const study = JSON.parse(readFileSync(join(folder, 'study.json'), 'utf8'));
  const server = await serve();
  line('until the server listens', `${server.seconds.toFixed(2)} s`);
  const browser = await chromium.launch({
    executablePath: process.env['TOUCHE_BROWSER'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      '--enable-precise-memory-info', '--disable-background-networking'],
  });
  try {
    if (wanted.has('wire')) await wire(browser, server.url);
    if (wanted.has('steps')) await steps(browser, server.url, study);
    if (wanted.has('pointer')) await pointer(browser, server.url);
    if (wanted.has('memory') && Number(options.minutes) > 0) await memory(browser, server.url);
  } finally {
    await browser.close();
    server.program.kill('SIGINT');
  }
}
if (wanted.has('report')) report();
