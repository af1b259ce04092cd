// SPDX-License-Identifier: Apache-2.0
// Six-axis mice (WebHID), and gamepads if there is no WebHID: they move what is held, or the view. They
// report a speed: the movement per picture is its time times that.
import type { App } from './app';
import type { Hand } from './hand';
import { notify } from './inbox';

/** Speeds in the frame of the view, each in [-1, 1]: right, up, towards the viewer, and turns about
 * these. */
export interface Deflection {
  way: [number, number, number];
  turn: [number, number, number];
}

const kVendors = [{ vendorId: 0x256f }, { vendorId: 0x046d, usagePage: 0x01, usage: 0x08 }];
const kFull = 350;     // reported at full deflection
const kIdle = 0.03;    // below this an axis is at rest
const kWay = 1.1;      // halves of the height of the picture per second, at full deflection
const kTurn = 1.6;     // radians per second, likewise
const kMost = 50;      // milliseconds of a picture that count

/** An axis with its middle cut out, softer near it. */
export function shape(value: number): number {
  const x = Math.max(-1, Math.min(1, value));
  const size = Math.abs(x);
  if (size < kIdle) return 0;
  const over = (size - kIdle) / (1 - kIdle);
  return Math.sign(x) * over * (0.4 + 0.6 * over);
}

/** Reports of a six-axis mouse: number 1 has the translations (right, towards the user, down), and with
 * twelve bytes the rotations too; number 2 has the rotations. Returns whether the report was one of these. */
export function readReport(id: number, data: DataView, deflection: Deflection): boolean {
  const three = (from: number): [number, number, number] => {
    const at = (k: number) => shape(data.getInt16(from + 2 * k, true) / kFull);
    return [at(0), 0 - at(2), at(1)];
  };
  if (id === 1 && data.byteLength >= 6) {
    deflection.way = three(0);
    if (data.byteLength >= 12) deflection.turn = three(6);
    return true;
  }
  if (id === 2 && data.byteLength >= 6) {
    deflection.turn = three(0);
    return true;
  }
  return false;
}

/** Buttons of report 3, as bits. */
export function readButtons(data: DataView): number {
  let bits = 0;
  for (let k = 0; k < Math.min(4, data.byteLength); ++k) bits |= data.getUint8(k) << (8 * k);
  return bits;
}

/** A gamepad: sticks move and turn, triggers push and pull. A six-axis mouse that the browser takes
 * for a gamepad has its axes in order. */
export function readGamepad(pad: Pick<Gamepad, 'axes' | 'buttons' | 'mapping'>): Deflection {
  const axis = (k: number) => shape(pad.axes[k] ?? 0);
  if (pad.mapping !== 'standard' && pad.axes.length >= 6) {
    return { way: [axis(0), 0 - axis(2), axis(1)], turn: [axis(3), 0 - axis(5), axis(4)] };
  }
  const button = (k: number) => pad.buttons[k]?.value ?? 0;
  return {
    way: [axis(0), 0 - axis(1), button(6) - button(7)],
    turn: [axis(3), axis(2), button(4) - button(5)],
  };
}

export class MotionDevice {
  private deflection: Deflection = { way: [0, 0, 0], turn: [0, 0, 0] };
  private buttons = 0;
  private padButtons = false;
  private watched = false;

  constructor(private readonly app: App, private readonly hand: Hand) {
    const { commands, stage } = app;
    commands.add({
      id: 'device.connect', title: 'Connect a six-axis mouse', group: 'Hand', keys: ['Ctrl+m'],
      run: () => { void this.connect(); },
    });
    stage.onFrame((_now, milliseconds) => this.frame(Math.min(kMost, milliseconds)));
    window.addEventListener('gamepadconnected', (event) => {
      if (!this.watched) notify(app.store, 'remark', `${event.gamepad.id} moves the view and what is held.`);
      this.watched = true;
      stage.invalidate();
    });
    // Devices that the user allowed earlier are available without a new permission.
    void navigator.hid?.getDevices().then((devices) => Promise.all(devices.map((device) => this.use(device)))).catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { store } = this.app;
    if (!navigator.hid) {
      notify(store, 'warning', 'This browser has no WebHID. Press a button of the device: some browsers show it as a gamepad.');
      return;
    }
    try {
      const devices = await navigator.hid.requestDevice({ filters: kVendors });
      for (const device of devices) await this.use(device);
      if (devices.length > 0) notify(store, 'remark', `${devices[0]!.productName} moves the view and what is held.`);
    } catch (error) {
      notify(store, 'error', `The device could not be opened: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async use(device: HidDevice): Promise<void> {
    if (!device.opened) await device.open();
    device.addEventListener('inputreport', (event) => {
      if (event.reportId === 3) this.press(readButtons(event.data));
      else if (readReport(event.reportId, event.data, this.deflection)) this.app.stage.invalidate();
    });
  }

  /** The first button takes the selected part, or lets go; the second shows everything. */
  private press(buttons: number): void {
    const down = buttons & ~this.buttons;
    this.buttons = buttons;
    if (down & 1) this.app.commands.run('hand.take');
    if (down & 2) this.app.commands.run('view.fit');
  }

  /** Moves by one picture's worth; true as long as something is deflected. */
  private frame(milliseconds: number): boolean {
    const pad = this.watched ? navigator.getGamepads().find((candidate) => candidate !== null) : null;
    let { way, turn } = this.deflection;
    if (pad) {
      const deflection = readGamepad(pad);
      way = way.map((x, k) => x + deflection.way[k]!) as [number, number, number];
      turn = turn.map((x, k) => x + deflection.turn[k]!) as [number, number, number];
      const pressed = pad.buttons[0]?.pressed ?? false;
      if (pressed && !this.padButtons) this.app.commands.run('hand.take');
      this.padButtons = pressed;
    }
    const moves = [...way, ...turn].some((x) => x !== 0);
    if (moves) {
      const seconds = milliseconds / 1000;
      const ways = way.map((x) => x * kWay * seconds) as [number, number, number];
      const turns = turn.map((x) => x * kTurn * seconds) as [number, number, number];
      if (this.hand.holding) this.hand.nudge(ways, turns);
      else this.moveView(ways, turns);
    }
    return moves || pad !== null;  // a gamepad has to be polled
  }

  private moveView(way: [number, number, number], turn: [number, number, number]): void {
    const { rig } = this.app.stage;
    rig.pan(-way[0] / rig.perspective.aspect, -way[1]);
    rig.zoom(Math.exp(-way[2]));
    rig.orbit(-turn[1], -turn[0], rig.current.target.clone());
  }
}
