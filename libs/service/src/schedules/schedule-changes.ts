import {
  checkQueueQuota,
  deactivateSchedule,
  insertSchedule,
  lockAndCountActiveSchedules,
  readDatabaseTime,
  type ScheduleFields,
  type ScheduleRow,
  type TenantTransaction,
  updateSchedule,
} from '@spooled/data-access';
import { invalidField, type parseCron, type PlanLimits, quotaExceeded, upgradeTo } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { requireReceiver } from '@spooled/queue';

type Cron = ReturnType<typeof parseCron>;

/** Stores a new schedule with its first run. @throws SpooledError 400 receiver or expression without a run, 429 quota of schedules or queues */
export async function addSchedule(
  tx: TenantTransaction,
  limits: PlanLimits,
  fields: ScheduleFields,
  cron: Cron,
): Promise<ScheduleRow> {
  await requireScheduleQuota(tx, limits);
  await checkQueueQuota(tx, fields.queue_name, limits);
  await requireReceiver(tx, receiverOf(fields));
  return tx.one(insertSchedule, { id: newId(), ...fields, next_run_at: await firstRun(tx, cron) });
}

/**
 * Stores a change of a schedule whose row this transaction has locked. The next run is recomputed when the schedule is resumed or its
 * expression or time zone changes; otherwise a run that is already due still happens.
 * @throws SpooledError 400 receiver or expression without a run, 429 quota of schedules or queues
 */
export async function replaceSchedule(
  tx: TenantTransaction,
  limits: PlanLimits,
  { before, after, cron }: { before: ScheduleRow; after: ScheduleFields; cron: Cron },
): Promise<ScheduleRow> {
  await requireQuotaOfChange(tx, limits, before, after);
  if (after.settings !== before.settings || after.queue_name !== before.queue_name) {
    await requireReceiver(tx, receiverOf(after));
  }
  let next_run_at = after.is_active ? before.next_run_at : null;
  if (after.is_active && !keepsNextRun(before, after)) next_run_at = await firstRun(tx, cron);
  return tx.one(updateSchedule, { ...after, id: before.id, next_run_at });
}

/** @throws SpooledError 400 for an expression that matches no time, as on February 30: its schedule would count and never run */
async function firstRun(tx: TenantTransaction, cron: Cron): Promise<string> {
  const next = cron.next(await readDatabaseTime(tx));
  if (!next) throw invalidField('cron_expression', 'matches no time');
  return next.toISOString();
}

const receiverOf = ({ queue_name: queueName, settings }: ScheduleFields) => ({ queueName, settings });

/** Checks the quotas of what a change adds: an active schedule or a queue. */
async function requireQuotaOfChange(
  tx: TenantTransaction,
  limits: PlanLimits,
  before: ScheduleRow,
  after: ScheduleFields,
): Promise<void> {
  if (!after.is_active) return;
  if (!before.is_active) await requireScheduleQuota(tx, limits);
  else if (before.queue_name === after.queue_name) return;
  else await tx.run(deactivateSchedule, { id: before.id });
  await checkQueueQuota(tx, after.queue_name, limits);
}

async function requireScheduleQuota(tx: TenantTransaction, limits: PlanLimits): Promise<void> {
  const { max_schedules: max, tier } = limits;
  if (max === null) return;
  const active = await lockAndCountActiveSchedules(tx);
  if (active >= max)
    throw quotaExceeded('schedules', { current: active, limit: max, plan: tier, upgradeTo: upgradeTo(tier) });
}

const keepsNextRun = (before: ScheduleRow, after: ScheduleFields): boolean =>
  before.is_active && before.cron_expression === after.cron_expression && before.timezone === after.timezone;
