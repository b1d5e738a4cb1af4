import { conflict, notFound, quotaExceeded } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import { recordDeliveries } from '../step/record-deliveries.js';
import { deregisterWorker as deregisterWorkerSql } from './deregister-worker.queries.js';
import { recordHeartbeat as recordHeartbeatSql } from './record-heartbeat.queries.js';
import { lockWorkers, registerWorker as registerWorkerSql } from './register-worker.queries.js';

/**
 * Registers a worker; the same id again updates it. The limit counts healthy and degraded workers and cannot be
 * exceeded.
 * @throws SpooledError 409 when the id belongs to a worker outside the key's queues, 429 when the plan's limit is
 * reached
 */
export const registerWorker: SingleStep<'worker.register'> = async (tx, { body }, effects) => {
  await tx.run(lockWorkers, { organizationId: tx.organizationId });
  const [row] = await tx.run(registerWorkerSql, {
    organizationId: tx.organizationId,
    id: body.workerId,
    queueName: body.queueName,
    hostname: body.hostname,
    workerType: body.workerType,
    maxConcurrency: body.maxConcurrency,
    metadata: body.metadata ?? '{}',
    version: body.version,
    maxWorkers: body.maxWorkers,
    queues: body.queues,
  });
  const { id, alive, taken } = row!;
  if (taken) throw conflict('Worker id is in use');
  if (id === null) throw quotaExceeded('workers', alive, body.maxWorkers ?? alive, body.plan, body.upgradeTo);
  effects.event(tx.organizationId, {
    type: 'WorkerRegistered',
    data: { worker_id: id, queue_name: body.queueName, timestamp: new Date().toISOString() },
  });
  const data = { worker_id: id, queue_name: body.queueName, hostname: body.hostname };
  await recordDeliveries(
    tx,
    [{ organizationId: tx.organizationId, event: 'worker.registered', jobId: null, data }],
    effects,
  );
  return { workerId: id };
};

/** Records a heartbeat. `draining` is sticky: a later `healthy` does not undo it. */
export const recordHeartbeat: SingleStep<'worker.heartbeat'> = async (tx, { body }, effects) => {
  const [row] = await tx.run(recordHeartbeatSql, {
    organizationId: tx.organizationId,
    id: body.workerId,
    currentJobs: body.currentJobs,
    status: body.status,
    metadata: body.metadata,
    queues: body.queues,
  });
  if (!row) throw notFound('Worker');
  effects.event(tx.organizationId, {
    type: 'WorkerHeartbeat',
    data: { worker_id: body.workerId, status: row.status, timestamp: new Date().toISOString() },
  });
  return { status: row.status };
};

/** Deregisters a worker; its jobs return to pending without losing an attempt. */
export const deregisterWorker: SingleStep<'worker.deregister'> = async (tx, { body }, effects) => {
  const rows = await tx.run(deregisterWorkerSql, {
    organizationId: tx.organizationId,
    id: body.workerId,
    queues: body.queues,
    startedUntil: body.issuedAt ?? null,
  });
  if (rows.length === 0) throw notFound('Worker');
  const { now, worker_queue } = rows[0]!;
  let released = 0;
  for (const { job_id: id, queue_name: queue, lease_id: leaseId } of rows) {
    if (id === null || queue === null || leaseId === null) continue;
    released++;
    effects.statusChange(tx.organizationId, { id, queue }, { from: 'processing', to: 'pending', at: now });
    effects.wake(tx.organizationId, queue);
    effects.leases.ended({ organizationId: tx.organizationId, jobId: id, leaseId });
  }
  effects.event(tx.organizationId, {
    type: 'WorkerDeregistered',
    data: { worker_id: body.workerId, timestamp: now },
  });
  const data = { worker_id: body.workerId, queue_name: worker_queue };
  await recordDeliveries(
    tx,
    [{ organizationId: tx.organizationId, event: 'worker.deregistered', jobId: null, data }],
    effects,
  );
  return { releasedJobs: released };
};
