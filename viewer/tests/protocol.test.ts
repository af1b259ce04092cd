// SPDX-License-Identifier: Apache-2.0
// Messages: what others wrote by docs/protocol.md is read and written again; the program's tests read
// the same samples.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSchema } from '../tools/protocol/schema.mjs';
import { samples } from '../tools/protocol/samples.mjs';
import { ProtocolError, decodeClient, decodeServer, encode } from '../src/protocol';
import { join } from 'node:path';

const all = samples(readSchema(join(process.cwd(), 'protocol/messages.json')), 20);

/** With plain arrays in place of typed ones, as samples have them. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

test('samples of all messages are read, and written as the same bytes', () => {
  for (const { side, bytes, value } of all) {
    const message = side === 'server' ? decodeServer(bytes) : decodeClient(bytes);
    assert.deepEqual(plain(message), value);
    assert.deepEqual(encode(message), bytes, value.kind);
  }
});

test('messages that are cut off or too long are refused with the position', () => {
  for (const { side, bytes } of all) {
    const decode = side === 'server' ? decodeServer : decodeClient;
    for (const wrong of [bytes.subarray(0, bytes.length - 1), Uint8Array.of(...bytes, 0)]) {
      assert.throws(() => decode(wrong), (error: unknown) => error instanceof ProtocolError && error.byte <= bytes.length);
    }
    const other = side === 'server' ? decodeClient : decodeServer;
    assert.throws(() => other(bytes), ProtocolError, 'a message of the other side');
  }
});
