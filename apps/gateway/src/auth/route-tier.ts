/** The four classes of routes that may have windows of their own (PB-06). */
export const routeTiers = ['auth', 'write', 'read', 'protocol'] as const;
export type RouteTier = (typeof routeTiers)[number];

const workerCall =
  /^\/api\/v1\/(?:jobs\/claim|jobs\/complete\/bulk|jobs\/[^/]+\/(?:complete|fail|heartbeat|progress)|workers\/[^/]+\/heartbeat)$/;

/**
 * auth: what creates or checks credentials, the target of guessing and stuffing. protocol: what workers call all the time, so
 * that a narrow limit on writing does not stop them. The rest by method.
 * @param path the route's pattern or the request's path, without the query
 */
export function tierOf(method: string, path: string): RouteTier {
  if (path.startsWith('/api/v1/auth/')) return 'auth';
  if (method === 'POST' && path === '/api/v1/organizations') return 'auth';
  if (workerCall.test(path)) return 'protocol';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
