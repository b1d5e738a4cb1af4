/** The four classes of routes that can have their own rate limit (PB-06). */
export const routeTiers = ['auth', 'write', 'read', 'protocol'] as const;
export type RouteTier = (typeof routeTiers)[number];

/**
 * Requests a minute of one address without a credential, on routes that need none (PB-08 to PB-11). Organizations have the rate of
 * their plan, which is never lower.
 */
export const defaultsPerMinute: Readonly<Record<RouteTier, number>> = {
  auth: 10,
  write: 60,
  read: 300,
  protocol: 1000,
};

const workerCall =
  /^\/api\/v1\/(?:jobs\/claim|jobs\/complete\/bulk|jobs\/[^/]+\/(?:complete|fail|heartbeat|progress|release)|workers\/[^/]+\/heartbeat)$/;

/**
 * auth: routes that create or check credentials, the target of guessing and credential stuffing. protocol: routes that workers call
 * continuously, so that a low limit of writes does not stop them. The others by method.
 * @param path the route's pattern or the request's path, without the query
 */
export function tierOf(method: string, path: string): RouteTier {
  if (path.startsWith('/api/v1/auth/')) return 'auth';
  if (method === 'POST' && path.startsWith('/api/v1/console/')) return 'auth';
  if (method === 'POST' && path === '/api/v1/organizations') return 'auth';
  if (workerCall.test(path)) return 'protocol';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
