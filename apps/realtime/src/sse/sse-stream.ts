import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock, Timer } from '@spooled/domain';
import { ownerOfPrincipal, type UnsentBytes, type UnsentReader } from '@spooled/service';
import type { StreamKind } from '@spooled/transport';
import type { Caller } from '../streams/caller.js';
import { maySee } from '../streams/event-filter.js';
import { errorEvent, type LiveEvent } from '../streams/live-event.js';
import type { EndReason, OpenStream } from '../streams/open-streams.js';

const keepAliveMs = 15_000;
const lifetimeMs = 30 * 60_000;
/** Time for a client to read the rest of an ended stream before the connection is closed. */
const closeTimeoutMs = 2_000;
/** So many gathered bytes are sent before their time, so that gathering holds little memory. */
const maxGatheredBytes = 16 * 1024;

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  // Prevents nginx from buffering events.
  'x-accel-buffering': 'no',
  'x-api-version': '1',
};

export interface SseStreamOptions {
  kind: StreamKind;
  caller: Caller;
  /** `unnamed` for clients that only handle `message` events (`?format=message`). */
  frames: 'named' | 'unnamed';
  /** Events of so many milliseconds are sent together; 0: each at once. */
  gatherMs: number;
  maxUnsentBytes: number;
  /** In the share of the caller's organization. */
  unsent: UnsentBytes;
  clock: Clock;
}

/** A response with server-sent events, until either side ends it or 30 minutes have passed. */
export class SseStream implements OpenStream {
  readonly kind: StreamKind;
  caller: Caller;
  private keepAlive?: Timer;
  private lifetime?: Timer;
  private reason?: EndReason;
  private readonly unsent: UnsentReader;
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private gathering?: Timer | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: SseStreamOptions,
  ) {
    this.kind = options.kind;
    this.caller = options.caller;
    this.unsent = options.unsent.open(options.kind, ownerOfPrincipal(options.caller), () => this.end('slow_reader'));
    response.on('error', () => response.destroy());
    response.once('close', () => {
      this.unsent.close();
      this.stopTimers();
    });
    if (response.destroyed) this.unsent.close();
  }

  /** Writes the headers and the first bytes; earlier events are not sent. Nothing happens if the client has left. */
  open(headers: OutgoingHttpHeaders): void {
    // Its end was reported: nothing would stop the timers, which hold the stream for half an hour.
    if (this.response.destroyed) return;
    this.response.writeHead(200, { ...headers, ...streamHeaders });
    this.response.write(': connected\n\n');
    const { clock } = this.options;
    this.keepAlive = clock.after(keepAliveMs, () => this.write(': ping\n\n')).unref();
    this.lifetime = clock.after(lifetimeMs, () => this.end('time_limit')).unref();
  }

  onEnded(listener: (reason: EndReason) => void): void {
    if (this.response.destroyed) listener(this.reason ?? 'client_closed');
    else this.response.once('close', () => listener(this.reason ?? 'client_closed'));
  }

  /** Sends an event within the key's scope: at once, or together with those that follow soon. */
  send(event: LiveEvent): void {
    if (!maySee(event, this.caller.queues)) return;
    const frame = this.frameOf(event);
    if (this.options.gatherMs > 0) this.gather(frame);
    else this.write(frame);
  }

  end(reason: EndReason): void {
    if (reason !== 'revoked') this.sendGathered();
    if (this.reason) return;
    this.reason = reason;
    this.stopTimers();
    this.response.end(reason === 'slow_reader' ? this.frameOf(errorEvent('Events were not read fast enough')) : '');
    const closeTimeout = this.options.clock.after(closeTimeoutMs, () => this.response.destroy()).unref();
    this.response.once('close', () => closeTimeout.cancel());
  }

  private frameOf(event: LiveEvent): Buffer {
    return this.options.frames === 'named' ? event.namedFrame : event.unnamedFrame;
  }

  private gather(frame: Buffer): void {
    if (!this.isOpen) return;
    this.gathered.push(frame);
    this.gatheredBytes += frame.length;
    this.countUnsent();
    if (this.gatheredBytes >= maxGatheredBytes) this.sendGathered();
    else this.gathering ??= this.options.clock.after(this.options.gatherMs, () => this.sendGathered());
  }

  private sendGathered(): void {
    this.gathering?.cancel();
    this.gathering = undefined;
    if (this.gatheredBytes === 0) return;
    const all = Buffer.concat(this.gathered);
    this.gathered = [];
    this.gatheredBytes = 0;
    this.write(all);
  }

  /** Events from before its first byte are not sent. */
  private get isOpen(): boolean {
    return !this.reason && this.keepAlive !== undefined && !this.response.destroyed;
  }

  private write(chunk: string | Buffer): void {
    if (!this.isOpen) return;
    if (this.response.writableLength > this.options.maxUnsentBytes) return this.end('slow_reader');
    this.response.write(chunk, this.countUnsent);
    this.countUnsent();
    this.keepAlive?.refresh();
  }

  private readonly countUnsent = (): void => this.unsent.set(this.response.writableLength + this.gatheredBytes);

  private stopTimers(): void {
    this.keepAlive?.cancel();
    this.lifetime?.cancel();
    this.gathering?.cancel();
  }
}
