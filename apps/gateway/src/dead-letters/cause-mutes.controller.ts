import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { causeMuteSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { idParam } from '../http/path-params.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { CauseMutesService } from './cause-mutes.service.js';

/** Controller of mutes: causes of dead letters that are no problem until a time. */
@ApiTags('dead letters')
@Controller('jobs/dlq')
export class CauseMutesController {
  constructor(private readonly mutes: CauseMutesService) {}

  @Get('mutes')
  @Requires('read_jobs')
  @ResponseSchema(causeMuteSchemas.causeMutes)
  list(@CurrentPrincipal() principal: Principal): Promise<causeMuteSchemas.CauseMutes> {
    return this.mutes.list(principal);
  }

  @Put('causes/:id/mute')
  @Requires('operate')
  @ResponseSchema(causeMuteSchemas.causeMute)
  mute(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Cause')) id: string,
    @Body(validated(causeMuteSchemas.causeMuteBody)) body: causeMuteSchemas.CauseMuteBody,
  ): Promise<causeMuteSchemas.CauseMute> {
    return this.mutes.mute(principal, id, body);
  }

  @Delete('causes/:id/mute')
  @Requires('operate')
  @HttpCode(204)
  async unmute(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Cause')) id: string): Promise<void> {
    await this.mutes.unmute(principal, id);
  }
}
