// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bandAt, bandPath, clearanceScale, contactMarks, floorPath, neighbour, niceTicks, spans } from '../src/panels/chart';
import { clashMatrix, countByClass, shownRows } from '../src/panels/clash_list';
import { bracket, change, clock, figure, grouped, percent } from '../src/panels/figures';
import { Arrival, filmPlaces, frameName, makeFilm } from '../src/panels/film';
import { fileNameError } from '../src/panels/names';
import { handlePanelMessages } from '../src/panels/panel_state';
import { qualitiesOf, qualityTitle } from '../src/panels/volumes_panel';
import { crc32, storedZip } from '../src/panels/zip';
import { Inbox } from '../src/inbox';
import type { Band, ClashRow, PathContact } from '../src/protocol';
import { initialState } from '../src/state';
import type { AppStore } from '../src/state';
import { Store } from '../src/store';

const kInside = Infinity;

function contact(sLower: number, sUpper: number, sEnd: number, allowed = false): PathContact {
  return {
    sLower, sUpper, sEnd, a: 1, b: 2, faceA: 0, faceB: 0, point: [0, 0, 0], normal: [0, 0, 1], thicknessLower: 0, thicknessUpper: 0, allowed,
  };
}
function band(sStart: number, sEnd: number, lower: number, upper: number): Band {
  return { sStart, sEnd, lower, upper };
}

test('figures: lower bounds are never rounded up, upper bounds never down', () => {
  let value = 0.37;
  for (let i = 0; i < 2000; ++i) {
    value = (value * 16807.123) % 1;
    const x = (value - 0.5) * 10 ** ((i % 12) - 5);
    for (const digits of [2, 3, 5]) {
      const read = (text: string) => {
        const [mantissa, power] = text.replace('−', '-').split(' · 10');
        const exponent = (power ?? '').replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (c) => (c === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c))));
        return Number(`${mantissa}e${exponent || '0'}`);
      };
      const slack = 1e-12 * Math.abs(x);
      assert.ok(read(figure(x, digits, 'down')) <= x + slack, `${x} down ${figure(x, digits, 'down')}`);
      assert.ok(read(figure(x, digits, 'up')) >= x - slack, `${x} up ${figure(x, digits, 'up')}`);
      assert.ok(Math.abs(read(figure(x, digits)) - x) <= 0.51 * 10 ** (Math.floor(Math.log10(Math.abs(x))) - digits + 1));
    }
  }
});

test('figures as people read them', () => {
  assert.equal(figure(0), '0');
  assert.equal(figure(12.5), '12.5');
  assert.equal(figure(-0.00012345, 3), '−0.000123');
  assert.equal(figure(1234567, 3), '1234567');
  assert.equal(figure(3.2e-9, 2), '3.2 · 10⁻⁹');
  assert.equal(figure(Infinity), '∞');
  assert.equal(bracket(0.43112, 0.43113), '0.43112 to 0.43113');
  assert.equal(bracket(2, 2, 'mm'), '2 mm');
  assert.equal(bracket(1.2, Infinity, 'mm'), '1.2 mm or more');
  assert.equal(bracket(0, 0.5, 'mm'), '0 to 0.5 mm');
  assert.equal(grouped(1234567), '1\u202f234\u202f567');
  assert.equal(clock(0), '0:00.0');
  assert.equal(clock(59.96), '0:59.9');
  assert.equal(clock(61.2), '1:01.2');
  assert.equal(percent(0.0004), '< 0.1 %');
  assert.equal(change(62, 100), '−38 %');
  assert.equal(change(100, 100), 'the same');
});

test('spans: free is only what is proved, and the graver of two shows', () => {
  const proof = {
    verdict: 'contact' as const, firstLower: 0.3, contacts: [contact(0.1, 0.11, 0.2, true), contact(0.3, 0.31, 0.5), contact(0.15, 0.16, 0.17)],
    profile: [band(0.6, 0.7, 0.5, 0.6), band(0.7, 0.8, 0, 0.1)],
  };
  assert.deepEqual(spans(proof, 0, 1), [
    { from: 0, to: 0.1, kind: 'free' }, { from: 0.1, to: 0.15, kind: 'allowed' }, { from: 0.15, to: 0.17, kind: 'contact' },
    { from: 0.17, to: 0.2, kind: 'allowed' }, { from: 0.2, to: 0.3, kind: 'free' }, { from: 0.3, to: 0.5, kind: 'contact' },
    { from: 0.5, to: 0.6, kind: 'undecided' }, { from: 0.6, to: 0.7, kind: 'free' }, { from: 0.7, to: 1, kind: 'undecided' },
  ]);
  assert.deepEqual(spans({ verdict: 'free', firstLower: kInside, contacts: [], profile: [] }, 0, 1), [{ from: 0, to: 1, kind: 'free' }]);
  assert.deepEqual(spans({ verdict: 'undecided', firstLower: 0, contacts: [], profile: [] }, 0, 1), [{ from: 0, to: 1, kind: 'undecided' }]);
  assert.deepEqual(spans({ verdict: 'open', firstLower: 1, contacts: [], profile: [band(0, 1, 0.5, 0.6)] }, 0, 1), [{ from: 0, to: 1, kind: 'undecided' }]);
});

