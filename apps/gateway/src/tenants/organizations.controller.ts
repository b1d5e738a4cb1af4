import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { organizationSchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal, Unscoped } from '../auth/access.decorators.js';
import type { Principal } from '@spooled/service';
import type { Page } from '../http/list-page.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema } from '../http/response-schema.js';
import { TextResponse } from '../http/raw-json.js';
import { validated } from '../http/validated.js';
import { OrganizationsService } from './organizations.service.js';
import { OwnOrganization } from './own-organization.js';

/** Controller of the organization routes. Organizations other than the caller's are 404. */
@ApiTags('organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @ListResponse(schemas.organizationSummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listOwnOrganizationsQuery)) query: schemas.ListOwnOrganizationsQuery,
  ): Promise<Page<schemas.OrganizationSummary>> {
    return this.organizations.list(principal, query);
  }

  @Get('usage')
  @ResponseSchema(schemas.usageInfo)
  usage(@CurrentPrincipal() principal: Principal): Promise<schemas.UsageInfo> {
    return this.organizations.usage(principal);
  }

  @Get(':id/usage')
  @ResponseSchema(schemas.usageInfo)
  usageOf(@OwnOrganization() principal: Principal): Promise<schemas.UsageInfo> {
    return this.organizations.usage(principal);
  }

  @Get(':id')
  @TextResponse()
  @ResponseSchema(schemas.organization)
  get(@OwnOrganization() principal: Principal): Promise<string> {
    return this.organizations.get(principal);
  }

  @Put(':id')
  @Unscoped()
  @TextResponse()
  @ResponseSchema(schemas.organization)
  update(
    @OwnOrganization() principal: Principal,
    @Body(validated(schemas.updateOrganizationBody)) body: schemas.UpdateOrganizationBody,
  ): Promise<string> {
    return this.organizations.update(principal, body);
  }

  @Delete(':id')
  @Unscoped()
  @ResponseSchema(null, 204)
  remove(@OwnOrganization() principal: Principal): Promise<void> {
    return this.organizations.remove(principal);
  }

  @Get(':id/members')
  @Unscoped()
  @ListResponse(schemas.member)
  members(
    @OwnOrganization() principal: Principal,
    @Query(validated(schemas.listMembersQuery)) query: schemas.ListMembersQuery,
  ): Promise<Page<schemas.Member>> {
    return this.organizations.members(principal, query);
  }
}
