import type { Permission } from '@spooled/domain';
import type { BatchServiceService, QueueServiceService, WorkerServiceService } from './grpc/index.js';

type PermissionsOf<Service> = Record<keyof Service, Permission>;

/** What each RPC requires of the role of its key (BX-23). It does not compile while a method is missing. */
export const rpcPermissions = {
  'spooled.v1.QueueService': {
    enqueue: 'work',
    dequeue: 'work',
    complete: 'work',
    fail: 'work',
    renewLease: 'work',
    getJob: 'read_jobs',
    getQueueStats: 'read',
    streamJobs: 'work',
    processJobs: 'work',
  } satisfies PermissionsOf<typeof QueueServiceService>,
  'spooled.v1.WorkerService': {
    register: 'work',
    heartbeat: 'work',
    deregister: 'work',
  } satisfies PermissionsOf<typeof WorkerServiceService>,
  'spooled.v1.BatchService': {
    enqueueMany: 'work',
    streamBatches: 'work',
    settleMany: 'work',
  } satisfies PermissionsOf<typeof BatchServiceService>,
} as const;

/** What each stream of the realtime service requires. Commands of a WebSocket choose among the events of its stream: they need no more. */
export const streamPermissions = {
  websocket: 'connect',
  events: 'connect',
  job: 'read_jobs',
  queue: 'read',
} as const satisfies Record<string, Permission>;
export type LiveStream = keyof typeof streamPermissions;
