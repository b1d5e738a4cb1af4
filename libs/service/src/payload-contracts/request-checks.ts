import { type CheckLimits, maxSteps, type PayloadCheck, type PayloadSchema, unavailable } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
import { checkPayload, type CheckReport } from './check-payload.js';
import type { CheckPool } from './check-pool.js';

const maxRequestSteps = 5 * maxSteps;
/** Of 20 ns, for CPU time that is not counted in steps. */
const stepsPerMs = 50_000;
/** Of all payloads of a request that are checked at once; the others wait for another thread. An order with 5 lines takes 100. */
const stepsAtOnce = stepsPerMs;
/** Without another thread: after this many steps other requests have a turn. */
const stepsPerTurn = 5 * stepsPerMs;

/** A schema that has been read, and its text for another thread. */
export interface ReadySchema {
  schema: PayloadSchema;
  text: string;
}

/** A parsed payload, and its text for another thread. */
export interface CheckedPayload {
  value: () => unknown;
  text: () => string;
}

export interface RequestChecksOptions {
  organizationId: string;
  /** Null: every check is made at once. */
  pool: CheckPool | null;
  disconnected?: AbortSignal;
  /** Default: payloads have not been parsed, and none is checked at once. */
  areParsed?: boolean;
}

/** The checks of one request. They share a budget, and end when the caller disconnects. */
export class RequestChecks {
  private left = maxRequestSteps;
  private leftAtOnce: number;
  private sinceTurn = 0;
  private tooCostly = false;

  constructor(private readonly options: RequestChecksOptions) {
    this.leftAtOnce = options.areParsed ? stepsAtOnce : 0;
  }

  /** Whether the budget is spent. One payload may exceed it. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Whether a payload took too long to check. */
  get hasTooCostly(): boolean {
    return this.tooCostly;
  }

  /** @throws SpooledError 429 when the organization has too many checks waiting, 503 when the caller has disconnected */
  async check(schema: ReadySchema, payload: CheckedPayload, report: CheckReport): Promise<PayloadCheck> {
    const { pool, disconnected } = this.options;
    if (disconnected?.aborted) throw unavailable('The check of payloads');
    const check = pool
      ? await this.checkWith(pool, schema, payload, report)
      : await this.checkHere(schema, payload, report);
    this.left -= costOf(check);
    this.tooCostly ||= check.isTooCostly;
    return check;
  }

  /** The result does not depend on where a payload is checked: its steps decide. */
  private async checkWith(
    pool: CheckPool,
    { schema, text }: ReadySchema,
    payload: CheckedPayload,
    report: CheckReport,
  ): Promise<PayloadCheck> {
    if (this.leftAtOnce > 0) {
      const limits: CheckLimits = { steps: this.leftAtOnce, patternMs: this.leftAtOnce / stepsPerMs };
      const check = checkPayload(schema, payload.value(), report, limits);
      this.leftAtOnce -= costOf(check);
      if (!check.isTooCostly) return check;
      this.leftAtOnce = 0;
    }
    const { organizationId, disconnected } = this.options;
    return pool.run(organizationId, { schema: text, payload: payload.text(), ...report }, disconnected);
  }

  private async checkHere(
    { schema }: ReadySchema,
    payload: CheckedPayload,
    report: CheckReport,
  ): Promise<PayloadCheck> {
    const check = checkPayload(schema, payload.value(), report);
    this.sinceTurn += costOf(check);
    if (this.sinceTurn > stepsPerTurn) {
      this.sinceTurn = 0;
      await nextTurn();
    }
    return check;
  }
}

const costOf = ({ steps, patternMs }: PayloadCheck): number => Math.max(steps, patternMs * stepsPerMs);
