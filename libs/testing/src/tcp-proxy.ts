import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy that can stop forwarding while both ends keep their connections. */
export interface TcpProxy {
  /** Host and port. */
  readonly address: string;
  /** The server's URL through the proxy. */
  through(url: string): string;
  /** Stops forwarding on open connections; new ones work. */
  stall(): void;
  /** Stops forwarding on open connections and on those that are opened before `forwardNew`. */
  stallAll(): void;
  /** Forwards on connections that are opened from now on; stalled ones stay stalled. */
  forwardNew(): void;
  /** Forwards again on all connections, beginning with what was sent in the meantime, as a network that is whole again does. */
  resume(): void;
  /** Forwards everything later by so many milliseconds, in each direction; 0 = at once. */
  delay(ms: number): void;
  /** Closes the connections of the server; its clients notice nothing and get no answer. New connections work. */
  halfOpen(): void;
  /** Forwards the next client's data up to and including `word`, then stops forwarding on its connection. */
  stallAfter(word: string): void;
  /** Stalled connections on which the client has sent a statement since. */
  usedWhileStalled(): number;
  closeStalled(): void;
  /** Closes each open connection when its client sends again, as a pooler that shuts down does; new connections work. */
  closeAtNextUse(): void;
  close(): void;
}

/**
 * Listens on a free port and forwards to the server of `serverUrl`.
 * @param serverUrl a function if it is known only later, when clients connect
 */
export async function startTcpProxy(serverUrl: string | (() => string)): Promise<TcpProxy> {
  const links = new Set<Link>();
  let word: string | null = null;
  let stallsNew = false;
  let delayMs = 0;
  const server = createServer((near) => {
    const { hostname, port } = new URL(typeof serverUrl === 'string' ? serverUrl : serverUrl());
    const link = new Link(near, connect(Number(port), hostname), {
      delayMs: () => delayMs,
      closed: () => links.delete(link),
    });
    near.on('data', (chunk) => {
      if (word === null || link.stalled || !chunk.includes(word)) return;
      word = null;
      link.stall();
    });
    links.add(link);
    if (stallsNew) link.stall();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stall = () => links.forEach((link) => link.stall());
  const stalled = () => [...links].filter((link) => link.stalled);
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    through: (url) => {
      const changed = new URL(url);
      changed.host = address;
      return changed.href;
    },
    stall,
    stallAll: () => {
      stallsNew = true;
      stall();
    },
    forwardNew: () => (stallsNew = false),
    resume: () => {
      stallsNew = false;
      stalled().forEach((link) => link.resume());
    },
    delay: (ms) => (delayMs = ms),
    halfOpen: () => links.forEach((link) => link.halfOpen()),
    stallAfter: (next) => (word = next),
    usedWhileStalled: () => stalled().filter((link) => link.usedWhileStalled).length,
    closeStalled: () => stalled().forEach((link) => link.destroy()),
    closeAtNextUse: () => links.forEach((link) => link.closeAtNextUse()),
    close: () => {
      server.close();
      links.forEach((link) => link.destroy());
    },
  };
}

/** PostgreSQL's message "Terminate", with which a client closes its connection. */
const bytesOfTermination = 5;

interface LinkOptions {
  delayMs: () => number;
  closed: () => void;
}

/** A client connection and its connection to the server. */
class Link {
  stalled = false;
  private readBefore = 0;

  constructor(
    private readonly near: Socket,
    private readonly far: Socket,
    private readonly options: LinkOptions,
  ) {
    this.join(near, far);
    this.join(far, near);
    let open = 2;
    for (const socket of [near, far]) socket.once('close', () => --open === 0 && options.closed());
  }

  /** A paused socket still reads into its buffer. */
  get usedWhileStalled(): boolean {
    return this.near.bytesRead - this.readBefore > bytesOfTermination;
  }

  stall(): void {
    if (this.stalled) return;
    this.stalled = true;
    this.readBefore = this.near.bytesRead;
    for (const socket of [this.near, this.far]) {
      socket.unpipe();
      socket.pause();
    }
  }

  resume(): void {
    this.stalled = false;
    if (this.near.destroyed || this.far.destroyed) return this.destroy();
    this.forward(this.near, this.far);
    this.forward(this.far, this.near);
  }

  halfOpen(): void {
    this.stall();
    this.far.destroy();
  }

  closeAtNextUse(): void {
    this.near.unpipe();
    this.near.once('data', () => this.destroy()).resume();
  }

  destroy(): void {
    this.near.destroy();
    this.far.destroy();
  }

  private join(one: Socket, other: Socket): void {
    one.on('error', () => undefined);
    one.once('close', () => this.stalled || other.destroy());
    this.forward(one, other);
  }

  private forward(one: Socket, other: Socket): void {
    one.pipe(new Delay(this.options.delayMs)).pipe(other);
  }
}

/** Passes chunks on in their order, each later by the delay of the moment at which it came. */
class Delay extends Transform {
  private last = Promise.resolve();
  private dueAt = 0;

  constructor(private readonly delayMs: () => number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const now = performance.now();
    this.dueAt = Math.max(this.dueAt, now + this.delayMs());
    if (this.dueAt <= now) return done(null, chunk);
    const due = sleep(this.dueAt - now);
    this.last = this.last.then(async () => {
      await due;
      this.push(chunk);
    });
    done();
  }

  override _flush(done: TransformCallback): void {
    void this.last.then(() => done());
  }
}