test('the scale of clearances goes up, from 0 to 1', () => {
  for (const profile of [[band(0, 1, 1, 2)], [band(0, 0.5, 0.01, 0.02), band(0.5, 1, 200, kInside)], [band(0, 1, 0, 0)]]) {
    const scale = clearanceScale(profile, 0.001);
    assert.equal(scale.of(0), 0);
    let last = 0;
    for (let k = 0; k <= 100; ++k) {
      const y = scale.of((scale.top * k) / 100);
      assert.ok(y >= last && y <= 1);
      last = y;
    }
    assert.ok(last > 0.99);
    assert.ok(scale.ticks.length >= 2 && scale.ticks.length <= 7 && scale.ticks[0] === 0);
    assert.ok(scale.ticks.every((tick, i) => i === 0 || tick > scale.ticks[i - 1]!));
  }
  // What is tight can still be read beside what is wide.
  assert.ok(clearanceScale([band(0, 0.5, 0.1, 0.1), band(0.5, 1, 500, 500)], 0.001).of(0.1) > 0.05);
});

test('ticks are round', () => {
  assert.deepEqual(niceTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(niceTicks(0.13, 0.42, 3), [0.2, 0.3, 0.4]);
  assert.deepEqual(niceTicks(2, 2, 3), [2]);
});

test('the band is one outline where it hangs together', () => {
  const x = (s: number) => 100 * s;
  const y = (c: number) => 10 - c;
  assert.equal(bandPath([band(0, 0.5, 1, 2), band(0.5, 1, 2, 3)], x, y), 'M0 8L50 8L50 7L100 7L100 8L50 8L50 9L0 9Z');
  assert.equal(bandPath([band(0, 0.4, 1, 2), band(0.5, 1, 2, 3)], x, y).split('M').length, 3);
  assert.equal(floorPath([band(0, 0.5, 1, 2), band(0.6, 1, 2, 3)], x, y), 'M0 9L50 9M60 8L100 8');
});

test('the band at a position', () => {
  const profile = [band(0, 0.2, 1, 2), band(0.2, 0.4, 2, 3), band(0.6, 1, 3, 4)];
  assert.equal(bandAt(profile, 0.1), profile[0]);
  assert.equal(bandAt(profile, 0.3), profile[1]);
  assert.equal(bandAt(profile, 0.5), null);
  assert.equal(bandAt(profile, 1), profile[2]);
  assert.equal(bandAt([], 0.5), null);
});

test('marks that are close are one, at its gravest contact', () => {
  const contacts = [contact(0.1, 0.1, 0.1, true), contact(0.11, 0.11, 0.2), contact(0.5, 0.5, 0.5, true)];
  assert.deepEqual(contactMarks(contacts, (s) => 100 * s, 5), [{ at: 11, allowed: false, contacts: [0, 1] }, { at: 50, allowed: true, contacts: [2] }]);
});

test('from contact to contact', () => {
  const contacts = [contact(0.1, 0.1, 0.1), contact(0.5, 0.5, 0.6)];
  assert.equal(neighbour(contacts, null, 0.2, 1), 1);
  assert.equal(neighbour(contacts, null, 0.2, -1), 0);
  assert.equal(neighbour(contacts, 1, 0.5, 1), null);
  assert.equal(neighbour(contacts, 1, 0.5, -1), 0);
  assert.equal(neighbour([], null, 0.5, 1), null);
});

function row(a: number, b: number, verdict: ClashRow['verdict'], accepted = false): ClashRow {
  return {
    a, b, verdict, distanceLower: 0, distanceUpper: 0, thicknessLower: 0, thicknessUpper: 0, faceA: 0, faceB: 0, point: [0, 0, 0], hasPoint: true, accepted,
    comment: '',
  };
}

test('clashes: accepted ones last, filtered by class', () => {
  const rows = [row(1, 2, 'clash', true), row(1, 3, 'clash'), row(2, 3, 'near'), row(3, 4, 'touching')];
  assert.deepEqual(shownRows(rows, { classes: new Set(['clash', 'touching']), accepted: true }), [rows[1], rows[3], rows[0]]);
  assert.deepEqual(shownRows(rows, { classes: new Set(['clash']), accepted: false }), [rows[1]]);
  assert.deepEqual([...countByClass(rows)], [['clash', 2], ['near', 1], ['touching', 1]]);
});

test('the matrix has each pair once, below the diagonal, and keeps the busiest parts', () => {
  const rows = [row(9, 2, 'clash'), row(2, 5, 'near'), row(7, 8, 'touching')];
  const { parts, cells } = clashMatrix(rows, 3);
  assert.deepEqual(parts, [2, 5, 7]);
  assert.deepEqual(cells.map(({ row: r, column }) => [r, column]), [[1, 0]]);
  assert.ok(clashMatrix(rows, 10).cells.every(({ row: r, column }) => r > column));
  assert.equal(clashMatrix(rows, 10).cells.length, 3);
});

test('crc32 of the standard text', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
  assert.equal(crc32(new Uint8Array()), 0);
});

