// SPDX-License-Identifier: Apache-2.0
// The values that messages are made of, as bytes: docs/protocol.md.

export type Vec3 = [number, number, number];
/** A rotation, a unit quaternion w, x, y, z, and after it a translation. */
export interface Pose {
  translation: Vec3;
  rotation: [number, number, number, number];
}

/** Bytes that are no message; `byte` is where they stop to be one. */
export class ProtocolError extends Error {
  readonly byte: number;
  constructor(byte: number, reason: string) {
    super(`byte ${byte}: ${reason}`);
    this.byte = byte;
  }
}

type Numbers = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float32Array |
    Float64Array;

export class Reader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: ArrayBuffer | Uint8Array) {
    this.bytes = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  u8(): number { return this.view.getUint8(this.take(1)); }
  i8(): number { return this.view.getInt8(this.take(1)); }
  u16(): number { return this.view.getUint16(this.take(2), true); }
  u32(): number { return this.view.getUint32(this.take(4), true); }
  i32(): number { return this.view.getInt32(this.take(4), true); }
  f32(): number { return this.finite(this.view.getFloat32(this.take(4), true), 4); }
  f64(): number { return this.finite(this.view.getFloat64(this.take(8), true), 8); }
  bound(): number {
    const value = this.view.getFloat64(this.take(8), true);
    if (Number.isNaN(value)) throw new ProtocolError(this.at - 8, 'not a number');
    return value;
  }
  bool(): boolean { return this.choice([false, true]); }
  vec3(): Vec3 { return [this.f64(), this.f64(), this.f64()]; }
  pose(): Pose {
    const translation = this.vec3();
    return {translation, rotation: [this.f64(), this.f64(), this.f64(), this.f64()]};
  }
  choice<T>(values: readonly T[]): T {
    const number = this.u8();
    if (number >= values.length) throw new ProtocolError(this.at - 1, 'there is no such choice');
    return values[number] as T;
  }
  text(max: number): string {
    const length = this.count(max, 1);
    const from = this.take(length);
    try {
      return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(this.bytes.subarray(from, from + length));
    } catch {
      throw new ProtocolError(from, 'no UTF-8');
    }
  }
  array<T>(max: number, leastSize: number, read: () => T): T[] {
    const count = this.count(max, leastSize);
    const values: T[] = [];
    for (let i = 0; i < count; ++i) values.push(read());
    return values;
  }

  u8s(max: number): Uint8Array { return this.numbers(max, 1, Uint8Array); }
  i8s(max: number): Int8Array { return this.numbers(max, 1, Int8Array); }
  u16s(max: number): Uint16Array { return this.numbers(max, 2, Uint16Array); }
  u32s(max: number): Uint32Array { return this.numbers(max, 4, Uint32Array); }
  i32s(max: number): Int32Array { return this.numbers(max, 4, Int32Array); }
  f32s(max: number): Float32Array { return this.allFinite(this.numbers(max, 4, Float32Array), 4); }
  f64s(max: number): Float64Array { return this.allFinite(this.numbers(max, 8, Float64Array), 8); }

  /** To be called when all is read. */
  finish(): void {
    if (this.at !== this.bytes.length) throw new ProtocolError(this.at, 'there are bytes left over');
  }

  private take(size: number): number {
    if (size > this.bytes.length - this.at) throw new ProtocolError(this.at, 'the message ends too early');
    const from = this.at;
    this.at += size;
    return from;
  }
  private count(max: number, size: number): number {
    const count = this.u32();
    if (count > max) throw new ProtocolError(this.at - 4, `more than ${max}`);
    if (count * size > this.bytes.length - this.at) {
      throw new ProtocolError(this.at - 4, 'the message ends too early');
    }
    return count;
  }
  // A copy, since the bytes may lie where no such array can begin.
  private numbers<T>(max: number, size: number, make: new (buffer: ArrayBuffer) => T): T {
    const count = this.count(max, size);
    const from = this.take(count * size);
    return new make(this.bytes.slice(from, from + count * size).buffer as ArrayBuffer);
  }
  private finite(value: number, size: number): number {
    if (!Number.isFinite(value)) throw new ProtocolError(this.at - size, 'no finite number');
    return value;
  }
  private allFinite<T extends Float32Array | Float64Array>(values: T, size: number): T {
    for (let i = 0; i < values.length; ++i) {
      if (!Number.isFinite(values[i])) {
        throw new ProtocolError(this.at - (values.length - i) * size, 'no finite number');
      }
    }
    return values;
  }
}

export class Writer {
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private at = 0;

  u8(value: number): void { const at = this.room(1); this.view.setUint8(at, value); }
  i8(value: number): void { const at = this.room(1); this.view.setInt8(at, value); }
  u16(value: number): void { const at = this.room(2); this.view.setUint16(at, value, true); }
  u32(value: number): void { const at = this.room(4); this.view.setUint32(at, value, true); }
  i32(value: number): void { const at = this.room(4); this.view.setInt32(at, value, true); }
  f32(value: number): void { const at = this.room(4); this.view.setFloat32(at, value, true); }
  f64(value: number): void { const at = this.room(8); this.view.setFloat64(at, value, true); }
  bound(value: number): void { this.f64(value); }
  bool(value: boolean): void { this.u8(value ? 1 : 0); }
  vec3(value: Readonly<Vec3>): void { for (const x of value) this.f64(x); }
  pose(value: Pose): void {
    this.vec3(value.translation);
    for (const x of value.rotation) this.f64(x);
  }
  choice<T>(values: readonly T[], value: T): void { this.u8(values.indexOf(value)); }
  text(value: string, max: number): void {
    const bytes = new TextEncoder().encode(value);
    this.u8s(bytes, max);
  }
  array<T>(values: readonly T[], max: number, write: (value: T) => void): void {
    this.count(values.length, max);
    for (const value of values) write(value);
  }

  u8s(values: Uint8Array, max: number): void { this.numbers(values, max); }
  i8s(values: Int8Array, max: number): void { this.numbers(values, max); }
  u16s(values: Uint16Array, max: number): void { this.numbers(values, max); }
  u32s(values: Uint32Array, max: number): void { this.numbers(values, max); }
  i32s(values: Int32Array, max: number): void { this.numbers(values, max); }
  f32s(values: Float32Array, max: number): void { this.numbers(values, max); }
  f64s(values: Float64Array, max: number): void { this.numbers(values, max); }

  take(): Uint8Array { return this.bytes.slice(0, this.at); }

  // Call before getting the view: more room may replace it.
  private room(size: number): number {
    if (this.at + size > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + size));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    const from = this.at;
    this.at += size;
    return from;
  }
  private count(count: number, max: number): void {
    if (count > max) throw new RangeError(`${count} values, at most ${max} are allowed`);
    this.u32(count);
  }
  private numbers(values: Numbers, max: number): void {
    this.count(values.length, max);
    const from = this.room(values.byteLength);
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), from);
  }
}
