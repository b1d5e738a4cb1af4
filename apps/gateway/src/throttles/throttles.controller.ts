import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { parseActor, throttleSchemas } from '@spooled/contracts';
import {
  createThrottle,
  Database,
  deleteThrottle,
  listThrottles,
  lockResource,
  readThrottleBounds,
  sampleCreated,
  type TenantTransaction,
  type ThrottleRow,
} from '@spooled/data-access';
import { accessDenied, admittedJobs, conflict, invalidField, notFound, type ThrottleTarget } from '@spooled/domain';
import { type Principal, Throttles } from '@spooled/service';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import { AdditionalResponse, ApiTags, idParam, ResponseSchema, validated } from '../http/routes.js';

const maxThrottles = 50;
const previewMinutes = 10;

/** Limits of new jobs that operators set and release. A scoped key sets, sees and releases those that name a queue of its own. */
@ApiTags('throttles')
@Controller('throttles')
export class ThrottlesController {
  constructor(
    private readonly database: Database,
    private readonly throttles: Throttles,
  ) {}

  /** Those that hold, the newest first. */
  @Get()
  @Requires('read')
  @ResponseSchema(throttleSchemas.throttleList)
  async list(@CurrentPrincipal() { organizationId, queues }: Principal): Promise<throttleSchemas.ThrottleList> {
    const rows = await this.database.withTenant(organizationId, (tx) => tx.run(listThrottles, { queues }));
    return { throttles: rows.map(toThrottle) };
  }

  /** @throws SpooledError 400 unknown key, 403 scope, 409 too many */
  @Post()
  @Requires('operate')
  @ResponseSchema(throttleSchemas.throttle, 201)
  @AdditionalResponse(throttleSchemas.throttlePreview, 200, 'Dry run')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(throttleSchemas.throttleBody)) body: throttleSchemas.ThrottleBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<throttleSchemas.Throttle | throttleSchemas.ThrottlePreview> {
    const target = targetOf(principal, body);
    const { organizationId, actor: createdBy } = principal;
    if (body.dry_run) {
      void reply.status(200);
      return this.preview(organizationId, target, body);
    }
    const created = await this.database.withTenant(organizationId, async (tx) => {
      await lockResource(tx, 'throttles');
      const active = await countActive(tx, target);
      if (active >= maxThrottles) throw conflict(`${maxThrottles} throttles hold; release one, or wait for one to end`);
      const { per_second: perSecond, expires_in_seconds: seconds } = body;
      const { id } = await tx.one(createThrottle, { ...target, perSecond, seconds, createdBy });
      return (await tx.run(listThrottles, { queues: principal.queues })).find((row) => row.id === id)!;
    });
    this.throttles.forget(organizationId);
    return toThrottle(created);
  }

  /** Ends it before its time. @throws SpooledError 404 */
  @Delete(':id')
  @Requires('operate')
  @HttpCode(204)
  async release(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Throttle')) id: string,
  ): Promise<void> {
    const released = await this.database.withTenant(organizationId, (tx) => tx.first(deleteThrottle, { id, queues }));
    if (!released) throw notFound('Throttle');
    this.throttles.forget(organizationId);
  }

  /** What a throttle would have admitted in the last minutes. Changes nothing. @throws SpooledError 400 unknown key */
  private async preview(
    organizationId: string,
    target: ThrottleTarget,
    { per_second: perSecond }: throttleSchemas.ThrottleBody,
  ): Promise<throttleSchemas.ThrottlePreview> {
    const sample = await this.database.withTenant(organizationId, async (tx) => {
      await countActive(tx, target);
      return sampleCreated(tx, target, previewMinutes);
    });
    const created = sample.counts.reduce((sum, { jobs }) => sum + jobs, 0);
    const admitted = admittedJobs(sample.counts, perSecond);
    const { since: from, until: to, isCut: is_cut } = sample;
    return { dry_run: true, from, to, is_cut, created, admitted, refused: created - admitted };
  }
}

/** How many throttles hold. @throws SpooledError 400 for a key that does not exist, which would limit nothing */
async function countActive(tx: TenantTransaction, { apiKeyId }: ThrottleTarget): Promise<number> {
  const { active, has_key: hasKey } = await tx.one(readThrottleBounds, { apiKeyId });
  if (apiKeyId !== null && !hasKey) throw invalidField('api_key_id', 'no such key');
  return active;
}

/** @throws SpooledError 403 for a queue outside the key's scope, and for a scoped key without a queue */
function targetOf(principal: Principal, body: throttleSchemas.ThrottleBody): ThrottleTarget {
  const { api_key_id: apiKeyId = null, queue_name: queueName = null, tag } = body;
  if (queueName !== null) requireQueue(principal, queueName);
  else if (principal.queues !== null) throw accessDenied('queue_name: required for an API key with queue restrictions');
  return { apiKeyId, queueName, tagName: tag?.name ?? null, tagValue: tag?.value ?? null };
}

const toThrottle = ({
  tag_name: name,
  tag_value: value,
  ms_left: _,
  ...row
}: ThrottleRow): throttleSchemas.Throttle => ({
  ...row,
  api_key_name: row.api_key_name ?? null,
  tag: name === null ? null : { name, value },
  created_by: parseActor(row.created_by),
});
