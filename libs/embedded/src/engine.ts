import type { CommandBody, CommandKind, CommandResult, ActorText } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { unavailable } from '@spooled/domain';
import {
  BlockedTenants,
  type CommittedCompletion,
  CommandPath,
  type Effects,
  GroupCommit,
  JobEngine,
  Latencies,
} from '@spooled/queue';
import { Commands } from '@spooled/service';

export interface EngineOptions {
  organizationId: string;
  /** Longest wait of a command, milliseconds. */
  timeoutMs: number;
  /** Called after each commit. */
  onEffects(effects: Effects): void;
  onError(error: unknown): void;
}

/** Runs commands of one organization in this process, in shared transactions (BX-10). */
export class EmbeddedEngine {
  private readonly engine: JobEngine;
  private readonly commit: GroupCommit;
  private readonly commands: Commands;
  private readonly latencies: Latencies;
  private closed = false;

  constructor(
    database: Database,
    private readonly options: EngineOptions,
  ) {
    const { onEffects, onError, timeoutMs } = options;
    const blocked = new BlockedTenants();
    this.latencies = new Latencies(database, { onError });
    this.engine = new JobEngine(database, {
      latencies: this.latencies,
      onEffects,
      events: false,
      onError,
      onBlocked: (organizationId) => blocked.record(organizationId),
    });
    this.commit = new GroupCommit(this.engine, { blocked, separatesKinds: true, onError });
    this.commands = new Commands(new CommandPath({ mode: 'direct', transport: null, local: this.commit }), timeoutMs);
  }

  /** Resolves after the commit. @throws SpooledError of the domain; 503 after `close` */
  async run<K extends CommandKind>(kind: K, actor: ActorText, body: CommandBody<K>): Promise<CommandResult<K>> {
    if (this.closed) throw unavailable('embedded engine', 1, new Error('It was closed'));
    return this.commands.run(kind, { organizationId: this.options.organizationId, actor }, body);
  }

  /** Publishes what a transaction of the application has committed. */
  publish({ effects, durations }: CommittedCompletion): void {
    this.latencies.add(durations);
    this.options.onEffects(effects);
  }

  /** Refuses further commands; resolves when earlier ones have ended and their latencies are recorded. */
  async close(): Promise<void> {
    this.closed = true;
    await this.commit.drain();
    await this.engine.close();
    await this.latencies.close();
  }
}
