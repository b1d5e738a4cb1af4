import type { Duplex } from 'node:stream';
import { ownerOfPrincipal, type UnsentBytes, type UnsentReader } from '@spooled/service';
import type { WebSocket } from 'ws';
import type { Caller } from '../streams/caller.js';
import { isNothing, maySee, queueInScope, type EventFilter, type Subscription } from '../streams/event-filter.js';
import { errorEvent, pingEvent, type LiveEvent } from '../streams/live-event.js';
import type { EndReason, OpenStream } from '../streams/open-streams.js';
import { readCommand, type ClientCommand } from './commands.js';

const pingIntervalMs = 30_000;
const goingAway = 1001;
const policyViolation = 1008;

/** A client's WebSocket stream. */
export class WebSocketStream implements OpenStream {
  readonly kind = 'websocket';
  private readonly pings: NodeJS.Timeout;
  private reason?: EndReason;
  private isAlive = true;
  private readonly unsent: UnsentReader;

  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Duplex,
    public caller: Caller,
    private readonly filter: EventFilter,
    private readonly maxUnsentBytes: number,
    unsent: UnsentBytes,
  ) {
    this.unsent = unsent.open('websocket', ownerOfPrincipal(caller), () => this.end('slow_reader'));
    socket.on('message', (data, isBinary) => this.onMessage(data.toString(), isBinary));
    socket.on('pong', () => (this.isAlive = true));
    // Malformed or oversized frames; the library closes the socket with the appropriate code.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(this.pings);
      this.unsent.close();
    });
    this.pings = setInterval(() => this.ping(), pingIntervalMs).unref();
    this.send(pingEvent());
  }

  onEnded(listener: (reason: EndReason) => void): void {
    this.socket.once('close', () => listener(this.reason ?? 'client_closed'));
  }

  /** Sends the events within the key's scope and the client's filter. */
  deliver(events: readonly LiveEvent[]): void {
    // One system call for the whole batch.
    this.connection.cork();
    for (const event of events) {
      if (maySee(event, this.caller.queues) && this.filter.matches(event)) this.send(event);
    }
    this.connection.uncork();
    this.countUnsent();
  }

  end(reason: EndReason): void {
    if (this.reason) return;
    this.reason = reason;
    if (reason === 'shutdown') this.socket.close(goingAway, 'The server is restarting');
    else if (reason === 'slow_reader') this.socket.close(policyViolation, 'Events were not read fast enough');
    // Clients expect that a revoked key's connection is dropped; an unresponsive peer cannot receive a close frame.
    else this.socket.terminate();
  }

  private send(event: LiveEvent): void {
    if (this.reason) return;
    if (this.socket.bufferedAmount > this.maxUnsentBytes) this.end('slow_reader');
    else this.socket.send(event.text, { binary: false }, this.countUnsent);
  }

  private readonly countUnsent = (): void => this.unsent.set(this.socket.bufferedAmount);

  private ping(): void {
    if (!this.isAlive) return this.end('unresponsive');
    this.isAlive = false;
    this.socket.ping();
    this.send(pingEvent());
  }

  private onMessage(text: string, isBinary: boolean): void {
    this.isAlive = true;
    const command = isBinary ? null : readCommand(text);
    if (command) this.run(command);
  }

  private run(command: ClientCommand): void {
    if (command.kind === 'ping') return this.send(pingEvent());
    if (command.kind === 'malformed') return this.reply(command.requestId, 'Malformed filter');
    const { kind, subscription, requestId } = command;
    const problem = kind === 'subscribe' ? this.subscribe(subscription) : this.filter.remove(subscription);
    if (requestId !== null) this.reply(requestId, problem ?? null, `${kind}d`);
    else if (problem === tooMany) this.send(errorEvent(tooMany));
  }

  /** Returns an error. A queue outside the key's scope is not added: its events would not be sent anyway. */
  private subscribe(subscription: Subscription): string | undefined {
    const { queueName, events } = subscription;
    if (isNothing(events)) return 'No event has one of these names';
    if (queueName !== null && !queueInScope(queueName, this.caller.queues))
      return 'This API key has no access to the queue';
    return this.filter.add(subscription) ? undefined : tooMany;
  }

  /** Only the older Go client waits for replies; it matches them by `request_id`. */
  private reply(requestId: string, problem: string | null, done = ''): void {
    if (this.reason) return;
    const message = problem === null ? { type: done } : { type: 'error', error: problem };
    this.socket.send(JSON.stringify({ ...message, request_id: requestId }), () => undefined);
  }
}

const tooMany = 'Too many subscriptions on this connection';
