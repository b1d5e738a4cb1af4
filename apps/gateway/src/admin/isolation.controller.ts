import { Controller, Get, Post, Query } from '@nestjs/common';
import { adminSchemas as schemas } from '@spooled/contracts';
import type { Page } from '@spooled/service';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { IsolationService } from './isolation.service.js';

/** Controller of the checks that tenants are isolated in the database. */
@ApiTags('admin')
@Admin()
@Controller('admin/isolation-checks')
export class IsolationController {
  constructor(private readonly isolation: IsolationService) {}

  @Get()
  @ListResponse(schemas.isolationCheck)
  list(
    @Query(validated(schemas.listIsolationChecksQuery)) query: schemas.ListIsolationChecksQuery,
  ): Promise<Page<schemas.IsolationCheck>> {
    return this.isolation.list(query);
  }

  @Post()
  @ResponseSchema(schemas.isolationCheck, 201)
  check(): Promise<schemas.IsolationCheck> {
    return this.isolation.check();
  }
}
