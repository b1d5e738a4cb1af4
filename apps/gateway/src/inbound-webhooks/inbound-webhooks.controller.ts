import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ingestionSchemas as schemas } from '@spooled/contracts';
import {
  Database,
  type InboundDeliveryRow,
  type InboundRefusalRow,
  listInboundDeliveries,
  listInboundRefusals,
} from '@spooled/data-access';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { timeAndId } from '../http/cursor.js';
import { byCreation, pageOf, rowsOf, type Page } from '../http/list-page.js';
import { ListResponse } from '../http/list-response.js';
import { MayBeStale } from '../http/stale-read.js';
import { validated } from '../http/validated.js';

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
    const { status, since = null, queue_name: queueName = null, cursor } = query;
    const page = { ...rowsOf(query), after: timeAndId(cursor) };
    const rows = await this.database.withTenant(organizationId, async (tx) => {
      if (status !== 'refused')
        return (await listInboundDeliveries(tx, { status: status ?? null, since, queueName, ...page })).map(toAccepted);
      // Which queue it would have been for is not known.
      return queueName === null ? (await listInboundRefusals(tx, { since, ...page })).map(toRefused) : [];
    });
    return pageOf(rows, query, byCreation);
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
