import { Controller, Get } from '@nestjs/common';
import { dashboardSchemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import type { Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { DashboardService } from './dashboard.service.js';

@ApiTags('dashboard')
@Controller('dashboard')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @Get()
  @Requires('read')
  @ResponseSchema(dashboardSchemas.dashboard)
  get(@CurrentPrincipal() principal: Principal): Promise<dashboardSchemas.Dashboard> {
    return this.dashboard.get(principal);
  }
}
