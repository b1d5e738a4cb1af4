import { scheduleSchemas } from '@spooled/contracts';
import {
  deleteSchedule,
  listSchedules,
  lockSchedule,
  repeatableRead,
  type ListPosition,
  type ScheduleRow,
  type Searched,
  type TenantTransaction,
} from '@spooled/data-access';
import { notFound, parseCron } from '@spooled/domain';
import type { DeclaredSchedule, ScheduleStore, StoredSchedule } from '@spooled/sdk/internal';
import { parseJson, toWire } from '@spooled/sdk/internal';
import { addSchedule, changedSchedule, documentText, newSchedule, replaceSchedule } from '@spooled/service';
import { documentOf, parsed } from './documents.js';
import type { SourceContext } from './embedded-source.js';
import { withSdkErrors } from './errors.js';

const pageSize = 500;

/** The schedules that an app declares, as those of the API. */
export class EmbeddedSchedules implements ScheduleStore {
  constructor(private readonly context: SourceContext) {}

  list(): Promise<StoredSchedule[]> {
    return withSdkErrors(async () => {
      const all: ScheduleRow[] = [];
      for (let after: ListPosition | null | undefined = null; after !== undefined;) {
        const { rows, searchedTo } = await this.page(after);
        all.push(...rows);
        const last = rows.length === pageSize ? rows.at(-1)! : undefined;
        after = searchedTo ?? (last && { at: last.created_at, id: last.id });
      }
      return all.map(toStored);
    });
  }

  create(schedule: DeclaredSchedule): Promise<void> {
    return withSdkErrors(async () => {
      const body = parsed(scheduleSchemas.createScheduleBody, wireOf(schedule));
      const payload = this.payloadText(body.payload_template);
      const fields = newSchedule(body, payload, this.context.settings.policy);
      const cron = parseCron(fields.cron_expression, fields.timezone);
      await this.check(fields.queue_name, payload);
      await this.inTenant((tx) => addSchedule(tx, this.context.tenant.limits, fields, cron));
    });
  }

  update(id: string, schedule: DeclaredSchedule): Promise<void> {
    return withSdkErrors(async () => {
      const body = parsed(scheduleSchemas.updateScheduleBody, wireOf(schedule));
      const payload = this.payloadText(body.payload_template!);
      const cron = parseCron(schedule.cronExpression, schedule.timezone);
      await this.check(schedule.queueName, payload);
      await this.inTenant(async (tx) => {
        const before = await tx.first(lockSchedule, { id });
        if (!before) throw notFound('Schedule');
        const after = changedSchedule(before, body, payload, this.context.settings.policy);
        return replaceSchedule(tx, this.context.tenant.limits, { before, after, cron });
      });
    });
  }

  async delete(id: string): Promise<void> {
    await withSdkErrors(() => this.inTenant((tx) => tx.run(deleteSchedule, { id })));
  }

  private page(after: ListPosition | null): Promise<Searched<ScheduleRow>> {
    const filter = { queues: null, active: null, limit: pageSize, offset: 0, after };
    return this.inTenant((tx) => listSchedules(tx, filter), repeatableRead);
  }

  private inTenant<T>(work: (tx: TenantTransaction) => Promise<T>, limits?: typeof repeatableRead): Promise<T> {
    return this.context.db.withTenant(this.context.tenant.id, work, limits);
  }

  private payloadText(template: Parameters<typeof documentText>[1]): string {
    const { settings, tenant } = this.context;
    const maxBytes = settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES;
    return documentText('payload_template', template, { maxBytes, limits: tenant.limits, byPlan: true });
  }

  /** @throws SpooledError 400 for a template that violates the contract of its queue */
  private async check(queueName: string, text: string): Promise<void> {
    const value = (): unknown => JSON.parse(text);
    const payload = { queueName, path: 'payload_template', value, text: () => text };
    await this.context.contracts.require({ organizationId: this.context.tenant.id }, () => [payload]);
  }
}

function wireOf(schedule: DeclaredSchedule): object {
  const body = toWire(schedule) as Record<string, unknown>;
  for (const name of ['payload_template', 'metadata']) body[name] = documentOf(body[name], name);
  return body;
}

const toStored = (row: ScheduleRow): StoredSchedule => ({
  id: row.id,
  name: row.name,
  cronExpression: row.cron_expression,
  timezone: row.timezone,
  queueName: row.queue_name,
  maxRetries: row.max_retries,
  timeoutSeconds: row.timeout_seconds,
  createdAt: row.created_at,
  payloadTemplate: parseJson(row.payload_template, 'bigint'),
  metadata: row.metadata === null ? null : parseJson(row.metadata, 'bigint'),
});
