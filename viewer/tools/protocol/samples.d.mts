// SPDX-License-Identifier: Apache-2.0
export interface Sample {
  side: 'server' | 'client';
  bytes: Uint8Array;
  value: { kind: string };
}
export function samples(schema: Schema, each: number, seed?: number): Sample[];
export interface Schema { version: number }
