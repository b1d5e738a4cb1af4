import { Inject, Injectable } from '@nestjs/common';
import type { CommandResult, JsonDocument, scheduleSchemas } from '@spooled/contracts';
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
  type ScheduleRunRow,
  type TenantTransaction,
} from '@spooled/data-access';
import { type CallbackPolicy, type CronSchedule, jobQuota, notFound, parseCron, zoneOffset } from '@spooled/domain';
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
  timeAndId,
} from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { visibleQueues } from '../auth/visible-queues.js';

/** Default number of runs in a preview. */
const previewed = 10;

/** Cron schedules. The gateway writes their settings, the scheduler their runs. */
@Injectable()
export class SchedulesService {
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
  async create(
    principal: Principal,
    checks: CheckCaller,
    body: scheduleSchemas.CreateScheduleBody,
  ): Promise<ScheduleRow> {
    requireQueue(principal, body.queue_name);
    const fields = newSchedule(body, this.payloadText(principal, body.payload_template), this.policy);
    const cron = parseCron(fields.cron_expression, fields.timezone);
    await this.requireContract(checks, fields);
    return this.database.withTenant(principal.organizationId, (tx) => addSchedule(tx, principal.limits, fields, cron));
  }

  /** When a schedule would run. Nothing is stored. @throws SpooledError 400 invalid expression or time zone */
  async preview(
    { organizationId }: Principal,
    body: scheduleSchemas.PreviewScheduleBody,
  ): Promise<scheduleSchemas.SchedulePreview> {
    const { cron_expression, count, after } = body;
    const timezone = body.timezone ?? scheduleDefaults.timezone;
    const cron = parseCron(cron_expression, timezone);
    const start = after ? new Date(after) : await this.database.withTenant(organizationId, readDatabaseTime);
    return { cron_expression, timezone, runs: nextRuns(cron, timezone, start, count ?? previewed) };
  }

  /** The schedules in the key's queue scope, newest first. @throws SpooledError 400 for an invalid cursor */
  async list(principal: Principal, query: scheduleSchemas.ListSchedulesQuery): Promise<Page<ScheduleRow>> {
    const { queue_name: queueName, is_active: active = null } = query;
    const filter = { queues: visibleQueues(principal, queueName), active, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listSchedules(tx, filter);
    return pageOfSearch(
      await this.database.withTenant(principal.organizationId, find, repeatableRead),
      query,
      byCreation,
    );
  }

  /** @throws SpooledError 403 scope, 404 */
  get(principal: Principal, id: string): Promise<ScheduleRow> {
    return this.database.withTenant(principal.organizationId, async (tx) =>
      requireVisible(principal, await tx.first(findSchedule, { id })),
    );
  }

  /**
   * Changes a schedule; pause and resume change `is_active`. The next run is recomputed when the schedule is resumed or its expression
   * or time zone changes; otherwise a run that is already due still happens.
   * @throws SpooledError 400 invalid expression or time zone or payload contract, 403 scope, 404, 413, 429 quota
   */
  update(
    principal: Principal,
    checks: CheckCaller,
    id: string,
    body: scheduleSchemas.UpdateScheduleBody,
  ): Promise<ScheduleRow> {
    const { payload_template: payload } = body;
    const text = payload === undefined || payload === null ? null : this.payloadText(principal, payload);
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const before = requireVisible(principal, await tx.first(lockSchedule, { id }));
      const after = changedSchedule(before, body, text, this.policy);
      requireQueue(principal, after.queue_name);
      const cron = parseCron(after.cron_expression, after.timezone);
      if (after.payload_template !== before.payload_template || after.queue_name !== before.queue_name) {
        await this.requireContract(checks, after, tx);
      }
      return replaceSchedule(tx, principal.limits, { before, after, cron });
    });
  }

  /** @throws SpooledError 403 scope, 404 */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.get(principal, id);
    await deleteScheduleRuns(this.database, principal.organizationId, id);
    await this.database.withTenant(principal.organizationId, async (tx) => {
      requireVisible(principal, await tx.first(lockSchedule, { id }));
      await tx.run(deleteSchedule, { id });
    });
  }

  /** Enqueues a job now, also for a paused schedule. @throws SpooledError 400 payload contract, 403 scope, 404, 429 quota */
  async trigger(
    principal: Principal,
    checks: CheckCaller,
    scheduleId: string,
  ): Promise<CommandResult<'schedule.trigger'>> {
    const { organizationId, queues, limits } = principal;
    if (await this.contracts.hasAny(organizationId))
      await this.requireContract(checks, await this.get(principal, scheduleId));
    const body = { scheduleId, jobId: newId(), queues, quota: jobQuota(limits) };
    return this.commands.run('schedule.trigger', principal, body);
  }

  /** The runs of a schedule, newest first. @throws SpooledError 400 for an invalid cursor, 403 scope, 404 */
  async history(
    principal: Principal,
    id: string,
    query: scheduleSchemas.ScheduleHistoryQuery,
  ): Promise<Page<ScheduleRunRow>> {
    const page = { ...rowsOf(query), after: timeAndId(query.cursor) };
    const found = await this.database.withTenant(principal.organizationId, async (tx) => {
      requireVisible(principal, await tx.first(findSchedule, { id }));
      return listScheduleRuns(tx, id, page);
    });
    return pageOf(found, query, ({ started_at, id: run }) => [started_at, run]);
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
