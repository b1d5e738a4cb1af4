import { Controller, Get, Post, Query } from '@nestjs/common';
import { adminSchemas as schemas } from '@spooled/contracts';
import { Database, listIsolationChecks } from '@spooled/data-access';
import { conflict } from '@spooled/domain';
import { idOnly, IsolationChecks, type Page, pageOf, rowsOf } from '@spooled/service';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags, ListResponse, ResponseSchema, validated } from '../http/routes.js';

/** Checks that tenants are isolated in the database (SP-59, BX-25). */
@ApiTags('admin')
@Admin()
@Controller('admin/isolation-checks')
export class IsolationController {
  constructor(
    private readonly database: Database,
    private readonly checks: IsolationChecks,
  ) {}

  /** One page, the newest first. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @ListResponse(schemas.isolationCheck)
  async list(
    @Query(validated(schemas.listIsolationChecksQuery)) query: schemas.ListIsolationChecksQuery,
  ): Promise<Page<schemas.IsolationCheck>> {
    const page = { ...rowsOf(query), after: idOnly(query.cursor) };
    return pageOf(await listIsolationChecks(this.database, page), query, ({ id }) => [id]);
  }

  /** Checks now, in 10 s at most. @throws SpooledError 409 while another check runs */
  @Post()
  @ResponseSchema(schemas.isolationCheck, 201)
  async check(): Promise<schemas.IsolationCheck> {
    const check = await this.checks.run();
    if (check === null) throw conflict('Another check of isolation is running');
    return check;
  }
}
