import { Inject, Injectable } from '@nestjs/common';
import { workerSchemas } from '@spooled/contracts';
import type {
  DeregisterRequest,
  DeregisterResponse,
  HeartbeatRequest,
  HeartbeatResponse,
  RegisterWorkerRequest,
  RegisterWorkerResponse,
} from '@spooled/contracts/grpc';
import { SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { z } from 'zod';
import type { GatewaySettings } from '../gateway.config.js';
import { validatedMessage, clamped, leaseSeconds } from '../grpc/validated-message.js';
import type { Caller } from '../grpc/unary-calls.js';
import { WorkersService } from './workers.service.js';

/** Any text that can be the id of a worker. An empty one is refused; an unknown one is answered. */
const workerId = z.string().max(255, 'must be at most 255 characters').min(1, 'must not be empty');
const workerRequest = z.object({ worker_id: workerId });
const maxConcurrency = 100;
const maxCurrentJobs = 1000;

/** The workers of an organization over gRPC. */
@Injectable()
export class WorkersGrpcHandler {
  constructor(
    private readonly workers: WorkersService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @throws SpooledError 400, 403 scope, 409 id of a worker outside the key's queues, 429 quota */
  async register({ principal }: Caller, request: RegisterWorkerRequest): Promise<RegisterWorkerResponse> {
    const { queue_name, hostname, metadata } = request;
    const described = validatedMessage(workerSchemas.registerWorkerBody, {
      queue_name,
      hostname,
      worker_id: request.worker_id || null,
      worker_type: request.worker_type || null,
      version: request.version || null,
      metadata,
    });
    const bounds = { min: 1, max: maxConcurrency, unset: this.settings.WORKER_MAX_CONCURRENCY };
    const max_concurrency = clamped(request.max_concurrency, bounds);
    return {
      worker_id: await this.workers.register(principal, { ...described, max_concurrency }),
      lease_duration_secs: leaseSeconds(0),
      heartbeat_interval_secs: this.settings.WORKER_HEARTBEAT_INTERVAL_SECS,
    };
  }

  /** @throws SpooledError 400, 429 quota */
  async heartbeat({ principal }: Caller, request: HeartbeatRequest): Promise<HeartbeatResponse> {
    const { worker_id } = validatedMessage(workerRequest, request);
    const beat = validatedMessage(workerSchemas.workerHeartbeatBody, {
      current_jobs: Math.min(Math.max(request.current_jobs, 0), maxCurrentJobs),
      status: knownStatus(request.status),
      metadata: Object.keys(request.metadata).length > 0 ? request.metadata : null,
    });
    const status = await ifKnown(worker_id, () => this.workers.heartbeat(principal, worker_id, beat));
    return { acknowledged: status !== null, should_drain: status === 'draining' };
  }

  /** @throws SpooledError 400 */
  async deregister({ principal }: Caller, request: DeregisterRequest): Promise<DeregisterResponse> {
    const { worker_id } = validatedMessage(workerRequest, request);
    const known = await ifKnown(worker_id, async () => {
      await this.workers.deregister(principal, worker_id);
      return true;
    });
    return { success: known !== null };
  }
}

/** Empty: as before. An unknown text counts as healthy. */
const knownStatus = (status: string): 'degraded' | 'draining' | 'offline' | 'healthy' | null =>
  status === 'degraded' || status === 'draining' || status === 'offline' ? status : status === '' ? null : 'healthy';

/** null when there is no such worker. PostgreSQL does not accept U+0000, and no id of a worker contains it. */
async function ifKnown<T>(workerId: string, ask: () => Promise<T>): Promise<T | null> {
  if (workerId.includes('\0')) return null;
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SpooledError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
