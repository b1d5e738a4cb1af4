import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import {
  TransportLostError,
  type ClaimedJob,
  type Command,
  type CommandKind,
  type CommandOf,
  type CommandResult,
  type CommandTransport,
  type Outcome,
  type TransportState,
} from '@spooled/contracts';
import { unavailable } from '@spooled/domain';
import type { Observable } from 'rxjs';
import { v7 as uuidv7 } from 'uuid';
import { AnsweredClaims } from './answered-claims.js';
import { CommandWriter } from './command-writer.js';
import { PendingReplies } from './pending-replies.js';
import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import { ShardMonitor } from './shard-monitor.js';
import type { TransportLog } from '../connection/transport-log.js';
import { decodeReplies, grantedJobs, isAdopted, isStored } from './wire.js';

export interface CommandStreamClientOptions {
  log: TransportLog;
  /**
   * COMMAND_BACKLOG_LIMIT_MS: when the oldest command that no engine has taken is older than this, organizations with more than their
   * share of the commands in flight get 503.
   */
  backlogLimitMs?: number;
  /** When it is older than this, all organizations do: a further command would hardly run in time. */
  backlogMaxMs?: number;
  /** Commands of this process in flight, shared by organizations; further ones get 503. */
  maxInFlight?: number;
  /** How often each shard's engines and backlog are polled while commands are sent. */
  pollMs?: number;
  /**
   * Called with jobs that a claim granted after its caller had another response or a timeout. They must be released.
   * Must not throw.
   */
  onUnclaimed?: (organizationId: string, jobs: ClaimedJob[]) => void;
}

/**
 * Sends commands to engines through Redis streams and waits for their responses. Both a Nest client (`send(kind,
 * command)` returns an Observable) and the product's `CommandTransport` (`send(command)` returns a promise).
 */
export class CommandStreamClient extends ClientProxy implements CommandTransport {
  private readonly clientId = uuidv7();
  private readonly replyChannel = keys.replyChannel(this.clientId);
  private readonly pending: PendingReplies;
  private readonly monitors = new Map<RedisShard, ShardMonitor>();
  private readonly writers = new Map<RedisShard, CommandWriter>();
  private readonly unsubscribes: (() => void)[] = [];
  private readonly answeredClaims: AnsweredClaims;
  private readonly log: TransportLog;
  private readonly backlogMaxMs: number;
  private readonly onUnclaimed: NonNullable<CommandStreamClientOptions['onUnclaimed']>;

  constructor(
    private readonly shards: RedisShards,
    {
      log,
      backlogLimitMs = 2000,
      backlogMaxMs = 2 * backlogLimitMs,
      maxInFlight = 10_000,
      pollMs = 250,
      onUnclaimed = () => undefined,
    }: CommandStreamClientOptions,
  ) {
    super();
    this.log = log;
    this.pending = new PendingReplies(maxInFlight, shards.clock);
    this.answeredClaims = new AnsweredClaims(shards.clock);
    this.backlogMaxMs = backlogMaxMs;
    this.onUnclaimed = onUnclaimed;
    for (const shard of shards.all) this.attach(shard, { log, backlogLimitMs, pollMs });
  }

  /** `backlogged`: the shard is, and the organization has its share of the commands in flight, or no command would run in time. */
  state(organizationId: string): TransportState {
    const shard = this.shards.shardOf(organizationId);
    const { state, backlogAge } = this.monitors.get(shard)!;
    if (state !== 'backlogged') return state;
    const isAdmitted = backlogAge <= this.backlogMaxMs && this.pending.isWithinShare(shard.name, organizationId);
    return isAdmitted ? 'ready' : 'backlogged';
  }

  override send<K extends CommandKind>(command: CommandOf<K>): Promise<CommandResult<K>>;
  override send<TResult = unknown, TInput = unknown>(pattern: unknown, data: TInput): Observable<TResult>;
  override send(commandOrPattern: unknown, data?: unknown): unknown {
    if (data !== undefined) return super.send(commandOrPattern, data);
    return this.sendCommand(commandOrPattern as Command);
  }

