import type { Command } from '@spooled/contracts';
import { type BatchTransaction, hasFunctionErrorCode, type Transaction } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { fenceCommands, findFences } from '../step/fences.queries.js';

/** The run is stale, because a later delivery of the command has run; its caller has had its response. */
export const supersededError = (): SpooledError =>
  new SpooledError('CONFLICT', 'A later delivery of the command has taken over');

/** Whether fence_commands_v1 has refused. */
export const isSuperseded = (error: unknown): boolean => hasFunctionErrorCode(error, 'superseded');

type Delivered = Command & { delivery: number };

/** Renewals are not fenced: a late one extends a lease that is still held, by at most its own duration. */
const isFenced = (command: Command): command is Delivered =>
  command.delivery !== undefined && command.kind !== 'job.renew';

/**
 * Fences off earlier deliveries of these commands (see fence_commands_v1). Send it first in the transaction; it need not be
 * awaited before the following statements, which fail with it.
 * @throws an error that `isSuperseded` recognizes when a later delivery of one of them has run
 */
export async function fence(tx: Transaction, commands: readonly Command[]): Promise<void> {
  const fenced = commands.filter(isFenced);
  if (fenced.length === 0) return;
  await tx.run(fenceCommands, {
    organizationIds: fenced.map(({ organizationId }) => organizationId),
    ids: fenced.map(({ id }) => id),
    deliveries: fenced.map(({ delivery }) => delivery),
  });
}

/** Those of which a later delivery has run. Not their ids: another organization may have a command with the same one. */
export async function findSuperseded(tx: BatchTransaction, commands: readonly Command[]): Promise<Set<Command>> {
  const fenced = commands.filter(isFenced);
  const rows = await tx.run(findFences, { ids: fenced.map(({ id }) => id) });
  const isLater = ({ id, organizationId, delivery }: Delivered) =>
    rows.some((row) => row.command_id === id && row.owner_id === organizationId && row.delivery > delivery);
  return new Set(fenced.filter(isLater));
}
