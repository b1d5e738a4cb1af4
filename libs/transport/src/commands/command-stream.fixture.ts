import { randomUUID } from 'node:crypto';
import { commandKinds, type Command, type CommandOf, type Outcome } from '@spooled/contracts';
import type { Clock } from '@spooled/domain';
import { eventually, type ManualClock } from '@spooled/testing';
import { CommandStreamClient, type CommandStreamClientOptions } from './command-stream.client.js';
import { CommandStreamServer, type CommandStreamServerOptions } from './command-stream.server.js';
import { RedisShards } from '../connection/redis-shards.js';
import { parseShards } from '../connection/shard-map.js';

/** Collects the log lines of the transport. */
export class MemoryLog {
  readonly lines: { level: string; message: string; fields: object }[] = [];
  info = (fields: object, message: string) => void this.lines.push({ level: 'info', message, fields });
  warn = (fields: object, message: string) => void this.lines.push({ level: 'warn', message, fields });
  error = (fields: object, message: string) => void this.lines.push({ level: 'error', message, fields });
}

const pollMs = 25;

type ClientOptions = Partial<CommandStreamClientOptions> & { clock?: ManualClock };

/** Opens clients and engines; `closeAll` closes them, newest first. */
export class TransportFixture {
  private readonly closers: (() => unknown)[] = [];

  readonly log = new MemoryLog();

  shards(urls: string, clock?: Clock): RedisShards {
    const shards = new RedisShards({ shards: parseShards(urls), connectionName: 'spec', log: this.log, clock });
    this.closers.push(() => shards.close());
    return shards;
  }

  /** Shards whose connections are open: while they are not, commands fail and messages are dropped. */
  async openShards(urls: string, clock?: Clock): Promise<RedisShards> {
    const shards = this.shards(urls, clock);
    await eventually(() => expect(shards.connected).toBe(true));
    return shards;
  }

  client(urls: string, { clock, ...options }: ClientOptions = {}): CommandStreamClient {
    const client = new CommandStreamClient(this.shards(urls, clock), { log: this.log, pollMs, ...options });
    this.closers.push(() => client.close());
    return client;
  }

  /** A client that knows of a running engine. */
  async readyClient(urls: string, options: ClientOptions = {}): Promise<CommandStreamClient> {
    const client = this.client(urls, options);
    await eventually(async () => {
      await options.clock?.advance(pollMs);
      expect(client.state('any')).toBe('ready');
    });
    return client;
  }

  /** An engine that runs every kind of command with `handle`. */
  async engine(
    urls: string,
    handle: (command: Command) => Promise<Outcome> | Outcome,
    { clock, ...options }: Partial<CommandStreamServerOptions> & { clock?: ManualClock } = {},
  ): Promise<{ shards: RedisShards; server: CommandStreamServer }> {
    const shards = this.shards(urls, clock);
    const server = new CommandStreamServer(shards, { log: this.log, stopGraceMs: 500, ...options });
    for (const kind of commandKinds) server.addHandler(kind, (command) => Promise.resolve(handle(command)));
    await new Promise<void>((resolve, reject) => server.listen((error) => (error ? reject(error) : resolve())));
    // It paces its stop.
    this.closers.push(() => clock?.until(server.close()) ?? server.close());
    return { shards, server };
  }

  async closeAll(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
    this.closers.length = 0;
  }
}

/** A small command of a new organization. */
export const purge = ({ limit = 1, organizationId = randomUUID() as string } = {}): CommandOf<'deadletter.purge'> => ({
  id: randomUUID(),
  kind: 'deadletter.purge',
  organizationId,
  ttlMs: 10_000,
  traceparent: null,
  actor: null,
  body: { jobIds: null, queueName: null, olderThan: null, limit, issuedAt: null },
});

export const purged = (count: number): Outcome => ({ ok: true, value: { purged: count } });

export const untilState = (client: CommandStreamClient, state: string, organizationId = 'any'): Promise<void> =>
  eventually(() => expect(client.state(organizationId)).toBe(state));

/** A handler that blocks every command until the test answers it. */
export function blockingHandler() {
  const held: { command: Command; answer: (outcome: Outcome) => void }[] = [];
  const handle = (command: Command) => new Promise<Outcome>((answer) => held.push({ command, answer }));
  const answerAll = () => held.splice(0).forEach(({ answer }) => answer(purged(1)));
  return { held, handle, answerAll };
}
