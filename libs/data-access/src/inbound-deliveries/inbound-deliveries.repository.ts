import { pageParameters, type TimedPage } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  listInboundDeliveries as listInboundDeliveriesSql,
  type ListInboundDeliveriesResult,
} from './list-inbound-deliveries.queries.js';

export type { ListInboundDeliveriesResult as InboundDeliveryRow };

export interface InboundDeliveryFilter extends TimedPage {
  status: 'created' | 'duplicate' | null;
  /** RFC 3339; the first moment that is listed. */
  since: string | null;
  queueName: string | null;
}

/** Accepted inbound webhooks of the organization, newest first. */
export const listInboundDeliveries = (
  tx: TenantTransaction,
  { status, since, queueName, ...page }: InboundDeliveryFilter,
): Promise<ListInboundDeliveriesResult[]> => {
  const filter = { organizationId: tx.organizationId, status, since, queueName };
  return tx.run(listInboundDeliveriesSql, { ...filter, ...pageParameters(page) });
};
