// SPDX-License-Identifier: Apache-2.0
// Files inside a page: base64 of what was packed.

/** What was packed. Rejects where the bytes are no such format. */
export async function unpacked(base64: string, format: 'gzip' | 'deflate'): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Messages one after the other, each after its length in 32 bits: src/viewer/report_session.h. */
export function splitMessages(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 <= bytes.length ? at + 4 + view.getUint32(at, true) : Infinity;
    if (end > bytes.length) throw new Error('The messages of this report are cut off.');
    messages.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return messages;
}
