import { randomUUID } from 'node:crypto';
import type { JobStatus } from '@spooled/domain';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';

export interface Fixture {
  queue?: string;
  status?: JobStatus | 'retrying' | 'blocked';
  minute?: number;
  priority?: number;
  tags?: unknown;
  jobType?: string;
  payload?: string;
  error?: string;
  key?: string;
}

const liveState: Record<string, string> = {
  pending: 'ready',
  blocked: 'ready',
  retrying: 'retrying',
  scheduled: 'scheduled',
  processing: 'leased',
};

/** Inserts a job as libs/queue does, created in the given minute of a fixed hour. */
async function job(tx: TenantTransaction, fixture: Fixture = {}): Promise<string> {
  const {
    queue = 'mail',
    status = 'pending',
    minute = 0,
    priority = 0,
    tags = null,
    jobType = '',
    payload = '{}',
    error = null,
    key = null,
  } = fixture;
  const id = uuidv7();
  const at = `2026-11-20T10:${String(minute).padStart(2, '0')}:00.123456Z`;
  const state = liveState[status];
  await tx.query(
    `INSERT INTO jobs (id, organization_id, created_at, updated_at, outcome, timeout_seconds, priority, max_retries, queue_name, tags, job_type, payload, last_error, idempotency_key, cancelled_at)
     VALUES ($1, $2, $3, $3, $4::job_status, 300, $5, 3, $6, $7, $8, $9, $10, $11, CASE WHEN $4::job_status = 'cancelled' THEN $3::timestamptz END)`,
    [
      id,
      tx.organizationId,
      at,
      state ? null : status,
      priority,
      queue,
      JSON.stringify(tags),
      jobType,
      payload,
      state ? null : error,
      key,
    ],
  );
  await tx.query('INSERT INTO queues (organization_id, queue_name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    tx.organizationId,
    queue,
  ]);
  if (state) {
    await tx.query(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name, dependencies_met, worker_id, lease_id, lease_expires_at, last_error)
       VALUES ($1, $2, $3, $4, $5, 3, $6, $7, $8, $9, $10, $11)`,
      [
        id,
        tx.organizationId,
        at,
        state,
        priority,
        queue,
        status !== 'blocked',
        ...(state === 'leased' ? ['w1', randomUUID(), '2099-01-01T00:00:00Z'] : [null, null, null]),
        error,
      ],
    );
  }
  if (key !== null) {
    await tx.query('INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id) VALUES ($1, $2, $3)', [
      tx.organizationId,
      key,
      id,
    ]);
  }
  if (status === 'deadletter') {
    await tx.query(`INSERT INTO dead_letters VALUES ($1, $2, $3, $4, now(), '', $1)`, [
      id,
      tx.organizationId,
      queue,
      at,
    ]);
  }
  return id;
}

/** The jobs of a new organization. */
export async function organizationWith(db: Database, fixtures: Fixture[]) {
  const organizationId = randomUUID();
  const ids = await db.withTenant(organizationId, async (tx) => {
    const created: string[] = [];
    for (const fixture of fixtures) created.push(await job(tx, fixture));
    return created;
  });
  return { organizationId, ids };
}