test('a zip file is read by another program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touche-zip-'));
  try {
    const bytes = new Uint8Array(70000).map((_, i) => (i * 31) & 255);
    writeFileSync(join(folder, 'a.zip'), Buffer.concat(storedZip([
      { name: '0000.png', bytes }, { name: 'größe.txt', bytes: new TextEncoder().encode('ja') }, { name: 'empty', bytes: new Uint8Array() },
    ])));
    const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("|".join(z.namelist())); ' +
      'open(sys.argv[2], "wb").write(z.read("0000.png"))';
    const names = execFileSync('python3', ['-X', 'utf8', '-c', script, join(folder, 'a.zip'), join(folder, 'out')], { encoding: 'utf8' });
    assert.equal(names.trim(), '0000.png|größe.txt|empty');
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'out'))), bytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a film is made in order, ends at the end, and can be stopped', async () => {
  const places = filmPlaces({ start: 1, end: 2 }, 4);
  assert.equal(places.length, 4);
  assert.equal(places[0], 1);
  assert.equal(places[3], 2);
  const seen: number[] = [];
  const source = {
    async goTo(place: number) { seen.push(place); },
    async picture() { return new Uint8Array([seen.length]); },
  };
  let done = 0;
  const zip = await makeFilm(source, places, () => false, (n) => { done = n; });
  assert.deepEqual(seen, places);
  assert.equal(done, 4);
  assert.ok(zip && zip.length > 8);
  assert.equal(await makeFilm(source, places, () => seen.length >= 6, () => {}), null);
  assert.equal(seen.length, 6);
  assert.equal(frameName(7, 100), '0007.png');
  assert.equal(frameName(7, 123456), '000007.png');
});

test('arrival waits for the position itself, of position and of poses, and not for ever', async () => {
  const arrival = new Arrival();
  let there = false;
  const wait = arrival.at(0.5, 1e-9, 5000).then(() => { there = true; });
  arrival.reached('position', 0.5);
  arrival.reached('poses', 0.4);
  await Promise.resolve();
  assert.equal(there, false);
  arrival.reached('poses', 0.5);
  await wait;
  assert.equal(there, true);
  await assert.rejects(arrival.at(0.7, 1e-9, 10), /in time/);
});

test('names of files are accepted as the server accepts them', () => {
  for (const name of ['a', 'nut off', '_-9', 'x'.repeat(100)]) assert.equal(fileNameError(name), null, name);
  for (const name of ['', ' a', 'a ', '../a', 'a/b', 'a.glb', 'Gehäuse', 'a\n', 'x'.repeat(101)]) assert.notEqual(fileNameError(name), null, name);
});

test('what was saved is reported, and the path of the animation stays known', () => {
  const store: AppStore = new Store(initialState());
  const inbox = new Inbox();
  handlePanelMessages(inbox, store);
  inbox.take({ kind: 'Saved', what: 'study', file: '/a/study.json' });
  assert.equal(store.get().animationFile, '');
  inbox.take({ kind: 'Saved', what: 'animation', file: '/a/b.glb' });
  assert.equal(store.get().animationFile, '/a/b.glb');
  assert.deepEqual(store.get().notices.map(({ level, text }) => `${level} ${text}`), ['remark Saved: /a/study.json', 'remark Saved: /a/b.glb']);
});

test('qualities of trees: the Hausdorff distance only where the volume has it', () => {
  const names = ['volume', 'hausdorff'].map((text) => ({ text }));
  const choices = { kind: 'TreeChoices' as const, volumes: [{ text: 'obb', hausdorff: true }, { text: 'dop14', hausdorff: false }], methods: [], qualities: names, combines: [] };
  assert.deepEqual(qualitiesOf(choices, 'obb'), ['volume', 'hausdorff']);
  assert.deepEqual(qualitiesOf(choices, 'dop14'), ['volume']);
  assert.deepEqual(qualitiesOf(null, 'obb'), ['surface_area'], 'before the server answered');
  assert.equal(qualityTitle('surface_area')[0], 'surface area');
  assert.equal(qualityTitle('some_other')[0], 'some other');
});
