import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ingestionSchemas as schemas } from '@spooled/contracts';
import { Database, listInboundDeliveries } from '@spooled/data-access';
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
    const { status, since, queue_name: queueName, cursor } = query;
    const filter = { status: status ?? null, since: since ?? null, queueName: queueName ?? null };
    const page = { ...rowsOf(query), after: timeAndId(cursor) };
    const rows = await this.database.withTenant(organizationId, (tx) =>
      listInboundDeliveries(tx, { ...filter, ...page }),
    );
    const found = rows.map((row) => ({ ...row, status: row.status as schemas.InboundDelivery['status'] }));
    return pageOf(found, query, byCreation);
  }
}
