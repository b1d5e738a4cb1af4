import type { CommandOf, LeaseStore, Outcome } from '@spooled/contracts';
import { succeeded } from '../step/batch-step.js';

/** Renewals that need no row (KF-06); null where the row has to be written, or has to refuse. */
export async function renewWithoutRows(
  leases: LeaseStore,
  commands: CommandOf<'job.renew'>[],
): Promise<(Outcome<'job.renew'> | null)[]> {
  const ends = await leases.renew(commands.map(({ organizationId, body }) => ({ ...body, organizationId })));
  return ends.map((leaseExpiresAt) => (leaseExpiresAt ? succeeded<'job.renew'>({ leaseExpiresAt }) : null));
}
