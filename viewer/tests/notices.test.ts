// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeToRead } from '../src/ui/notices';

test('long remarks stay longer than short ones', () => {
  assert.equal(timeToRead('Saved: study.json'), 6000);
  assert.equal(timeToRead('x'.repeat(260)), 16_000);
});
