import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { parseActor, payloadContractSchemas as schemas, rawJson } from '@spooled/contracts';
import type { ContractVersionRow } from '@spooled/data-access';
import type { CheckCaller, Principal } from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { nameParam } from '../http/path-params.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { type ContractChange, PayloadContractsService } from './payload-contracts.service.js';

type StoredMember = 'created_by' | 'violations' | 'violated_at' | 'violation_samples';

/** Controller of the payload contracts of queues (BX-09). */
@ApiTags('queues')
@Controller('queues/:name/payload-contract')
export class PayloadContractsController {
  constructor(private readonly contracts: PayloadContractsService) {}

  @Get()
  @Requires('read')
  @TextResponse(schemas.payloadContract)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(schemas.payloadContractQuery)) { version }: schemas.PayloadContractQuery,
  ): Promise<string> {
    return toContractResponse(await this.contracts.get(principal, name, version));
  }

  @Get('versions')
  @Requires('read')
  @ResponseSchema(schemas.payloadContractVersions)
  async versions(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<schemas.PayloadContractVersions> {
    return { versions: (await this.contracts.versions(principal, name)).map(toVersion) };
  }

  @Put()
  @Requires('operate')
  @TextResponse(schemas.payloadContractChange)
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
  { schema, is_current: _is_current, ...contract }: ContractChange['contract'],
  more: object = {},
): string => rawJson({ ...toVersion(contract), ...more }, { schema });

/** A version as responses show it. */
const toVersion = <Row extends Pick<ContractVersionRow, StoredMember>>({
  created_by,
  violations: count,
  violated_at: last_at,
  violation_samples: samples,
  ...version
}: Row) => ({ ...version, created_by: parseActor(created_by), violations: { count, last_at, samples } });
