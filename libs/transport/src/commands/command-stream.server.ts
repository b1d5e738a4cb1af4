import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { type ClaimedJob, commandKinds, type Command, type Outcome } from '@spooled/contracts';
import { internalError, SpooledError } from '@spooled/domain';
import { lastValueFrom } from 'rxjs';
import { v7 as uuidv7 } from 'uuid';
import { InFlightCommands } from './in-flight-commands.js';
import type { RedisShards } from '../connection/redis-shards.js';
import type { CommandReply } from './reply-writer.js';
import { ShardConsumer } from './shard-consumer.js';
import type { TransportLog } from '../connection/transport-log.js';
import { grantedJobs, isAdopted } from './wire.js';

export interface CommandStreamServerOptions {
  log: TransportLog;
  /** Commands in flight in this process; at the limit, reading stops. */
  maxInFlight?: number;
  /** Entries per read. */
  batchSize?: number;
  /** A command is redelivered to another engine when its engine has not refreshed it for this long. */
  redeliverAfterMs?: number;
  maxDeliveries?: number;
  /** How long a graceful stop waits for commands in flight. */
  stopGraceMs?: number;
  /** Wraps each command, for example in a span. */
  wrap?: (command: Command, run: () => Promise<Outcome>) => Promise<Outcome>;
  /**
   * Called with jobs that a claim granted when the process that sent it is no longer subscribed. They must be released.
   * Must not throw.
   */
  onUnclaimed?: (organizationId: string, jobs: ClaimedJob[]) => void;
}

/**
 * Nest server of the command streams: each command is delivered to one engine of the consumer group and acknowledged
 * after its response. Handlers are bound with `@MessagePattern(kind)`, receive the command and return an `Outcome`; a
 * handler that batches commands resolves them together.
 */
export class CommandStreamServer extends Server implements CustomTransportStrategy {
  private readonly duplicates = new Set<string>();
  private readonly inFlight: InFlightCommands;
  private readonly log: TransportLog;
  private consumers: ShardConsumer[] = [];

  constructor(
    private readonly shards: RedisShards,
    private readonly options: CommandStreamServerOptions,
  ) {
    super();
    this.log = options.log;
    this.inFlight = new InFlightCommands(options.maxInFlight ?? 2000, shards.clock);
  }

  override addHandler(pattern: unknown, callback: MessageHandler, isEvent?: boolean, extras?: Record<string, unknown>) {
    const kind = this.normalizePattern(pattern as string);
    if (this.messageHandlers.has(kind)) this.duplicates.add(kind);
    super.addHandler(pattern, callback, isEvent, extras);
  }

  /** Starts reading commands; does not wait for Redis. */
  listen(callback: (error?: Error) => void): void {
    const bindingError = this.findBindingError();
    if (bindingError) return callback(new Error(bindingError));
    const { log, batchSize = 500, redeliverAfterMs = 3000, maxDeliveries = 5 } = this.options;
    const onUndelivered = (reply: CommandReply) => this.handleUndelivered(reply);
    const settings = { log, engineId: uuidv7(), batchSize, redeliverAfterMs, maxDeliveries, onUndelivered };
    const run = (command: Command) => this.outcomeOf(command);
    this.consumers = this.shards.all.map((shard) => new ShardConsumer(shard, this.inFlight, run, settings));
    for (const consumer of this.consumers) consumer.start();
    callback();
  }

  /** Graceful stop: reads nothing new, finishes and answers commands in flight, leaves the group. */
  async close(): Promise<void> {
    const consumers = this.consumers;
    this.consumers = [];
    this.inFlight.stop();
    await Promise.all(consumers.map((consumer) => consumer.stopReading()));
    const { stopGraceMs = 10_000 } = this.options;
    if (!(await this.inFlight.whenIdle(stopGraceMs))) {
      this.log.warn({ grace_ms: stopGraceMs }, 'Stopped with commands in flight; another engine will run them');
    }
    await Promise.all(consumers.map((consumer) => consumer.close()));
  }

  on(): never {
    throw new Error('the command server emits no events');
  }

  unwrap<T>(): T {
    return this.shards as T;
  }

  /** Adopted leases may have reached a worker through the first run's response; they are left to expire. */
  private handleUndelivered({ command, outcome }: CommandReply): void {
    const jobs = grantedJobs(command.kind, outcome);
    if (jobs && !isAdopted(outcome)) this.options.onUnclaimed?.(command.organizationId, jobs);
  }

  private findBindingError(): string | undefined {
    const missing = commandKinds.filter((kind) => !this.messageHandlers.has(kind));
    if (missing.length > 0) return `no handler for ${missing.join(', ')}`;
    if (this.duplicates.size > 0) return `two handlers for ${[...this.duplicates].join(', ')}`;
    const unknown = [...this.messageHandlers.keys()].filter((kind) => !(commandKinds as string[]).includes(kind));
    if (unknown.length > 0) return `handlers for unknown commands: ${unknown.join(', ')}`;
    return undefined;
  }

  private async outcomeOf(command: Command): Promise<Outcome> {
    try {
      const run = () => this.handle(command);
      return await (this.options.wrap ? this.options.wrap(command, run) : run());
    } catch (error) {
      return { ok: false, error: this.toShape(command, error) };
    }
  }

  private async handle(command: Command): Promise<Outcome> {
    const handler = this.messageHandlers.get(command.kind);
    // An older engine may receive a command kind that it does not know.
    if (!handler) throw new Error(`no handler for ${command.kind}`);
    const outcome = await lastValueFrom(this.transformToObservable(await handler(command)));
    if (typeof outcome?.ok !== 'boolean') throw new Error(`the handler of ${command.kind} returned no outcome`);
    return outcome;
  }

  private toShape(command: Command, error: unknown) {
    if (error instanceof SpooledError) return error.toShape();
    this.log.error({ command_id: command.id, kind: command.kind, err: error }, 'A command handler failed');
    return internalError(error).toShape();
  }
}
