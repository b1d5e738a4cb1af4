import { Controller, Get } from '@nestjs/common';
import { problemSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { ProblemsService } from './problems.service.js';

/** Controller of the route that lists the problems of an organization. */
@ApiTags('dashboard')
@Controller('problems')
export class ProblemsController {
  constructor(private readonly problems: ProblemsService) {}

  @Get()
  @Requires('read')
  @ResponseSchema(problemSchemas.problems)
  list(@CurrentPrincipal() principal: Principal): Promise<problemSchemas.Problems> {
    return this.problems.list(principal);
  }
}
