import { checkPayload as checkWithin, type PayloadCheck, type PayloadSchema } from '@spooled/domain';

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Checks a payload within a fixed number of steps, about 20 ms, or 30 ms with complex patterns.
 * @param root name of the payload in the paths of issues
 * @param maxIssues more are not looked for
 */
export const checkPayload = (schema: PayloadSchema, payload: unknown, root: string, maxIssues: number): PayloadCheck =>
  checkWithin(schema, payload, { root, maxIssues, cpuMs });
