import { pageParameters, type TimedPage } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  listInboundRefusals as listInboundRefusalsSql,
  type ListInboundRefusalsResult,
  recordInboundRefusals as recordInboundRefusalsSql,
  trimInboundRefusals,
} from './inbound-refusals.queries.js';

export type { ListInboundRefusalsResult as InboundRefusalRow };

/** Refused inbound webhooks that differ in nothing but their time. */
export interface InboundRefusal {
  provider: string;
  event_type: string;
  code: string;
  reason: string;
  address: string;
  calls: number;
  /** How long ago the first of them was. */
  ms_ago: number;
}

/** Rows that an organization keeps. */
const kept = 1_000;

/** Adds refusals to the log of the organization, of which the newest 1,000 remain; nothing for one that is gone. */
export async function recordInboundRefusals(tx: TenantTransaction, refusals: InboundRefusal[]): Promise<void> {
  await tx.run(recordInboundRefusalsSql, { refusals: JSON.stringify(refusals) });
  await tx.run(trimInboundRefusals, { kept });
}

/** Refused inbound webhooks of the organization, newest first. `since`: RFC 3339; null = any. */
export const listInboundRefusals = (
  tx: TenantTransaction,
  { since, ...page }: TimedPage & { since: string | null },
): Promise<ListInboundRefusalsResult[]> => tx.run(listInboundRefusalsSql, { since, ...pageParameters(page) });
