import type { ConnectionInjector } from '@grpc/grpc-js';
import type { Clock, Timer } from '@spooled/domain';
import type { Socket } from 'node:net';

/** Connections that are asked to leave at one moment. They share an injector, which sends GOAWAY to all of its connections. */
interface Generation {
  readonly injector: ConnectionInjector;
  readonly connections: Set<string>;
  readonly timer: Timer | null;
}

interface ConnectionAgeOptions {
  /** 0 = connections may stay open. */
  maxAgeMs: number;
  clock: Clock;
  createInjector(): ConnectionInjector;
  /** Called before these connections are told to leave. */
  onLeaving(connections: readonly string[]): void;
  /** Called after GOAWAY was sent to them; calls in progress continue. */
  onAsked(connections: readonly string[]): void;
  random?: () => number;
}

/** Ages differ by up to a tenth, so that connections opened together do not all move at one moment. */
const jitter = 0.1;
/** Moments per longest age: bounds the number of generations. */
const momentsPerAge = 100;

/** Asks each connection to leave at its longest age, so that clients also find gateways that were started later. */
export class ConnectionAge {
  /** By the moment at which they leave. */
  private readonly generations = new Map<number, Generation>();
  private readonly random: () => number;

  constructor(private readonly options: ConnectionAgeOptions) {
    this.random = options.random ?? Math.random;
  }

  accept(connection: string, socket: Socket): void {
    const generation = this.generationOf(this.nextMoment());
    generation.connections.add(connection);
    socket.once('close', () => generation.connections.delete(connection));
    generation.injector.injectConnection(socket);
  }

  /** Asks all connections to leave, and closes them after `graceMs`. */
  drain(graceMs: number): void {
    for (const { timer, injector } of this.generations.values()) {
      timer?.cancel();
      injector.drain(graceMs);
    }
    this.generations.clear();
  }

  private nextMoment(): number {
    const { maxAgeMs, clock } = this.options;
    if (maxAgeMs === 0) return Infinity;
    const age = maxAgeMs * (1 + jitter * (2 * this.random() - 1));
    const step = maxAgeMs / momentsPerAge;
    return Math.round((clock.monotonic() + age) / step) * step;
  }

  private generationOf(moment: number): Generation {
    const existing = this.generations.get(moment);
    if (existing) return existing;
    const { clock, createInjector } = this.options;
    const timer =
      moment === Infinity ? null : clock.after(moment - clock.monotonic(), () => this.retire(moment)).unref();
    const generation = { injector: createInjector(), connections: new Set<string>(), timer };
    this.generations.set(moment, generation);
    return generation;
  }

  private retire(moment: number): void {
    const { injector, connections } = this.generations.get(moment)!;
    this.generations.delete(moment);
    const leaving = [...connections];
    this.options.onLeaving(leaving);
    // Sends GOAWAY, and closes each connection when its last call has ended.
    injector.destroy();
    this.options.onAsked(leaving);
  }
}
