import type { LeaseStore, PresentedLease } from '@spooled/contracts';
import { byOrganization, inGroups } from './batch-step.js';
import { expiredIn } from './lease-refusal.js';

/** Leases that the store has extended beyond their rows: number of the command → lease id. */
export type RenewedLeases = ReadonlyMap<number, string>;

/** A statement on the leases that its commands present. */
export interface LeaseStatement<Row> {
  /** Runs the statement; with `renewed`, only for those commands, with the ids of their leases. */
  run(renewed?: RenewedLeases): Promise<Row[]>;
  /** Numbers of the commands that these rows refuse because the lease has expired. */
  expired(rows: Row[]): number[];
  /** The lease that the command presents. */
  leaseOf(number: number): PresentedLease;
}

/**
 * Runs a statement, and again for leases that are expired in their rows but extended in the lease store. Such a row
 * still belongs to its lease, whose id fences it.
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

/** A command with the lease that it presents. */
interface LeaseCommand {
  organizationId: string;
  body: Omit<PresentedLease, 'organizationId'>;
}

/** A database function on leases that reads a batch of items. */
export interface LeaseFunction<Command, Row> {
  itemOf(command: Command, number: number, renewedLease?: string): object;
  run(batch: string): Promise<Row[]>;
}

/** As `runOnLeases`, for the leases that these commands present. */
export const leaseRows = <Command extends LeaseCommand, Row extends { command: number; why: string | null }>(
  store: LeaseStore | undefined,
  commands: Command[],
  { itemOf, run }: LeaseFunction<Command, Row>,
): Promise<Row[]> =>
  runOnLeases<Row>(store, {
    run: (renewed) => run(JSON.stringify(leaseParts(commands, renewed, itemOf))),
    expired: expiredIn,
    leaseOf: (number) => presentedLease(commands[number]!.organizationId, commands[number]!.body),
  });

/** As `leaseRows`. @returns row i belongs to command i */
export async function leaseRowOfEach<Command extends LeaseCommand, Row extends { command: number; why: string | null }>(
  store: LeaseStore | undefined,
  commands: Command[],
  statement: LeaseFunction<Command, Row>,
): Promise<Row[]> {
  const rows = new Map((await leaseRows(store, commands, statement)).map((row) => [row.command, row]));
  return commands.map((_, number) => rows.get(number)!);
}

/** The parts of a batch, sorted by organization: all commands, or those with renewed leases. */
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

/** The lease that a command presents. */
export const presentedLease = (
  organizationId: string,
  { jobId, leaseId, workerId }: { jobId: string; leaseId: string | null; workerId: string | null },
): PresentedLease => ({ organizationId, jobId, leaseId, workerId });
