import {
  type Command,
  type CommandKind,
  type CommandOf,
  type CommandResult,
  type CommandTransport,
  type Outcome,
  takeoverDelivery,
  TransportLostError,
} from '@spooled/contracts';
import { internalError, SpooledError, unavailable } from '@spooled/domain';
import { releasesOf } from '../claim/unanswered-claims.js';
import type { GroupCommit } from './group-commit.js';

/** `auto`: through an engine if one is available, otherwise in this process. The others allow only one way. */
export type PathMode = 'auto' | 'transport' | 'direct';

export interface CommandPathOptions {
  mode: PathMode;
  /** Null: this process runs without Redis. */
  transport: CommandTransport | null;
  local: GroupCommit;
  /** Called with every outcome, whichever path it took; for metrics. */
  onOutcome?(command: Command, outcome: Outcome): void;
  /** Called with errors of the transport that callers see only as 500. */
  onError?(error: unknown, what: string): void;
}

/**
 * Executes a command from a server: through an engine, or with the same code in this process when Redis or the engines
 * are unavailable, so that enqueue, claim and complete keep working (BX-08, KF-15).
 */
export class CommandPath {
  constructor(private readonly options: CommandPathOptions) {}

  /** Resolves after the commit. @throws SpooledError the command's refusal; 503 when it could not be run in time */
  async run<K extends CommandKind>(command: CommandOf<K>): Promise<CommandResult<K>> {
    const outcome = await this.outcomeOf(command);
    this.options.onOutcome?.(command as Command, outcome as Outcome);
    if (outcome.ok) return outcome.value;
    throw SpooledError.fromShape(outcome.error);
  }

  private async outcomeOf<K extends CommandKind>(command: CommandOf<K>): Promise<Outcome<K>> {
    const { mode, transport, local } = this.options;
    if (mode === 'direct' || !transport) return local.submit(command);
    const state = transport.state(command.organizationId);
    if (state === 'backlogged') return refusal(unavailable('queue engine', 1));
    if (state === 'down') return mode === 'auto' ? local.submit(command) : refusal(unavailable('queue engine', 1));
    try {
      return { ok: true, value: await transport.send(command) };
    } catch (error) {
      if (error instanceof SpooledError) return refusal(error);
      if (!(error instanceof TransportLostError)) {
        this.options.onError?.(error, `send ${command.kind}`);
        return refusal(internalError(error));
      }
      return mode === 'auto' ? this.runLocally(command) : refusal(unavailable('Redis', 1, error));
    }
  }

  /** Runs a command in this process after its transport was lost. An engine may also run it, now or later: that run is fenced off. */
  private async runLocally<K extends CommandKind>(command: CommandOf<K>): Promise<Outcome<K>> {
    const { local } = this.options;
    if (command.kind !== 'job.claim') {
      return local.submit({ ...command, redelivered: true, delivery: takeoverDelivery });
    }
    // Two runs may each grant leases, and only one response reaches the worker: all are released, and the worker claims
    // again.
    const claim = command as CommandOf<'job.claim'>;
    // A transaction of the engine that is in progress commits after the first release.
    local.abandon(claim);
    const [release] = releasesOf([claim]);
    const released = await local.submit(release!);
    return (released.ok ? { ok: true, value: { jobs: [] } } : released) as Outcome<K>;
  }
}

const refusal = (error: SpooledError): { ok: false; error: ReturnType<SpooledError['toShape']> } => ({
  ok: false,
  error: error.toShape(),
});
