import type { CommandBody, CommandKind, CommandResult } from '@spooled/contracts';
import { addLogContext, currentTraceparent, withSpan } from '@spooled/platform';
import type { CommandPath } from '@spooled/queue';
import type { Throttles } from '../throttles/throttles.js';
import { type Caller, newCommand } from './new-command.js';

/** Runs commands for the callers of a service. */
export class Commands {
  constructor(
    private readonly path: Pick<CommandPath, 'run'>,
    private readonly timeoutMs: number,
    private readonly throttles: Pick<Throttles, 'run'> | null = null,
  ) {}

  /**
   * Resolves after the commit. `caller`: a principal, or the organization and who acts for it. Every new job of a caller comes through
   * here, so throttles are checked here.
   * @throws SpooledError the error of the command; 429 for throttled jobs; 503 when it could not be executed in time
   */
  run<K extends CommandKind>(kind: K, caller: Caller, body: CommandBody<K>): Promise<CommandResult<K>> {
    if ('jobId' in body) addLogContext({ jobId: body.jobId });
    const attributes = { 'spooled.command': kind, 'spooled.organization_id': caller.organizationId };
    const run = () =>
      withSpan(`command ${kind}`, { kind: 'producer', attributes }, () =>
        this.path.run(newCommand(kind, caller, body, { ttlMs: this.timeoutMs, traceparent: currentTraceparent() })),
      );
    return this.throttles ? this.throttles.run(kind, caller, body, run) : run();
  }
}
