import type { TimedPage } from '../database/list-position.js';
import { type Searched, searchTimedPage } from '../database/search-in-parts.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  findInboundDeliveriesEnd,
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

/**
 * Accepted inbound webhooks of the organization, newest first, searched for in parts.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export function listInboundDeliveries(
  tx: TenantTransaction,
  { status, since, queueName, ...page }: InboundDeliveryFilter,
): Promise<Searched<ListInboundDeliveriesResult>> {
  const { organizationId } = tx;
  // With a queue its own index is read: few rows of a queue may be duplicates, and few duplicates may be of the queue.
  const scope = { organizationId, since, queueName, onlyDuplicates: status === 'duplicate' && queueName === null };
  return searchTimedPage(
    page,
    { isSelective: status !== null && !scope.onlyDuplicates },
    {
      find: (part) => tx.run(listInboundDeliveriesSql, { ...scope, status, ...part }),
      findEnd: (part) => tx.run(findInboundDeliveriesEnd, { ...scope, ...part }),
    },
  );
}
