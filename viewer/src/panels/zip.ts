// SPDX-License-Identifier: Apache-2.0
// A zip file of files stored as they are: PNG pictures do not get smaller by another compression.
// APPNOTE.TXT 4.3; names are UTF-8 (flag 11), no file and no archive reaches 4 GiB.

export interface ZipEntry {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const kTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = kTable[(c ^ byte) & 0xff]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

const kUtf8 = 0x0800;
const kDate = 0x0021;  // 1 January 1980: the same pictures make the same bytes
const kLimit = 0xffffffff;

/** The pieces of the archive, in order. Throws RangeError where it would get too large. */
export function storedZip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  if (entries.length > 0xffff) throw new RangeError('A zip file holds at most 65535 files.');
  for (const { name, bytes } of entries) {
    const encoded = new TextEncoder().encode(name);
    const common = [20, kUtf8, 0, 0, kDate];  // version, flags, stored, time, date
    const sizes = [crc32(bytes), bytes.length, bytes.length];
    const local = header(0x04034b50, common, sizes, [encoded.length, 0], []);
    pieces.push(local, encoded, bytes);
    directory.push(header(0x02014b50, [20, ...common], sizes, [encoded.length, 0, 0, 0, 0], [0, offset]), encoded);
    offset += local.length + encoded.length + bytes.length;
    if (offset > kLimit) throw new RangeError('The pictures are more than 4 GiB.');
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = header(0x06054b50, [0, 0, entries.length, entries.length], [size, offset], [0], []);
  return [...pieces, ...directory, end];
}

/** A signature, 16-bit numbers, 32-bit numbers, 16-bit numbers, 32-bit numbers. */
function header(signature: number, a: number[], b: number[], c: number[], d: number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + 2 * (a.length + c.length) + 4 * (b.length + d.length));
  const view = new DataView(bytes.buffer);
  let at = 0;
  const put = (values: number[], size: 2 | 4) => {
    for (const value of values) {
      if (size === 2) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
      at += size;
    }
  };
  put([signature], 4);
  put(a, 2);
  put(b, 4);
  put(c, 2);
  put(d, 4);
  return bytes;
}
