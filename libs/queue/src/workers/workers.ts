import type { CommandBody } from '@spooled/contracts';
import { recordAudit, type TenantTransaction } from '@spooled/data-access';
import { conflict, notFound, quotaExceeded, type SpooledError } from '@spooled/domain';
import type { EffectsBuilder } from '../step/effects.js';
import type { SingleStep } from '../step/single-step.js';
import { recordDeliveries } from '../step/record-deliveries.js';
import { deregisterWorker as deregisterWorkerSql } from './deregister-worker.queries.js';
import { drainWorker as drainWorkerSql, resumeWorker as resumeWorkerSql } from './drain-worker.queries.js';
import { reactivateWorker, recordHeartbeat as recordHeartbeatSql } from './record-heartbeat.queries.js';
import { lockWorkers, registerWorker as registerWorkerSql } from './register-worker.queries.js';

/**
 * Registers a worker; the same id again updates it. The limit counts healthy and degraded workers and cannot be
 * exceeded.
 * @throws SpooledError 409 when the id belongs to a worker outside the key's queues, 429 when the plan's limit is
 * reached
 */
export const registerWorker: SingleStep<'worker.register'> = async (tx, { body }, effects) => {
  await tx.run(lockWorkers);
  const asked = { ...body, id: body.workerId, metadata: body.metadata ?? '{}' };
  const { id, alive, taken, now } = await tx.one(registerWorkerSql, asked);
  if (taken) throw conflict('Worker id is in use');
  if (id === null) throw tooManyWorkers(alive, body);
  effects.event(tx.organizationId, {
    type: 'WorkerRegistered',
    data: { worker_id: id, queue_name: body.queueName, timestamp: now },
  });
  const data = { worker_id: id, queue_name: body.queueName, hostname: body.hostname };
  const { organizationId } = tx;
  await recordDeliveries(tx, [{ organizationId, event: 'worker.registered', jobId: null, data }], effects);
  return { workerId: id };
};

/** Tells of the status of a worker. */
const reportStatus = (
  { organizationId }: TenantTransaction,
  data: { worker_id: string; status: string; timestamp: string },
  effects: EffectsBuilder,
): void => effects.event(organizationId, { type: 'WorkerHeartbeat', data });

/**
 * Records a heartbeat; running it twice changes nothing more. `draining` lasts until the worker registers again. An offline worker
 * comes back only if the plan's limit allows one more.
 * @throws SpooledError 404, 429 when the plan's limit is reached
 */
export const recordHeartbeat: SingleStep<'worker.heartbeat'> = async (tx, { body }, effects) => {
  const row = await tx.first(recordHeartbeatSql, { ...body, id: body.workerId });
  const { status, now: timestamp } = row ?? (await reactivate(tx, body));
  reportStatus(tx, { worker_id: body.workerId, status, timestamp }, effects);
  return { status };
};

async function reactivate(
  tx: TenantTransaction,
  body: CommandBody<'worker.heartbeat'>,
): Promise<{ status: string; now: string }> {
  await tx.run(lockWorkers);
  const { status, alive, known, now } = await tx.one(reactivateWorker, { ...body, id: body.workerId });
  if (!known) throw notFound('Worker');
  if (status === null) throw tooManyWorkers(alive, body);
  return { status, now };
}

const tooManyWorkers = (
  alive: number,
  { maxWorkers, plan, upgradeTo }: Pick<CommandBody<'worker.register'>, 'maxWorkers' | 'plan' | 'upgradeTo'>,
): SpooledError => quotaExceeded('workers', { current: alive, limit: maxWorkers ?? alive, plan, upgradeTo });

/**
 * Tells a worker to drain: gateways give it no more jobs until it is resumed or registers again, and its heartbeats say so. Running it twice changes
 * nothing more.
 * @throws SpooledError 404, 409 for an offline worker
 */
export const drainWorker: SingleStep<'worker.drain'> = async (tx, { body }, effects) => {
  const { workerId, queues } = body;
  const row = await tx.first(drainWorkerSql, { id: workerId, queues });
  if (!row) throw notFound('Worker');
  if (row.status === 'offline') throw conflict('The worker is offline');
  if (row.was_drained) return { workerId };
  await recordAudit(tx, {
    action: 'worker.drained',
    targetKind: 'worker',
    targetId: workerId,
    before: { status: row.status },
    after: { status: 'draining' },
  });
  reportStatus(tx, { worker_id: workerId, status: 'draining', timestamp: row.now }, effects);
  return { workerId };
};

/**
 * Ends the drain of a worker, which then counts against the plan's limit again. Running it twice changes nothing more.
 * @throws SpooledError 404, 429 when the plan's limit is reached
 */
export const resumeWorker: SingleStep<'worker.resume'> = async (tx, { body }, effects) => {
  const { workerId } = body;
  await tx.run(lockWorkers);
  const row = await tx.first(resumeWorkerSql, { ...body, id: workerId });
  if (!row) throw notFound('Worker');
  if (row.refused) throw tooManyWorkers(row.alive, body);
  if (row.status === null) return { workerId };
  await recordAudit(tx, {
    action: 'worker.resumed',
    targetKind: 'worker',
    targetId: workerId,
    before: { status: row.status_before },
    after: { status: row.status },
  });
  reportStatus(tx, { worker_id: workerId, status: row.status, timestamp: row.now }, effects);
  return { workerId };
};

/** Marks a worker offline. Its leases run on: it may still end its jobs, and recovery takes those that it does not. */
export const deregisterWorker: SingleStep<'worker.deregister'> = async (tx, { body }, effects) => {
  const { organizationId } = tx;
  const asked = { ...body, id: body.workerId, issuedAt: body.issuedAt ?? null };
  const row = await tx.first(deregisterWorkerSql, asked);
  if (!row) throw notFound('Worker');
  effects.event(organizationId, {
    type: 'WorkerDeregistered',
    data: { worker_id: body.workerId, timestamp: row.now },
  });
  const data = { worker_id: body.workerId, queue_name: row.queue_name };
  await recordDeliveries(tx, [{ organizationId, event: 'worker.deregistered', jobId: null, data }], effects);
  return { workerId: body.workerId };
};
