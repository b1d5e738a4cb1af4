import { includedSteps } from '@spooled/contracts';
import {
  type CheckLimits,
  maxSteps,
  type PayloadCheck,
  type PayloadIssue,
  type PayloadSchema,
  readPayloadSchema,
  unavailable,
} from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
import { checkPayload, type CheckReport } from './check-payload.js';
import { CheckBill, type CheckCaller } from './check-caller.js';
import type { CheckPool } from './check-pool.js';

const maxRequestSteps = 5 * maxSteps;
/** Of 20 ns, for CPU time that is not counted in steps. */
const stepsPerMs = 50_000;
/** To read a schema: about 0.2 µs a character. A measured time would differ by machine, and a slow moment would cost its caller. */
const stepsPerCharacter = 10;
/** Without another thread: after this many steps other requests have a turn. */
const stepsPerTurn = 5 * stepsPerMs;

/** A schema and its text for another thread. */
export interface ReadySchema {
  /** Null: it is read in the other thread only. */
  schema: PayloadSchema | null;
  text: string;
}

/** A parsed payload, and its text for another thread. */
export interface CheckedPayload {
  value: () => unknown;
  text: () => string;
}

export interface RequestChecksOptions {
  caller: CheckCaller;
  /** Null: every check is made at once. */
  pool: CheckPool | null;
  /** Default: payloads have not been parsed, and none is checked at once. */
  areParsed?: boolean;
}

/** The checks of one request. They share a budget, cost its caller tokens, and end with it. */
export class RequestChecks {
  private readonly bill: CheckBill;
  private left = maxRequestSteps;
  private leftAtOnce: number;
  private sinceTurn = 0;
  private tooCostly = false;

  constructor(private readonly options: RequestChecksOptions) {
    this.bill = new CheckBill(options.caller);
    this.leftAtOnce = options.areParsed ? includedSteps : 0;
  }

  /** Whether the budget is spent. One payload may exceed it. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Whether a payload took too long to check. */
  get hasTooCostly(): boolean {
    return this.tooCostly;
  }

  /**
   * @throws SpooledError 429 when the organization has too many checks waiting, 503 when the caller no longer waits
   * @throws SchemaProblem for a schema that an earlier release accepted and this one does not
   */
  async check(schema: ReadySchema, payload: CheckedPayload, report: CheckReport): Promise<PayloadCheck> {
    this.requireCaller();
    const { pool } = this.options;
    const check = pool
      ? await this.checkWith(pool, schema, payload, report)
      : await this.checkHere(schema, payload, report);
    this.left -= costOf(check);
    this.tooCostly ||= check.isTooCostly;
    return check;
  }

  /**
   * Reads a new schema, and compares it with the one before. Neither takes from the budget.
   * @param before null: there is none
   * @throws SchemaProblem; SpooledError 429, 503 as `check`
   */
  async review(
    pool: CheckPool,
    schemas: { before: string | null; after: string; maxIssues: number },
  ): Promise<PayloadIssue[]> {
    this.requireCaller();
    const { organizationId, ended } = this.options.caller;
    const { incompatible, readCharacters } = await pool.run(organizationId, { kind: 'review', ...schemas }, ended);
    await this.bill.add(readCharacters * stepsPerCharacter);
    return incompatible;
  }

  private requireCaller(): void {
    if (this.options.caller.ended?.aborted) throw unavailable('The check of payloads');
  }

  /** The result does not depend on where a payload is checked: its steps decide. */
  private async checkWith(
    pool: CheckPool,
    { schema, text }: ReadySchema,
    payload: CheckedPayload,
    report: CheckReport,
  ): Promise<PayloadCheck> {
    if (schema && this.leftAtOnce > 0) {
      const limits: CheckLimits = { steps: this.leftAtOnce, patternMs: this.leftAtOnce / stepsPerMs };
      const check = checkPayload(schema, payload.value(), report, limits);
      this.leftAtOnce -= costOf(check);
      if (!check.isTooCostly) {
        await this.bill.add(costOf(check));
        return check;
      }
      this.leftAtOnce = 0;
    }
    const { organizationId, ended } = this.options.caller;
    const task = { kind: 'check', schema: text, payload: payload.text(), ...report } as const;
    const { readCharacters, ...check } = await pool.run(organizationId, task, ended);
    await this.bill.add(costOf(check) + readCharacters * stepsPerCharacter);
    return check;
  }

  private async checkHere(
    { schema, text }: ReadySchema,
    payload: CheckedPayload,
    report: CheckReport,
  ): Promise<PayloadCheck> {
    const check = checkPayload(schema ?? readPayloadSchema(JSON.parse(text)), payload.value(), report);
    this.sinceTurn += costOf(check);
    if (this.sinceTurn > stepsPerTurn) {
      this.sinceTurn = 0;
      await nextTurn();
    }
    return check;
  }
}

const costOf = ({ steps, patternMs }: PayloadCheck): number => Math.max(steps, patternMs * stepsPerMs);
