// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '../src/store';

test('listeners hear at once, of their keys, and only of changes', () => {
  const store = new Store({ a: 1, b: 2 });
  const heard: number[] = [];
  const stop = store.subscribe(['a'], ({ a }) => { heard.push(a); });
  store.update({ a: 5 });
  store.update({ b: 3 });
  store.update({ a: 5 });
  store.update({ a: 6, b: 4 });
  stop();
  store.update({ a: 7 });
  assert.deepEqual(heard, [1, 5, 6]);
});

test('several keys in one update are one call', () => {
  const store = new Store({ a: 1, b: 2 });
  let calls = 0;
  store.subscribe(['a', 'b'], () => { ++calls; });
  store.update({ a: 2, b: 3 });
  assert.equal(calls, 2);
});

test('a listener may update: all are called afterwards, and all see the whole update', () => {
  const store = new Store({ a: 1, double: 2 });
  const seen: string[] = [];
  store.subscribe(['a'], ({ a }) => { store.update({ double: 2 * a }); });
  store.subscribe(['a', 'double'], ({ a, double }) => { seen.push(`${a} ${double}`); });
  store.update({ a: 4 });
  assert.deepEqual(seen, ['1 2', '4 8', '4 8']);
});

test('a change in place is announced by touch', () => {
  const store = new Store({ list: [1] });
  let calls = 0;
  store.subscribe(['list'], () => { ++calls; });
  store.get().list.push(2);
  store.update({ list: store.get().list });
  assert.equal(calls, 1);
  store.touch('list');
  assert.equal(calls, 2);
});
