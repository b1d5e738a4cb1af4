import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { type JsonDocument, rawJson, scheduleSchemas as schemas } from '@spooled/contracts';
import {
  Database,
  deleteSchedule,
  deleteScheduleRuns,
  findSchedule,
  listScheduleRuns,
  listSchedules,
  lockSchedule,
  readDatabaseTime,
  repeatableRead,
  type ScheduleFields,
  type ScheduleRow,
  type TenantTransaction,
} from '@spooled/data-access';
import {
  type CallbackPolicy,
  type CronSchedule,
  jobQuota,
  notFound,
  parseCron,
  visibleJobSettings,
  zoneOffset,
} from '@spooled/domain';
import { newId, SETTINGS } from '@spooled/platform';
import {
  addSchedule,
  byCreation,
  callbackPolicy,
  changedSchedule,
  type CheckCaller,
  Commands,
  documentText,
  newSchedule,
  type Page,
  pageOf,
  pageOfSearch,
  PayloadContracts,
  type Principal,
  replaceSchedule,
  rowsOf,
  scheduleDefaults,
  searchedRowsOf,
  shownReceiver,
  storedSettings,
  textPage,
  timeAndId,
  type Viewer,
} from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue, visibleQueues } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, idParam, ListResponse, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';
import { LargeListResponse } from '../load/list-turns.js';

const scheduleId = idParam('Schedule');

/** Default number of runs in a preview. */
const previewed = 10;

/** Cron schedules. The gateway writes their settings, the scheduler their runs. */
@ApiTags('schedules')
@Controller('schedules')
export class SchedulesController {
  private readonly policy: CallbackPolicy;

  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly contracts: PayloadContracts,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.policy = callbackPolicy(settings);
  }

  /** @throws SpooledError 400 invalid expression or time zone or payload contract, 403 scope, 413, 429 quota of schedules or queues */
  @Post()
  @Requires('operate')
  @ResponseSchema(schemas.createdSchedule, 201)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(schemas.createScheduleBody)) body: schemas.CreateScheduleBody,
  ): Promise<schemas.CreatedSchedule> {
    requireQueue(principal, body.queue_name);
    const fields = newSchedule(body, this.payloadText(principal, body.payload_template), this.policy);
    const cron = parseCron(fields.cron_expression, fields.timezone);
    await this.requireContract(checks, fields);
    const { id, name, cron_expression, next_run_at } = await this.database.withTenant(principal.organizationId, (tx) =>
      addSchedule(tx, principal.limits, fields, cron),
    );
    return { id, name, cron_expression, next_run_at };
  }

  /** When a schedule would run. Nothing is stored. @throws SpooledError 400 invalid expression or time zone */
  @Post('preview')
  @Requires('read')
  @ResponseSchema(schemas.schedulePreview)
  async preview(
    @CurrentPrincipal() { organizationId }: Principal,
    @Body(validated(schemas.previewScheduleBody)) body: schemas.PreviewScheduleBody,
  ): Promise<schemas.SchedulePreview> {
    const { cron_expression, count, after } = body;
    const timezone = body.timezone ?? scheduleDefaults.timezone;
    const cron = parseCron(cron_expression, timezone);
    const start = after ? new Date(after) : await this.database.withTenant(organizationId, readDatabaseTime);
    return { cron_expression, timezone, runs: nextRuns(cron, timezone, start, count ?? previewed) };
  }

  /** The schedules in the key's queue scope, newest first. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @Requires('read')
  @LargeListResponse(schemas.schedule)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listSchedulesQuery)) query: schemas.ListSchedulesQuery,
  ): Promise<Page<string>> {
    const { queue_name: queueName, is_active: active = null } = query;
    const filter = { queues: visibleQueues(principal, queueName), active, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listSchedules(tx, filter);
    const found = await this.database.withTenant(principal.organizationId, find, repeatableRead);
    return textPage(pageOfSearch(found, query, byCreation), (row) => toScheduleResponse(row, principal));
  }

  /** @throws SpooledError 403 scope, 404 */
  @Get(':id')
  @Requires('read')
  @TextResponse(schemas.schedule)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<string> {
    return toScheduleResponse(await this.find(principal, id), principal);
  }

  /**
   * Changes a schedule; pause and resume change `is_active`. The next run is recomputed when the schedule is resumed or its expression
   * or time zone changes; otherwise a run that is already due still happens.
   * @throws SpooledError 400 invalid expression or time zone or payload contract, 403 scope, 404, 413, 429 quota
   */
  @Put(':id')
  @Requires('operate')
  @TextResponse(schemas.schedule)
  async update(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
    @Body(validated(schemas.updateScheduleBody)) body: schemas.UpdateScheduleBody,
  ): Promise<string> {
    const { payload_template: payload } = body;
    const text = payload === undefined || payload === null ? null : this.payloadText(principal, payload);
    const changed = await this.database.withTenant(principal.organizationId, async (tx) => {
      const before = requireVisible(principal, await tx.first(lockSchedule, { id }));
      const after = changedSchedule(before, body, text, this.policy);
      requireQueue(principal, after.queue_name);
      const cron = parseCron(after.cron_expression, after.timezone);
      if (after.payload_template !== before.payload_template || after.queue_name !== before.queue_name) {
        await this.requireContract(checks, after, tx);
      }
      return replaceSchedule(tx, principal.limits, { before, after, cron });
    });
    return toScheduleResponse(changed, principal);
  }

  /** @throws SpooledError 403 scope, 404 */
  @Delete(':id')
  @Requires('operate')
  @ResponseSchema(null, 204)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<void> {
    await this.find(principal, id);
    await deleteScheduleRuns(this.database, principal.organizationId, id);
    await this.database.withTenant(principal.organizationId, async (tx) => {
      requireVisible(principal, await tx.first(lockSchedule, { id }));
      await tx.run(deleteSchedule, { id });
    });
  }

  @Post(':id/pause')
  @Requires('operate')
  @TextResponse(schemas.schedule)
  pause(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
  ): Promise<string> {
    return this.update(principal, checks, id, { is_active: false });
  }

  @Post(':id/resume')
  @Requires('operate')
  @TextResponse(schemas.schedule)
  resume(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
  ): Promise<string> {
    return this.update(principal, checks, id, { is_active: true });
  }

  /** Enqueues a job now, also for a paused schedule. @throws SpooledError 400 payload contract, 403 scope, 404, 429 quota */
  @Post(':id/trigger')
  @Requires('operate')
  @ResponseSchema(schemas.triggeredSchedule)
  async trigger(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
  ): Promise<schemas.TriggeredSchedule> {
    const { organizationId, queues, limits } = principal;
    if (await this.contracts.hasAny(organizationId)) await this.requireContract(checks, await this.find(principal, id));
    const body = { scheduleId: id, jobId: newId(), queues, quota: jobQuota(limits) };
    const { jobId, triggeredAt } = await this.commands.run('schedule.trigger', principal, body);
    return { job_id: jobId, triggered_at: triggeredAt, scheduled_at: triggeredAt };
  }

  /** The runs of a schedule, newest first. @throws SpooledError 400 for an invalid cursor, 403 scope, 404 */
  @Get(':id/history')
  @Requires('read')
  @MayBeStale()
  @ListResponse(schemas.scheduleRun)
  async history(
    @CurrentPrincipal() principal: Principal,
    @Param('id', scheduleId) id: string,
    @Query(validated(schemas.scheduleHistoryQuery)) query: schemas.ScheduleHistoryQuery,
  ): Promise<Page<schemas.ScheduleRun>> {
    const page = { ...rowsOf(query), after: timeAndId(query.cursor) };
    const found = await this.database.withTenant(principal.organizationId, async (tx) => {
      requireVisible(principal, await tx.first(findSchedule, { id }));
      return listScheduleRuns(tx, id, page);
    });
    return pageOf(found, query, ({ started_at, id: run }) => [started_at, run]);
  }

  private find(principal: Principal, id: string): Promise<ScheduleRow> {
    return this.database.withTenant(principal.organizationId, async (tx) =>
      requireVisible(principal, await tx.first(findSchedule, { id })),
    );
  }

  /** @param tx in which to read, if one is open. @throws SpooledError 400 for a template that violates the contract of its queue (BX-09) */
  private async requireContract(
    checks: CheckCaller,
    { queue_name: queueName, payload_template: template }: Pick<ScheduleFields, 'queue_name' | 'payload_template'>,
    tx?: TenantTransaction,
  ): Promise<void> {
    const value = () => JSON.parse(template) as unknown;
    const payload = { queueName, path: 'payload_template', value, text: () => template };
    await this.contracts.require(checks, () => [payload], tx);
  }

  private payloadText({ limits }: Principal, payload: JsonDocument): string {
    const maxBytes = this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES;
    return documentText('payload_template', payload, { maxBytes, limits, byPlan: true });
  }
}

