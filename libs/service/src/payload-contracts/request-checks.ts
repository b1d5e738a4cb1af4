import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxSteps, type PayloadCheck, type PayloadSchema, unavailable } from '@spooled/domain';
import { checkPayload } from './check-payload.js';

const maxRequestSteps = 5 * maxSteps;
/** Of 20 ns, for CPU time that is not counted in steps. */
const stepsPerMs = 50_000;
/** After this many steps other requests have a turn. */
const stepsPerTurn = maxSteps / 4;

/** The checks of one request. They share a budget, and end when the caller disconnects. */
export class RequestChecks {
  private left = maxRequestSteps;
  private sinceTurn = 0;
  private tooCostly = false;

  constructor(private readonly disconnected?: AbortSignal) {}

  /** Whether the budget is spent. One payload may exceed it. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Whether a payload took too long to check. */
  get hasTooCostly(): boolean {
    return this.tooCostly;
  }

  /**
   * @param root name of the payload in the paths of issues
   * @param maxIssues more are not looked for
   * @throws SpooledError 503 when the caller has disconnected
   */
  async check(schema: PayloadSchema, payload: unknown, root: string, maxIssues: number): Promise<PayloadCheck> {
    if (this.disconnected?.aborted) throw unavailable('The check of payloads');
    const check = checkPayload(schema, payload, root, maxIssues);
    const steps = Math.max(check.steps, check.patternMs * stepsPerMs);
    this.left -= steps;
    this.sinceTurn += steps;
    this.tooCostly ||= check.isTooCostly;
    if (this.sinceTurn > stepsPerTurn) {
      this.sinceTurn = 0;
      await nextTurn();
    }
    return check;
  }
}
