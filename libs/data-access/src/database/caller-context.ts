import { AsyncLocalStorage } from 'node:async_hooks';

/** Who causes the transactions of a request that changes something, for the audit log. */
export interface CallerContext {
  /** As commands name it; null = unknown. */
  actor: string | null;
  address: string | null;
  userAgent: string | null;
}

/** The caller of the request in progress; none outside of requests, and in requests that only read. */
export const callerContext = new AsyncLocalStorage<CallerContext>();

/** The transaction's settings by the names that the database functions read, `app.current_org_id` first. */
export function transactionSettings(organizationId: string): [string, string][] {
  const caller = callerContext.getStore();
  const tenant: [string, string] = ['app.current_org_id', organizationId];
  if (!caller) return [tenant];
  return [
    tenant,
    ['app.actor', caller.actor ?? ''],
    ['app.address', caller.address ?? ''],
    ['app.user_agent', caller.userAgent ?? ''],
  ];
}
