import type { CommandBody, CommandKind, CommandResult } from '@spooled/contracts';
import { addLogContext, currentTraceparent, withSpan } from '@spooled/platform';
import type { CommandPath } from '@spooled/queue';
import { type Caller, newCommand } from './new-command.js';

/** Runs commands for the callers of a service. */
export class Commands {
  constructor(
    private readonly path: Pick<CommandPath, 'run'>,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Resolves after the commit. `caller`: a principal, or the organization and who acts for it.
   * @throws SpooledError the error of the command; 503 when it could not be executed in time
   */
  run<K extends CommandKind>(kind: K, caller: Caller, body: CommandBody<K>): Promise<CommandResult<K>> {
    if ('jobId' in body) addLogContext({ jobId: body.jobId });
    const attributes = { 'spooled.command': kind, 'spooled.organization_id': caller.organizationId };
    return withSpan(`command ${kind}`, { kind: 'producer', attributes }, () =>
      this.path.run(newCommand(kind, caller, body, { ttlMs: this.timeoutMs, traceparent: currentTraceparent() })),
    );
  }
}
