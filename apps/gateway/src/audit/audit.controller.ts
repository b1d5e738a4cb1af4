import { Controller, Get, Query } from '@nestjs/common';
import { auditSchemas as schemas, parseActor } from '@spooled/contracts';
import {
  type AuditFilter,
  type AuditRow,
  Database,
  listAudit,
  listAuditOfAll,
  repeatableRead,
  type Searched,
  type SystemTransaction,
} from '@spooled/data-access';
import { mapPage, type Page, pageOfSearch, type Principal, searchedRowsOf } from '@spooled/service';
import { Admin, CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { ApiTags, ListResponse, validated } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';

/** The audit log of an organization: who changed settings, and who deleted or moved many jobs (BX-21). */
@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly database: Database) {}

  /** One page, the newest first. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @Unscoped()
  @Requires('read')
  @MayBeStale()
  @ListResponse(schemas.auditEntry)
  async list(
    @CurrentPrincipal() { organizationId }: Principal,
    @Query(validated(schemas.listAuditQuery)) query: schemas.ListAuditQuery,
  ): Promise<Page<schemas.AuditEntry>> {
    const filter = filterOf(query);
    return toPage(await this.database.withTenant(organizationId, (tx) => listAudit(tx, filter), repeatableRead), query);
  }
}

/** The audit log of one organization or all of them. */
@ApiTags('admin')
@Admin()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly database: Database) {}

  /** One page, the newest first. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @ListResponse(schemas.auditEntry)
  async list(
    @Query(validated(schemas.listAuditOfAllQuery)) query: schemas.ListAuditOfAllQuery,
  ): Promise<Page<schemas.AuditEntry>> {
    const filter = { ...filterOf(query), organizationId: query.organization_id ?? null };
    const find = (tx: SystemTransaction) => listAuditOfAll(tx, filter);
    return toPage(await this.database.asSystem('list the audit log', find, repeatableRead), query);
  }
}

const filterOf = (query: schemas.ListAuditQuery): AuditFilter => ({
  action: query.action ?? null,
  actorKind: query.actor_kind ?? null,
  actorId: query.actor_id ?? null,
  targetKind: query.target_kind ?? null,
  targetId: query.target_id ?? null,
  since: query.since ?? null,
  until: query.until ?? null,
  ...searchedRowsOf(query),
});

const toPage = (found: Searched<AuditRow>, query: schemas.ListAuditQuery): Page<schemas.AuditEntry> =>
  mapPage(
    pageOfSearch(found, query, ({ at, id }) => [at, id]),
    (row) => ({ ...row, actor: parseActor(row.actor) }),
  );
