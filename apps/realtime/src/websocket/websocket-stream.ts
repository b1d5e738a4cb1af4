import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Caller } from '../caller/callers.service.js';
import { maySee, queueInScope, type EventFilter, type Subscription } from '../streams/event-filter.js';
import { errorEvent, pingEvent, type LiveEvent } from '../streams/live-event.js';
import type { EndReason, OpenStream } from '../streams/open-streams.js';
import { readCommand, type ClientCommand } from './commands.js';

const pingEveryMs = 30_000;
const goingAway = 1001;
const policyViolation = 1008;

/** One client's WebSocket: what it asked for, what it is sent, and how it ends. */
export class WebSocketStream implements OpenStream {
  readonly kind = 'websocket';
  private readonly pings: NodeJS.Timeout;
  private reason?: EndReason;
  private heard = true;

  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Duplex,
    public caller: Caller,
    private readonly filter: EventFilter,
    private readonly maxUnsentBytes: number,
  ) {
    socket.on('message', (data, isBinary) => this.onMessage(data.toString(), isBinary));
    socket.on('pong', () => (this.heard = true));
    // Broken frames and ones above the size limit; the library closes the socket with the code that says so.
    socket.on('error', () => undefined);
    socket.on('close', () => clearInterval(this.pings));
    this.pings = setInterval(() => this.ping(), pingEveryMs).unref();
    this.send(pingEvent());
  }

  onEnded(listener: (reason: EndReason) => void): void {
    this.socket.once('close', () => listener(this.reason ?? 'left'));
  }

  /** Passes on what the key may see and the client wants. */
  deliver(events: readonly LiveEvent[]): void {
    // One write to the system for a whole batch.
    this.connection.cork();
    for (const event of events) {
      if (maySee(event, this.caller.queues) && this.filter.wants(event)) this.send(event);
    }
    this.connection.uncork();
  }

  end(reason: EndReason): void {
    if (this.reason) return;
    this.reason = reason;
    if (reason === 'shutdown') this.socket.close(goingAway, 'The server is restarting');
    else if (reason === 'slow_reader') this.socket.close(policyViolation, 'Events were not read fast enough');
    // A revoked key's connection is dropped without a word, as clients know it; a silent peer would not hear one.
    else this.socket.terminate();
  }

  private send(event: LiveEvent): void {
    if (this.reason) return;
    if (this.socket.bufferedAmount > this.maxUnsentBytes) this.end('slow_reader');
    else this.socket.send(event.text, { binary: false }, () => undefined);
  }

  private ping(): void {
    if (!this.heard) return this.end('silent');
    this.heard = false;
    this.socket.ping();
    this.send(pingEvent());
  }

  private onMessage(text: string, isBinary: boolean): void {
    this.heard = true;
    const command = isBinary ? null : readCommand(text);
    if (command) this.obey(command);
  }

  private obey(command: ClientCommand): void {
    if (command.kind === 'ping') return this.send(pingEvent());
    if (command.kind === 'malformed') return this.answer(command.requestId, 'The filter was not understood');
    const { kind, subscription, requestId } = command;
    const problem = kind === 'subscribe' ? this.subscribe(subscription) : this.filter.remove(subscription);
    if (requestId !== null) this.answer(requestId, problem ?? null, `${kind}d`);
    else if (problem === tooMany) this.send(errorEvent(tooMany));
  }

  /** Returns what is wrong. A queue outside the key's scope changes nothing: no event of it would come anyway. */
  private subscribe(subscription: Subscription): string | undefined {
    const { queueName } = subscription;
    if (queueName !== null && !queueInScope(queueName, this.caller.queues)) return 'This API key may not see the queue';
    return this.filter.add(subscription) ? undefined : tooMany;
  }

  /** Only the older Go client waits for answers; it tells them apart by `request_id`. */
  private answer(requestId: string, problem: string | null, done = ''): void {
    if (this.reason) return;
    const message = problem === null ? { type: done } : { type: 'error', error: problem };
    this.socket.send(JSON.stringify({ ...message, request_id: requestId }), () => undefined);
  }
}

const tooMany = 'Too many subscriptions on this connection';
