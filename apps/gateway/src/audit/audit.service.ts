import { Injectable } from '@nestjs/common';
import { type auditSchemas, parseActor } from '@spooled/contracts';
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

/** Reads the audit log: who changed settings, and who deleted or moved many jobs (BX-21). */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /** One page, the newest first. @throws SpooledError 400 for an invalid cursor */
  async list(
    { organizationId }: Principal,
    query: auditSchemas.ListAuditQuery,
  ): Promise<Page<auditSchemas.AuditEntry>> {
    const filter = filterOf(query);
    return toPage(await this.database.withTenant(organizationId, (tx) => listAudit(tx, filter), repeatableRead), query);
  }

  /** As `list`, of one organization or all of them. @throws SpooledError 400 for an invalid cursor */
  async listOfAll(query: auditSchemas.ListAuditOfAllQuery): Promise<Page<auditSchemas.AuditEntry>> {
    const filter = { ...filterOf(query), organizationId: query.organization_id ?? null };
    const find = (tx: SystemTransaction) => listAuditOfAll(tx, filter);
    return toPage(await this.database.asSystem('list the audit log', find, repeatableRead), query);
  }
}

const filterOf = (query: auditSchemas.ListAuditQuery): AuditFilter => ({
  action: query.action ?? null,
  actorKind: query.actor_kind ?? null,
  actorId: query.actor_id ?? null,
  targetKind: query.target_kind ?? null,
  targetId: query.target_id ?? null,
  since: query.since ?? null,
  until: query.until ?? null,
  ...searchedRowsOf(query),
});

const toPage = (found: Searched<AuditRow>, query: auditSchemas.ListAuditQuery): Page<auditSchemas.AuditEntry> =>
  mapPage(
    pageOfSearch(found, query, ({ at, id }) => [at, id]),
    (row) => ({ ...row, actor: parseActor(row.actor) }),
  );