/** A schedule as JSON text; its documents are copied as stored, without parsing. */
function toScheduleResponse(
  { payload_template, tags, metadata, settings, ...schedule }: ScheduleRow,
  viewer: Viewer,
): string {
  const visible = visibleJobSettings(storedSettings(settings));
  const callback_url = shownReceiver(viewer, visible.callback_url);
  return rawJson({ ...schedule, ...visible, callback_url }, { payload_template, tags, metadata });
}

function requireVisible(principal: Principal, schedule: ScheduleRow | undefined): ScheduleRow {
  if (!schedule) throw notFound('Schedule');
  requireQueue(principal, schedule.queue_name);
  return schedule;
}

interface Run {
  at: string;
  local: string;
}

/** The next runs after a time, at most `count`, each also in the time zone of the schedule. */
function nextRuns(cron: CronSchedule, timezone: string, after: Date, count: number): Run[] {
  const offsetAt = zoneOffset(timezone)!;
  const runs: Run[] = [];
  let run = cron.next(after);
  while (run !== null && runs.length < count) {
    runs.push({ at: run.toISOString(), local: localTime(run, offsetAt(run.getTime())) });
    run = cron.next(run);
  }
  return runs;
}

/** RFC 3339 with the offset of the zone, in whole seconds. */
function localTime(at: Date, offsetMs: number): string {
  const minutes = Math.round(offsetMs / 60_000);
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return new Date(at.getTime() + offsetMs).toISOString().replace(/\.\d+Z$/, offset);
}
