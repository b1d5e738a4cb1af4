import { Controller, Get, Query } from '@nestjs/common';
import { adminSchemas as schemas } from '@spooled/contracts';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { SystemService } from './system.service.js';

@ApiTags('admin')
@Admin()
@Controller('admin')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get('stats')
  @ResponseSchema(schemas.systemStats)
  stats(): Promise<schemas.SystemStats> {
    return this.system.stats();
  }

  @Get('plans')
  @ResponseSchema(schemas.planList)
  plans(@Query(validated(schemas.listPlansQuery)) _: object): schemas.PlanList {
    return this.system.plans();
  }
}
