import type { Schedule } from '../resources/schedules.js';
import type { NewJob } from '../resources/jobs.js';
import type { AnyHandledJob } from './job.js';
import { withoutType } from './new-job.js';
import { asReceived, parsed } from './schema.js';

/** A schedule as an app declares it. */
export interface DeclaredSchedule {
  name: string;
  cronExpression: string;
  timezone: string;
  queueName: string;
  payloadTemplate: unknown;
  maxRetries: number;
  timeoutSeconds: number;
  backoff: NewJob['backoff'] | null;
  /** Marks it as one of this job, so that schedules of others are left alone. */
  metadata: { defined_by_job: string };
}

/** Where schedules are kept. */
export interface ScheduleStore {
  /** All schedules of the organization. */
  list(): Promise<StoredSchedule[]>;
  create(schedule: DeclaredSchedule): Promise<unknown>;
  update(id: string, schedule: DeclaredSchedule): Promise<unknown>;
  delete(id: string): Promise<unknown>;
}
export type StoredSchedule = Pick<
  Schedule,
  'id' | 'name' | 'cronExpression' | 'timezone' | 'queueName' | 'maxRetries' | 'timeoutSeconds' | 'createdAt'
> & { payloadTemplate?: unknown; metadata?: unknown };

/** Those of a schedule that names none (contract). */
const scheduleDefaults = { maxRetries: 3, timeoutSeconds: 300 };

/** The schedules of jobs as the API takes them. @throws ValidationError for a payload that its schema refuses */
export async function declaredSchedules(jobs: AnyHandledJob[]): Promise<DeclaredSchedule[]> {
  const declared = await Promise.all(jobs.map(schedulesOf));
  return declared.flat();
}

function schedulesOf({ declaration }: AnyHandledJob): Promise<DeclaredSchedule[]> {
  const { name: defined_by_job, settings, schedules } = declaration;
  const { queue: queueName, members } = settings;
  return Promise.all(
    schedules.map(async ({ name, cron: cronExpression, timezone, payload: payloadTemplate }) => {
      await parsed(settings.payload, asReceived(withoutType(declaration, payloadTemplate), 'payload'), 'payload');
      const { maxRetries, timeoutSeconds, backoff = null } = { ...scheduleDefaults, ...members };
      return {
        ...{ name, cronExpression, timezone, queueName, payloadTemplate, backoff },
        maxRetries: maxRetries ?? scheduleDefaults.maxRetries,
        timeoutSeconds: timeoutSeconds ?? scheduleDefaults.timeoutSeconds,
        metadata: { defined_by_job },
      };
    }),
  );
}

/**
 * Creates, changes and deletes the schedules of these jobs so that each declared one exists once. Processes that start at the same
 * time may create one twice: each looks again afterwards and keeps the oldest.
 */
export async function storeSchedules(
  store: ScheduleStore,
  jobs: string[],
  declared: DeclaredSchedule[],
): Promise<void> {
  const created = await storeOnce(store, jobs, declared);
  if (created > 0) await storeOnce(store, jobs, declared);
}

/** @returns how many it created */
async function storeOnce(store: ScheduleStore, jobs: string[], declared: DeclaredSchedule[]): Promise<number> {
  const stored = (await store.list()).filter((schedule) => jobs.includes(jobOf(schedule))).sort(byAge);
  const kept = new Set<StoredSchedule>();
  let created = 0;
  for (const schedule of declared) {
    const first = stored.find((other) => keyOf(other) === keyOf(schedule));
    if (!first) {
      await store.create(schedule);
      created++;
      continue;
    }
    kept.add(first);
    if (!isSame(first, schedule)) await store.update(first.id, schedule);
  }
  for (const schedule of stored) if (!kept.has(schedule)) await store.delete(schedule.id);
  return created;
}

const jobOf = ({ metadata }: { metadata?: unknown }): string =>
  String((metadata as { defined_by_job?: unknown } | null)?.defined_by_job ?? '');
const keyOf = (schedule: { name: string; metadata?: unknown }): string =>
  JSON.stringify([jobOf(schedule), schedule.name]);
const byAge = (a: StoredSchedule, b: StoredSchedule): number =>
  a.createdAt === b.createdAt ? compare(a.id, b.id) : compare(a.createdAt, b.createdAt);
const compare = (a: string, b: string): number => (a < b ? -1 : 1);

const compared = [
  'cronExpression',
  'timezone',
  'queueName',
  'payloadTemplate',
  'maxRetries',
  'timeoutSeconds',
] as const;
const isSame = (stored: StoredSchedule, declared: DeclaredSchedule): boolean =>
  declared.backoff === null &&
  compared.every((name) => JSON.stringify(stored[name]) === JSON.stringify(asReceived(declared[name], name)));
