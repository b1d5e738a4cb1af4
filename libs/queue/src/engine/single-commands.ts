import type { Command, CommandKind, CommandOf, Outcome } from '@spooled/contracts';
import { type Database, type TenantTransaction, toDatabaseError } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { commands, type SingleKind, type StepContext } from './commands.js';
import { retryAfterConflict, type PreviousRun } from './conflict-retry.js';
import { refused, succeeded } from '../step/batch-step.js';
import { loggedOutcomes, logOutcomes } from '../step/command-log.js';
import { logRefusal } from '../step/command-log.queries.js';
import { EffectsBuilder } from '../step/effects.js';
import { setActor } from '../step/actor.js';
import type { SingleStep } from '../step/single-step.js';

export interface SingleCommandsOptions {
  context: StepContext;
  /** Called after each commit; must not throw. */
  onEffects(effects: EffectsBuilder): void;
  /** Called with errors that callers see only as a generic 500 or 503. */
  onError?(error: unknown, what: string): void;
}

/** A step whose kind is known only at run time; `commands` is checked kind by kind where it is written. */
type AnySingleStep = SingleStep<CommandKind>;

/** Runs rare commands, one per transaction, and logs their outcomes. */
export class SingleCommands {
  constructor(
    private readonly db: Database,
    private readonly options: SingleCommandsOptions,
  ) {}

  /** Never rejects. */
  async run(command: Command): Promise<Outcome> {
    /** It may have run before. */
    let isRepeated = command.redelivered === true;
    try {
      const run = (previous: PreviousRun) => this.commit(command, (isRepeated ||= previous !== 'none'));
      return await retryAfterConflict(this.options.context.clock, run, this.options.onError);
    } catch (error) {
      const isRefusal = error instanceof SpooledError && error.status < 500;
      if (!isRefusal) this.options.onError?.(error, command.kind);
      const refusal = refused(toDatabaseError(error));
      return isRefusal && isRepeated ? this.logRefusal(command, refusal) : refusal;
    }
  }

  /** @param repeated whether the command may have run before */
  private async commit(command: Command, repeated: boolean): Promise<Outcome> {
    const effects = new EffectsBuilder();
    const { mode, step: stepOf } = commands[command.kind as SingleKind];
    const step = stepOf(this.options.context) as unknown as AnySingleStep;
    const work = async (tx: TenantTransaction) => {
      const known = repeated ? (await loggedOutcomes(tx, [command])).get(command.id) : undefined;
      if (known) return known;
      const [, value] = await Promise.all([
        setActor(tx, command),
        step(tx, command as CommandOf<CommandKind>, effects),
      ]);
      const result = succeeded(value);
      await effects.updateWorkflows(tx);
      await logOutcomes(tx, [{ command, outcome: result }]);
      return result;
    };
    const limits = mode === 'long' ? { timeoutMs: 60_000 } : undefined;
    const outcome = await this.db.withTenant(command.organizationId, work, limits);
    await effects.leases.apply(this.options.context.leases);
    this.options.onEffects(effects);
    return outcome;
  }

  /**
   * A late first run must not do what was reported as refused. One that has committed since this run looked for its outcome is why this
   * one was refused.
   * @returns what the log has
   */
  private logRefusal(command: Command, outcome: Outcome): Promise<Outcome> {
    return this.db
      .withTenant(command.organizationId, async (tx) => {
        await tx.run(logRefusal, { id: command.id, outcome: JSON.stringify(outcome) });
        return (await loggedOutcomes(tx, [command])).get(command.id) ?? outcome;
      })
      .catch((error: unknown) => {
        this.options.onError?.(error, `log the refusal of ${command.kind}`);
        return outcome;
      });
  }
}
