import { once } from 'node:events';
import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import pg from 'pg';
import { installationIn } from '../database/installation.js';
import { connectionConfig } from '../database/pool.js';
import { queuesOf } from './wakeup-payloads.js';

const firstRetryMs = 500;
const longestRetryMs = 30_000;
const closeMs = 1_000;

export type WakeupListenerState =
  /** Wake-ups are received. */
  | { listening: true }
  /** They are not until the connection is open again. */
  | { listening: false; error: unknown }
  /** They never are, because the address leads through a pooler. */
  | { listening: false; pooled: true };

export interface WakeupListenerOptions {
  /** An address of PostgreSQL itself: behind a pooler a session does not last. */
  url: string;
  /** The schema of the installation. @default 'public' */
  schema?: string;
  applicationName: string;
  /** Longest wait for a response of PostgreSQL, also during login. */
  queryTimeoutMs: number;
  /** Called when the state changes, not for each attempt. */
  onChange(state: WakeupListenerState): void;
  clock?: Clock;
}

/**
 * Receives the wake-ups of a `WakeupSender` on one connection, which is opened for the first subscription. Best effort: subscribers
 * also poll. A new connection wakes nobody, because after an outage all subscribers would claim at once.
 */
export class WakeupListener {
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly stopping = new AbortController();
  private readonly signal = this.stopping.signal;
  private readonly clock: Clock;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(private readonly options: WakeupListenerOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** Calls `listener` when jobs of the queue may have become claimable. Returns the end of the subscription. */
  onWake(organizationId: string, queueName: string, listener: () => void): () => void {
    const name = keyOf(organizationId, queueName);
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
    if (!this.signal.aborted) this.running ??= this.run();
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.listeners.get(name) === known) this.listeners.delete(name);
    };
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { clock, signal } = this;
    for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
      const error = await this.listen(() => (retryMs = firstRetryMs)).catch((thrown: unknown) => thrown);
      if (signal.aborted) return;
      if (error instanceof PooledConnectionError) return this.options.onChange({ listening: false, pooled: true });
      if (!this.failing) this.options.onChange({ listening: false, error });
      this.failing = true;
      await clock.sleep(retryMs, signal);
    }
  }

  /** @throws Error that ended the connection, or why there is none; when this process stops as well */
  private async listen(onListening: () => void): Promise<never> {
    const client = new pg.Client(configOf(this.options));
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.wake(payload));
    const ended = once(client, 'end', { signal: this.signal }).then(() => {
      throw new Error('The connection was closed');
    });
    ended.catch(() => undefined);
    try {
      await Promise.race([ended, startListening(client, installationIn(this.options.schema).wakeupChannel)]);
      this.failing = false;
      onListening();
      this.options.onChange({ listening: true });
      return await ended;
    } finally {
      await this.end(client);
    }
  }

  /** A server that does not answer is not waited for. */
  private async end(client: pg.Client): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.clock.after(closeMs, resolve);
      const ended = () => {
        timer.cancel();
        resolve();
      };
      client.end().then(ended, ended);
    });
    client.connection.stream.destroy();
  }

  private wake(payload: string): void {
    for (const { organizationId, queueName } of queuesOf(payload)) {
      for (const listener of [...(this.listeners.get(keyOf(organizationId, queueName)) ?? [])]) listener();
    }
  }
}

const keyOf = (organizationId: string, queueName: string): string => `${organizationId} ${queueName}`;

function configOf({ url, schema, applicationName, queryTimeoutMs }: WakeupListenerOptions): pg.ClientConfig {
  const { app: role, ...installation } = installationIn(schema);
  return {
    ...connectionConfig({ url, applicationName, queryTimeoutMs, role, schema: installation.schema }),
    connectionTimeoutMillis: queryTimeoutMs,
  };
}

class PooledConnectionError extends Error {}

/** A pooler invents the process id that it sends at login. @throws PooledConnectionError behind one */
async function startListening(client: pg.Client & { processID?: number | null }, channel: string): Promise<void> {
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  if (rows[0]!.pid !== client.processID) throw new PooledConnectionError('The address leads through a pooler');
  await client.query(`LISTEN ${channel}`);
}
