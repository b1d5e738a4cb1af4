import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { apiKeySchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import type { Page, Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import { ApiKeysService } from './api-keys.service.js';

const keyId = idParam('API key');

@ApiTags('api-keys')
@Unscoped()
@Requires('administer')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ListResponse(schemas.apiKeySummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listApiKeysQuery)) query: schemas.ListApiKeysQuery,
  ): Promise<Page<schemas.ApiKeySummary>> {
    return this.keys.list(principal, query);
  }

  @Post()
  @ResponseSchema(schemas.createdApiKey, 201)
  create(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(schemas.createApiKeyBody)) body: schemas.CreateApiKeyBody,
  ): Promise<schemas.CreatedApiKey> {
    return this.keys.create(principal, body);
  }

  @Get(':id')
  @ResponseSchema(schemas.apiKeySummary)
  get(@CurrentPrincipal() principal: Principal, @Param('id', keyId) id: string): Promise<schemas.ApiKeySummary> {
    return this.keys.get(principal, id);
  }

  @Put(':id')
  @ResponseSchema(schemas.apiKeySummary)
  update(
    @CurrentPrincipal() principal: Principal,
    @Param('id', keyId) id: string,
    @Body(validated(schemas.updateApiKeyBody)) body: schemas.UpdateApiKeyBody,
  ): Promise<schemas.ApiKeySummary> {
    return this.keys.update(principal, id, body);
  }

  @Delete(':id')
  @ResponseSchema(null, 204)
  revoke(@CurrentPrincipal() principal: Principal, @Param('id', keyId) id: string): Promise<void> {
    return this.keys.revoke(principal, id);
  }
}
