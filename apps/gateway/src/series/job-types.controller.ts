import { Controller, Get, Query } from '@nestjs/common';
import { jobTypeSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { JobTypesService } from './job-types.service.js';

/** Controller of the route for the figures of job types. */
@ApiTags('dashboard')
@Controller('job-types')
export class JobTypesController {
  constructor(private readonly types: JobTypesService) {}

  @Get()
  @Requires('read')
  @ResponseSchema(jobTypeSchemas.jobTypes)
  find(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobTypeSchemas.jobTypesQuery)) query: jobTypeSchemas.JobTypesQuery,
  ): Promise<jobTypeSchemas.JobTypes> {
    return this.types.find(principal, query);
  }
}
