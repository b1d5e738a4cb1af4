import type { LeaseStore, PresentedLease } from '@spooled/contracts';
import { byOrganization, inGroups } from './batch-step.js';

/** Leases that live beyond their rows, because renewals were answered without writing the row: number of the command → lease id. */
export type RenewedLeases = ReadonlyMap<number, string>;

/** How a verb works on the leases that its commands present. */
export interface LeaseStatement<Row> {
  /** Runs it; with `renewed`, for those commands alone, and says that their leases live and which they are. */
  run(renewed?: RenewedLeases): Promise<Row[]>;
  /** Numbers of the commands that these rows refuse because the lease has expired. */
  expired(rows: Row[]): number[];
  /** What the command of this number presents. */
  leaseOf(number: number): PresentedLease;
}

/**
 * Runs a statement, and once more for the leases that the rows take for expired although the lease store holds them. The row of
 * such a lease is still its own; its id is what fences it.
 *
 * @returns the rows of both runs; a later one replaces an earlier one of the same command
 */
export async function runOnLeases<Row>(store: LeaseStore | undefined, statement: LeaseStatement<Row>): Promise<Row[]> {
  const rows = await statement.run();
  const expired = store ? statement.expired(rows) : [];
  if (expired.length === 0) return rows;
  const found = await store!.alive(expired.map((number) => statement.leaseOf(number)));
  const renewed = new Map(found.flatMap((lease, i) => (lease ? [[expired[i]!, lease.leaseId] as const] : [])));
  return renewed.size === 0 ? rows : [...rows, ...(await statement.run(renewed))];
}

/** The parts of a run's batch, in order of organization: all commands, or those whose leases are renewed. */
export function leaseParts<Command extends { organizationId: string }, Item>(
  commands: Command[],
  renewed: RenewedLeases | undefined,
  itemOf: (command: Command, number: number, renewedLease?: string) => Item,
): { organization: string; items: Item[] }[] {
  const parts = inGroups(commands, byOrganization).map(({ first, members }) => ({
    organization: first.organizationId,
    items: members
      .filter(({ number }) => !renewed || renewed.has(number))
      .map(({ command, number }) => itemOf(command, number, renewed?.get(number))),
  }));
  return parts.filter(({ items }) => items.length > 0);
}

/** What a command presents of a lease. */
export const presentedLease = (
  organizationId: string,
  { jobId, leaseId, workerId }: { jobId: string; leaseId: string | null; workerId: string | null },
): PresentedLease => ({ organizationId, jobId, leaseId, workerId });
