import { randomUUID } from 'node:crypto';
import type { DeliveryRef } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';

export interface DeliveryRow {
  status: string;
  attempts: number;
  status_code: number | null;
  response_body: string | null;
  error: string | null;
  delivered_at: string | null;
  next_attempt_at: string | null;
  attempt_history: Record<string, unknown>[];
}

/** An organization with webhooks, deliveries and jobs. */
export class Tenant {
  private constructor(
    private readonly db: Database,
    readonly organizationId: string,
  ) {}

  static async create(db: Database, organization: { settings?: object; plan?: string } = {}): Promise<Tenant> {
    const id = randomUUID();
    await db.withTenant(id, (tx) =>
      tx.query(`INSERT INTO organizations (id, name, slug, plan_tier, settings) VALUES ($1, 'Acme', $2, $3, $4)`, [
        id,
        `acme-${id}`,
        organization.plan ?? 'enterprise',
        JSON.stringify(organization.settings ?? {}),
      ]),
    );
    return new Tenant(db, id);
  }

  async webhook(url: string, { secret = null as string | null, enabled = true } = {}): Promise<string> {
    const [row] = await this.query<{ id: string }>(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events, secret, enabled)
       VALUES ($1, 'hook', $2, '{job.completed}', $3, $4) RETURNING id`,
      [this.organizationId, url, secret, enabled],
    );
    return row!.id;
  }

  /** A due delivery of a webhook or, without one, of a finished job's completion webhook. */
  async delivery(of: { webhookId?: string; jobId?: string; url?: string; secret?: string }) {
    const [row] = await this.query<{ id: string }>(
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, job_id, event, url, secret, payload)
       VALUES ($1, $2, $3, 'job.completed', $4, $5, '{"job_id":"j1","result":12345678901234567890}') RETURNING id`,
      [this.organizationId, of.webhookId, of.jobId, of.url, of.secret],
    );
    return { id: row!.id, organizationId: this.organizationId } satisfies DeliveryRef;
  }

  async finishedJob(traceparent: string): Promise<string> {
    const [row] = await this.query<{ id: string }>(
      `INSERT INTO jobs (id, organization_id, created_at, updated_at, completed_at, outcome, timeout_seconds, priority,
         max_retries, queue_name, traceparent, payload)
       VALUES (uuidv7(), $1, now(), now(), now(), 'completed', 300, 0, 3, 'mail', $2, '{}') RETURNING id`,
      [this.organizationId, traceparent],
    );
    return row!.id;
  }

  /** Makes a waiting delivery due. */
  async isDue(id: string): Promise<void> {
    await this.query('UPDATE webhook_deliveries SET next_attempt_at = current_ts() WHERE id = $1', [id]);
  }

  async row(id: string): Promise<DeliveryRow> {
    const [row] = await this.query<DeliveryRow>(
      `SELECT status, attempts, status_code, response_body, error, delivered_at, nullif(next_attempt_at, 'infinity') AS next_attempt_at,
         attempt_history
       FROM webhook_deliveries WHERE id = $1`,
      [id],
    );
    return row!;
  }

  query<Row extends Record<string, unknown> | object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.db.withTenant(this.organizationId, (tx) => tx.query<Row & Record<string, unknown>>(sql, parameters));
  }
}
