import { type CheckLimits, checkPayload as checkWithin, type PayloadCheck, type PayloadSchema } from '@spooled/domain';

export interface CheckReport {
  /** Name of the payload in the paths of issues. */
  root: string;
  /** More are not looked for. */
  maxIssues: number;
}

/**
 * Checks a payload within a fixed number of steps, about 20 ms, or 30 ms with complex patterns.
 * @param limits lower ones; a check that exceeds them says nothing about the payload
 */
export const checkPayload = (
  schema: PayloadSchema,
  payload: unknown,
  report: CheckReport,
  limits?: CheckLimits,
): PayloadCheck => checkWithin(schema, payload, { ...report, cpuMs, limits });

/** CPU time of this thread so far, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
