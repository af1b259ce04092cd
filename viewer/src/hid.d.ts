// SPDX-License-Identifier: Apache-2.0
// What is used of WebHID, which TypeScript's library does not know.

interface HidInputReportEvent extends Event {
  readonly reportId: number;
  readonly data: DataView;
}

interface HidDevice extends EventTarget {
  readonly opened: boolean;
  readonly productName: string;
  open(): Promise<void>;
  addEventListener(type: 'inputreport', listener: (event: HidInputReportEvent) => void): void;
}

interface Hid {
  getDevices(): Promise<HidDevice[]>;
  requestDevice(options: { filters: { vendorId: number; usagePage?: number; usage?: number }[] }): Promise<HidDevice[]>;
}

interface Navigator {
  readonly hid?: Hid;
}
