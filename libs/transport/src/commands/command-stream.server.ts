import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { type ClaimedJob, commandKinds, type Command, type Outcome } from '@spooled/contracts';
import { internalError, SpooledError } from '@spooled/domain';
import { lastValueFrom } from 'rxjs';
import { v7 as uuidv7 } from 'uuid';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { RedisShards } from '../connection/redis-shards.js';
import type { CommandReply } from './reply-writer.js';
import { ShardConsumer } from './shard-consumer.js';
import type { TransportLog } from '../connection/transport-log.js';
import { grantedJobs, isAdopted } from './wire.js';

export interface CommandStreamServerOptions {
  log: TransportLog;
  /** Commands in work at once in this process; beyond it nothing more is read. */
  maxInWork?: number;
  /** Entries per read. */
  batchSize?: number;
  /** A command whose engine went silent for this long is run by another one. */
  redeliverAfterMs?: number;
  maxDeliveries?: number;
  /** How long a clean stop waits for commands in work. */
  stopGraceMs?: number;
  /** Runs around each command, for instance to put a span there. */
  wrap?: (command: Command, run: () => Promise<Outcome>) => Promise<Outcome>;
  /**
   * Told of jobs that a claim granted and whose answer nobody listens for any more: the process that sent it is gone. They have to be
   * given back. Must not throw.
   */
  onUnclaimed?: (organizationId: string, jobs: ClaimedJob[]) => void;
}

/**
 * Nest's server side of the command streams: each command runs on exactly one of the engines that share a consumer
 * group, and is acknowledged after its answer. Handlers are bound with `@MessagePattern(kind)`, receive the command and
 * give an `Outcome`; one that gathers commands into a batch simply answers them together.
 */
export class CommandStreamServer extends Server implements CustomTransportStrategy {
  private readonly boundTwice = new Set<string>();
  private readonly intake: ConcurrencyLimit;
  private readonly log: TransportLog;
  private consumers: ShardConsumer[] = [];

  constructor(
    private readonly shards: RedisShards,
    private readonly options: CommandStreamServerOptions,
  ) {
    super();
    this.log = options.log;
    this.intake = new ConcurrencyLimit(options.maxInWork ?? 2000);
  }

  override addHandler(pattern: unknown, callback: MessageHandler, isEvent?: boolean, extras?: Record<string, unknown>) {
    const kind = this.normalizePattern(pattern as string);
    if (this.messageHandlers.has(kind)) this.boundTwice.add(kind);
    super.addHandler(pattern, callback, isEvent, extras);
  }

  /** Starts to take commands; does not wait for Redis, which may come later. */
  listen(callback: (error?: Error) => void): void {
    const mistake = this.findMistake();
    if (mistake) return callback(new Error(mistake));
    const { log, batchSize = 500, redeliverAfterMs = 3000, maxDeliveries = 5 } = this.options;
    const onUndelivered = (reply: CommandReply) => this.noteUndelivered(reply);
    const settings = { log, engineId: uuidv7(), batchSize, redeliverAfterMs, maxDeliveries, onUndelivered };
    const run = (command: Command) => this.outcomeOf(command);
    this.consumers = this.shards.all.map((shard) => new ShardConsumer(shard, this.intake, run, settings));
    for (const consumer of this.consumers) consumer.start();
    callback();
  }

  /** Takes nothing new, finishes what is in work, answers, leaves. */
  async close(): Promise<void> {
    const consumers = this.consumers;
    this.consumers = [];
    this.intake.stop();
    await Promise.all(consumers.map((consumer) => consumer.stopReading()));
    const { stopGraceMs = 10_000 } = this.options;
    if (!(await this.intake.whenIdle(stopGraceMs))) {
      this.log.warn({ grace_ms: stopGraceMs }, 'Stopped with commands in work; another engine will run them again');
    }
    await Promise.all(consumers.map((consumer) => consumer.leave()));
  }

  on(): never {
    throw new Error('the command server has no events of its own');
  }

  unwrap<T>(): T {
    return this.shards as T;
  }

  /** Leases that an earlier run had granted may be in a worker's hands by that run's answer; they end by expiry. */
  private noteUndelivered({ command, outcome }: CommandReply): void {
    const jobs = grantedJobs(command.kind, outcome);
    if (jobs && !isAdopted(outcome)) this.options.onUnclaimed?.(command.organizationId, jobs);
  }

  private findMistake(): string | undefined {
    const missing = commandKinds.filter((kind) => !this.messageHandlers.has(kind));
    if (missing.length > 0) return `no handler for ${missing.join(', ')}`;
    if (this.boundTwice.size > 0) return `two handlers for ${[...this.boundTwice].join(', ')}`;
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
    // An engine of an older version may meet a command that it does not know yet.
    if (!handler) throw new Error(`no handler for ${command.kind}`);
    const outcome = await lastValueFrom(this.transformToObservable(await handler(command)));
    if (typeof outcome?.ok !== 'boolean') throw new Error(`the handler of ${command.kind} gave no outcome`);
    return outcome;
  }

  private toShape(command: Command, error: unknown) {
    if (error instanceof SpooledError) return error.toShape();
    this.log.error({ command_id: command.id, kind: command.kind, err: error }, 'A command handler failed');
    return internalError(error).toShape();
  }
}
