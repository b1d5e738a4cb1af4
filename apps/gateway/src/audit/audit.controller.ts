import { Controller, Get, Query } from '@nestjs/common';
import { auditSchemas } from '@spooled/contracts';
import type { Page, Principal } from '@spooled/service';
import { Admin, CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { MayBeStale } from '../http/stale-read.js';
import { validated } from '../http/validated.js';
import { AuditService } from './audit.service.js';

/** Controller of the organization's audit log. */
@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Unscoped()
  @Requires('read')
  @MayBeStale()
  @ListResponse(auditSchemas.auditEntry)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(auditSchemas.listAuditQuery)) query: auditSchemas.ListAuditQuery,
  ): Promise<Page<auditSchemas.AuditEntry>> {
    return this.audit.list(principal, query);
  }
}

/** Controller of the audit log of all organizations. */
@ApiTags('admin')
@Admin()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ListResponse(auditSchemas.auditEntry)
  list(
    @Query(validated(auditSchemas.listAuditOfAllQuery)) query: auditSchemas.ListAuditOfAllQuery,
  ): Promise<Page<auditSchemas.AuditEntry>> {
    return this.audit.listOfAll(query);
  }
}
