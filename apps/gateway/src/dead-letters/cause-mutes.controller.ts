import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { causeMuteSchemas, parseActor } from '@spooled/contracts';
import { type CauseMuteRow, Database, listCauseMutes, muteCause, unmuteCause } from '@spooled/data-access';
import { conflict, notFound } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireUnscoped } from '../auth/queue-scope.js';
import { ApiTags, idParam, ResponseSchema, validated } from '../http/routes.js';

const { maxMutes } = causeMuteSchemas;

/** Mutes of causes, which hold in all queues; so they take a key without queue restrictions. */
@ApiTags('dead letters')
@Controller('jobs/dlq')
export class CauseMutesController {
  constructor(private readonly database: Database) {}

  /** Those that hold. @throws SpooledError 403 for a scoped key */
  @Get('mutes')
  @Requires('read_jobs')
  @ResponseSchema(causeMuteSchemas.causeMutes)
  async list(@CurrentPrincipal() principal: Principal): Promise<causeMuteSchemas.CauseMutes> {
    requireUnscoped(principal);
    const rows = await this.database.withTenant(principal.organizationId, (tx) => tx.run(listCauseMutes));
    return { mutes: rows.map(toMute) };
  }

  /** Mutes a cause, or changes its mute. @throws SpooledError 403 scope, 404 no dead letters, 409 too many */
  @Put('causes/:id/mute')
  @Requires('operate')
  @ResponseSchema(causeMuteSchemas.causeMute)
  async mute(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Cause')) causeId: string,
    @Body(validated(causeMuteSchemas.causeMuteBody)) {
      reason,
      expires_in_seconds: seconds,
    }: causeMuteSchemas.CauseMuteBody,
  ): Promise<causeMuteSchemas.CauseMute> {
    requireUnscoped(principal);
    const { organizationId, actor: createdBy } = principal;
    const muted = await this.database.withTenant(organizationId, (tx) =>
      muteCause(tx, { causeId, reason, seconds, createdBy }, maxMutes),
    );
    if (muted === 'unknown') throw notFound('Cause');
    if (muted === 'full') throw conflict(`${maxMutes} causes are muted; unmute one, or wait for a mute to end`);
    return toMute(muted);
  }

  /** Ends a mute before its time. @throws SpooledError 403 scope, 404 */
  @Delete('causes/:id/mute')
  @Requires('operate')
  @HttpCode(204)
  async unmute(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Cause')) causeId: string,
  ): Promise<void> {
    requireUnscoped(principal);
    const ended = await this.database.withTenant(principal.organizationId, (tx) => tx.first(unmuteCause, { causeId }));
    if (!ended) throw notFound('Mute');
  }
}

const toMute = (row: CauseMuteRow): causeMuteSchemas.CauseMute => ({ ...row, created_by: parseActor(row.created_by) });
