import { Injectable } from '@nestjs/common';
import type { adminSchemas } from '@spooled/contracts';
import { Database, listIsolationChecks } from '@spooled/data-access';
import { conflict } from '@spooled/domain';
import { idOnly, IsolationChecks, type Page, pageOf, rowsOf } from '@spooled/service';

/** Checks that tenants are isolated in the database (SP-59, BX-25). */
@Injectable()
export class IsolationService {
  constructor(
    private readonly database: Database,
    private readonly checks: IsolationChecks,
  ) {}

  /** One page, the newest first. @throws SpooledError 400 for an invalid cursor */
  async list(query: adminSchemas.ListIsolationChecksQuery): Promise<Page<adminSchemas.IsolationCheck>> {
    const page = { ...rowsOf(query), after: idOnly(query.cursor) };
    return pageOf(await listIsolationChecks(this.database, page), query, ({ id }) => [id]);
  }

  /** Checks now, in 10 s at most. @throws SpooledError 409 while another check runs */
  async check(): Promise<adminSchemas.IsolationCheck> {
    const check = await this.checks.run();
    if (check === null) throw conflict('Another check of isolation is running');
    return check;
  }
}