  /** Connections open and reconnect by themselves; see `state`. */
  async connect(): Promise<void> {}

  /** Fails all commands in flight. The shards belong to the caller and stay open. */
  close(): void {
    for (const monitor of this.monitors.values()) monitor.stop();
    for (const unsubscribe of this.unsubscribes) unsubscribe();
    for (const shard of this.shards.all) this.loseShard(shard, 'the client was closed');
  }

  unwrap<T>(): T {
    return this.shards as T;
  }

  protected publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    this.sendCommand(packet.data as Command).then(
      (response) => callback({ response, isDisposed: true }),
      (err: unknown) => callback({ err }),
    );
    return () => undefined;
  }

  protected dispatchEvent<T>(): Promise<T> {
    return Promise.reject(new Error('commands need a response: use send'));
  }

  private async sendCommand(command: Command): Promise<unknown> {
    const shard = this.shards.shardOf(command.organizationId);
    this.monitors.get(shard)!.recordCommand();
    const state = this.state(command.organizationId);
    if (state === 'down') throw new TransportLostError(`no engine is reachable through Redis ${shard.name}`);
    if (state === 'backlogged' || !this.pending.hasCapacity(command.organizationId))
      throw unavailable('queue engine', 1);
    const answer = this.pending.add(command, shard.name);
    this.writers.get(shard)!.add(command);
    return answer;
  }

  private attach(shard: RedisShard, options: { log: TransportLog; backlogLimitMs: number; pollMs: number }): void {
    const { replyChannel } = this;
    const onEnginesGone = () => this.loseShard(shard, 'no engine is alive');
    this.unsubscribes.push(shard.channels.subscribe(replyChannel, (message) => this.receive(shard, message)));
    const onFailed = (commandId: string, cause: unknown) =>
      this.pending.fail(commandId, transportLost(shard, 'the command could not be sent', cause));
    this.writers.set(shard, new CommandWriter(shard, replyChannel, onFailed));
    shard.onLost(() => this.loseShard(shard, 'the connection was lost'));
    this.monitors.set(shard, new ShardMonitor(shard, { ...options, replyChannel, onEnginesGone }));
  }

  private receive(shard: RedisShard, message: string): void {
    for (const [commandId, outcome, organizationId] of decodeReplies(message)) {
      if (!isStored(outcome)) this.resolve(commandId, outcome, organizationId);
      else if (this.pending.has(commandId) || organizationId) {
        void this.fetch(shard, commandId, outcome.storedAt, organizationId);
      }
    }
  }

  /** `organizationId` is present only in responses that grant leases. */
  private resolve(commandId: string, outcome: Outcome, organizationId: string | undefined): void {
    const isAwaited = this.pending.resolve(commandId, outcome);
    const jobs = organizationId && grantedJobs('job.claim', outcome);
    if (!jobs) return;
    const adopted = isAdopted(outcome);
    if (isAwaited) this.answeredClaims.record(commandId, adopted);
    else if (this.answeredClaims.isUnclaimed(commandId, adopted)) this.onUnclaimed(organizationId, jobs);
  }

  private async fetch(shard: RedisShard, commandId: string, key: string, organizationId?: string): Promise<void> {
    try {
      const stored = await shard.commands.getdel(key);
      if (stored === null) throw new Error('the stored response no longer exists');
      this.resolve(commandId, JSON.parse(stored) as Outcome, organizationId);
    } catch (error) {
      this.log.warn({ shard: shard.name, command_id: commandId, err: error }, 'Failed to fetch a stored response');
      this.pending.fail(commandId, transportLost(shard, 'its response could not be fetched', error));
    }
  }

  private loseShard(shard: RedisShard, reason: string): void {
    this.pending.failShard(shard.name, () => transportLost(shard, reason));
  }
}

const transportLost = (shard: RedisShard, reason: string, cause?: unknown): TransportLostError =>
  new TransportLostError(`command lost in Redis ${shard.name}: ${reason}`, { cause });
