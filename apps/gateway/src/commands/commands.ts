import type { CommandBody, CommandKind, CommandOf, CommandResult } from '@spooled/contracts';
import { addLogContext, currentTraceparent, newId, withSpan } from '@spooled/platform';
import type { CommandPath } from '@spooled/queue';

/** Turns what a caller wants changed into a command and waits until it is committed. */
export class Commands {
  constructor(
    private readonly path: CommandPath,
    private readonly timeoutMs: number,
  ) {}

  /** @throws SpooledError the command's refusal; 503 when it could not be run in time */
  run<K extends CommandKind>(kind: K, organizationId: string, body: CommandBody<K>): Promise<CommandResult<K>> {
    if ('jobId' in body) addLogContext({ jobId: body.jobId });
    const attributes = { 'spooled.command': kind, 'spooled.organization_id': organizationId };
    return withSpan(`command ${kind}`, { kind: 'producer', attributes }, () => {
      const command = {
        id: newId(),
        kind,
        organizationId,
        ttlMs: this.timeoutMs,
        traceparent: currentTraceparent(),
        body,
      };
      return this.path.run(command as CommandOf<K>);
    });
  }
}
