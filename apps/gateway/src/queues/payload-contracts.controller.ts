import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { parseActor, payloadContractSchemas as schemas, rawJson } from '@spooled/contracts';
import type { CheckCaller, Principal } from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { nameParam } from '../http/path-params.js';
import { TextResponse } from '../http/raw-json.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { type ContractChange, PayloadContractsService } from './payload-contracts.service.js';

/** Controller of the payload contracts of queues (BX-09). */
@ApiTags('queues')
@Controller('queues/:name/payload-contract')
export class PayloadContractsController {
  constructor(private readonly contracts: PayloadContractsService) {}

  @Get()
  @Requires('read')
  @TextResponse()
  @ResponseSchema(schemas.payloadContract)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(schemas.payloadContractQuery)) { version }: schemas.PayloadContractQuery,
  ): Promise<string> {
    return toContractResponse(await this.contracts.get(principal, name, version));
  }

  @Put()
  @Requires('operate')
  @TextResponse()
  @ResponseSchema(schemas.payloadContractChange)
  async put(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('name') name: string,
    @Body(validated(schemas.payloadContractBody)) body: schemas.PayloadContractBody,
  ): Promise<string> {
    const change = await this.contracts.put(principal, checks, name, body);
    const { contract, dryRun, incompatible, sample } = change;
    return toContractResponse(contract, { dry_run: dryRun, incompatible, sample });
  }

  @Delete()
  @Requires('operate')
  @ResponseSchema(null, 204)
  remove(@CurrentPrincipal() principal: Principal, @Param('name', nameParam('Queue')) name: string): Promise<void> {
    return this.contracts.remove(principal, name);
  }
}

/** A contract as JSON text; its schema is copied as stored. */
const toContractResponse = (
  { schema, is_current: _is_current, created_by, ...contract }: ContractChange['contract'],
  more: object = {},
): string => rawJson({ ...contract, created_by: parseActor(created_by), ...more }, { schema });
