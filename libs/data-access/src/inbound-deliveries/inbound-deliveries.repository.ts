import type { TenantTransaction } from '../database/transactions.js';
import {
  listInboundDeliveries as listInboundDeliveriesSql,
  type ListInboundDeliveriesResult,
} from './list-inbound-deliveries.queries.js';

export type { ListInboundDeliveriesResult as InboundDeliveryRow };

export interface InboundDeliveryFilter {
  status: 'created' | 'duplicate' | null;
  /** RFC 3339; the first moment that is listed. */
  since: string | null;
  queueName: string | null;
  limit: number;
  offset: number;
}

/** Accepted inbound webhooks of the organization, newest first. */
export const listInboundDeliveries = (
  tx: TenantTransaction,
  filter: InboundDeliveryFilter,
): Promise<ListInboundDeliveriesResult[]> =>
  tx.run(listInboundDeliveriesSql, { organizationId: tx.organizationId, ...filter });
