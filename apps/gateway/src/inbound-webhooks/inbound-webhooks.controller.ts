import { Controller, Get, Query } from '@nestjs/common';
import { ingestionSchemas as schemas } from '@spooled/contracts';
import {
  Database,
  type InboundDeliveryRow,
  type InboundRefusalRow,
  listInboundDeliveries,
  listInboundRefusals,
  repeatableRead,
} from '@spooled/data-access';
import { byCreation, type Page, pageOfSearch, type Principal, searchedRowsOf } from '@spooled/service';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { ApiTags, ListResponse, validated } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';

/**
 * Controller of the log of inbound webhooks. The webhooks service receives them, at /webhooks/{organization}/…; this path has no such
 * segment and is answered here.
 */
@ApiTags('webhooks')
@Unscoped()
@Controller('webhooks')
export class InboundWebhooksController {
  constructor(private readonly database: Database) {}

  @Get('deliveries')
  @Requires('read')
  @MayBeStale()
  @ListResponse(schemas.inboundDelivery)
  async list(
    @CurrentPrincipal() { organizationId }: Principal,
    @Query(validated(schemas.listInboundQuery)) query: schemas.ListInboundQuery,
  ): Promise<Page<schemas.InboundDelivery>> {
    const { status, since = null, queue_name: queueName = null } = query;
    const page = searchedRowsOf(query);
    const found = await this.database.withTenant(
      organizationId,
      async (tx) => {
        if (status !== 'refused') {
          const filter = { status: status ?? null, since, queueName, ...page };
          const { rows, searchedTo } = await listInboundDeliveries(tx, filter);
          return { rows: rows.map(toAccepted), searchedTo };
        }
        // Which queue it would have been for is not known.
        const rows = queueName === null ? await listInboundRefusals(tx, { since, ...page }) : [];
        return { rows: rows.map(toRefused), searchedTo: null };
      },
      repeatableRead,
    );
    return pageOfSearch(found, query, byCreation);
  }
}

const toAccepted = (row: InboundDeliveryRow): schemas.InboundDelivery => ({
  ...row,
  status: row.status as schemas.InboundDelivery['status'],
  code: null,
  reason: null,
  address: null,
  calls: 1,
});

const toRefused = (row: InboundRefusalRow): schemas.InboundDelivery => ({
  ...row,
  status: 'refused',
  matched_queue: null,
  job_id: null,
});
