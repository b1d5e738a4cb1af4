import { SpooledError } from './errors.js';

/** Roles of API keys (BX-23), from the one that may do most. */
export const roles = ['admin', 'operator', 'worker', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** What a route, an RPC or a stream needs a key to be allowed. */
export type Permission = keyof typeof rolesThatMay;

/** Which roles have each permission: the only place that says so. */
export const rolesThatMay = {
  /** What concerns the caller's own credential, and live events. */
  connect: ['admin', 'operator', 'worker', 'viewer'],
  /** Reading jobs and workflows. */
  read_jobs: ['admin', 'operator', 'worker', 'viewer'],
  /** Reading everything else that is not an administrator's. */
  read: ['admin', 'operator', 'viewer'],
  /** Creating jobs and workflows, claiming and ending jobs, registering workers. */
  work: ['admin', 'operator', 'worker'],
  /** Changing what others created or set up: jobs, queues, schedules, webhooks. */
  operate: ['admin', 'operator'],
  /** API keys, the organization with its secrets, and billing. */
  administer: ['admin'],
} as const satisfies Record<string, readonly Role[]>;

/** Whether a key of this role has the permission. */
export const mayDo = (role: Role, permission: Permission): boolean =>
  (rolesThatMay[permission] as readonly Role[]).includes(role);

/** @throws SpooledError 403, which names the role of the key and the roles that have the permission */
export function requirePermission({ role }: { role: Role }, permission: Permission): void {
  if (!mayDo(role, permission)) throw roleRefused({ role }, permission);
}

/** The error for a key whose role does not permit what it asks for: 403. */
export function roleRefused({ role }: { role: Role }, permission: Permission): SpooledError {
  const allowed = rolesThatMay[permission];
  return new SpooledError('ACCESS_DENIED', `The role of this API key is ${role}; this needs ${listOf(allowed)}`, {
    extras: { role, allowed_roles: [...allowed] },
  });
}

const listOf = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
