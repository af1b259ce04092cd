// SPDX-License-Identifier: Apache-2.0
// The connection to the server: opened again, ever more patiently, when the server goes away.

export interface ConnectionEvents {
  opened(): void;
  received(bytes: Uint8Array): void;
  /** The connection ended; it is retried after this number of milliseconds, or never (null). */
  lost(reason: string, retryAfter: number | null): void;
}

const kFirstWait = 250;
const kLongestWait = 5000;
/** Close codes after which a new attempt would end in the same manner: policy violation (wrong token,
 * wrong origin, too fast), protocol error, message too big, and this program's own. */
const kFinal = new Set([1002, 1008, 1009, 4000, 4001]);
/** The answer to an address whose token is not the server's. */
const kForbidden = 403;

/** The address of the socket beside a page: `socket` in the same folder, whose name is the token. */
export function socketAddress(page: string): string {
  const url = new URL('socket', page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = url.hash = '';
  return url.href;
}

/** Whether there is a server that rejects the token of a page. A WebSocket that does not open gives no
 * reason, so a file beside the page is requested. */
async function isForbidden(page: string): Promise<boolean> {
  try {
    return (await fetch(new URL('icon.svg', page), { cache: 'no-store' })).status === kForbidden;
  } catch {
    return false;  // nobody is there
  }
}

/** How long to wait before the attempt of this number, from 0: doubled each time, up to 5 s. */
export function waitBefore(attempt: number): number {
  return Math.min(kLongestWait, kFirstWait * 2 ** Math.min(attempt, 20));
}

export class Connection {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(private readonly page: string, private readonly events: ConnectionEvents) {
    this.open();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends now, or drops the message where there is no connection: what the hand did meanwhile is
   * of no use to a server that starts anew. */
  send(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (!this.isOpen) return false;
    this.socket?.send(bytes);
    return true;
  }

  /** Tries at once, without waiting for the next attempt. */
  retryNow(): void {
    if (this.ended || this.socket) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Ends the connection for good. */
  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close(1000);
  }

  private open(): void {
    const socket = new WebSocket(socketAddress(this.page));
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.events.opened();
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (!(event.data instanceof ArrayBuffer)) return;
      this.attempt = 0;  // only a server that speaks counts as one that is there
      this.events.received(new Uint8Array(event.data));
    };
    socket.onclose = (event) => {
      this.socket = null;
      if (this.ended) return;
      const final = kFinal.has(event.code);
      const wait = final ? null : waitBefore(this.attempt++);
      if (wait !== null) this.timer = setTimeout(() => { this.open(); }, wait);
      this.events.lost(event.reason, wait);
      if (!opened && wait !== null) void this.askWhy();
    };
  }

  private async askWhy(): Promise<void> {
    if (!await isForbidden(this.page) || this.socket || this.ended) return;
    clearTimeout(this.timer);
    this.events.lost('the program was started anew, under another address', null);
  }
}
