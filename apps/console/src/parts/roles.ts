import type { Session } from '../api/session';

export type Role = Session['role'];

export const roleNames: Record<Role, string> = {
  admin: 'Admin',
  operator: 'Operator',
  viewer: 'Viewer, read only',
  worker: 'Worker',
};

export const roleHints: Record<Role, string> = {
  admin: 'May do everything, also manage keys and the organization.',
  operator: 'May do everything but manage keys, the organization, its secrets and billing.',
  worker: 'For programs: may create and run jobs.',
  viewer: 'May read everything but keys and secrets.',
};

/** Whether the session may manage keys, members and the organization; the server enforces the same. */
export const mayManage = ({ kind, role, apiKey }: Session): boolean =>
  kind === 'organization' && role === 'admin' && isForAllQueues(apiKey?.queues ?? []);

/** Whether a key with these queues is restricted to none of them. */
export const isForAllQueues = (queues: readonly string[]): boolean => queues.length === 0 || queues.includes('*');
