import type { Call, Rule, Violation } from '@spooled/testing';
import type { RecordedLoad } from '../recorded-load.js';

/** What callers saw during one phase of an upgrade, and what was found afterwards to be broken by it. */
export interface PhaseRow {
  phase: string;
  /** Changes that were acknowledged. */
  acknowledged: number;
  /** Acknowledged jobs and completions that do not exist afterwards. */
  lost: number;
  /** Jobs of which two completions were accepted. */
  doubled: number;
  /** Attempts that ended because their lease or their worker was lost. No worker of the load loses one. */
  burnt: number;
  /** Requests without success, by kind; each was repeated. */
  errors: Record<string, number>;
  violations: string[];
}

/** An attempt that ended without its worker; `at` in milliseconds since 1970. */
export interface BurntAttempt {
  at: number;
  job: string;
  event: string;
}

interface Mark {
  phase: string;
  at: number;
  acknowledged: number;
  errors: ReadonlyMap<string, number>;
}

/** Answers after which a caller repeats the request: the only ones that an upgrade may cause. */
const isRepeatable = (kind: string): boolean => kind.startsWith('503 ');

/** Divides the time of a load into phases. */
export class Phases {
  private readonly marks: Mark[] = [];

  constructor(
    private readonly load: Pick<RecordedLoad, 'history' | 'errors' | 'acknowledged'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Ends the phase before. */
  begin(phase: string): void {
    const { acknowledged, errors } = this.load;
    this.marks.push({ phase, at: this.now(), acknowledged: acknowledged.length, errors: new Map(errors) });
  }

  /** One row for each phase. The load has ended. What is broken counts in the phase of the last call that it is about. */
  rows(violations: readonly Violation[], burnt: readonly BurntAttempt[]): PhaseRow[] {
    const { calls } = this.load.history;
    const broken = violations.map((violation) => ({ ...violation, mark: this.markAt(timeOf(violation, calls)) }));
    const lost = burnt.map((attempt) => ({ ...attempt, mark: this.markAt(attempt.at) }));
    return this.marks.map((mark, index) => {
      const { acknowledged, errors: counts } = this.marks[index + 1] ?? this.end();
      const errors = difference(counts, mark.errors);
      const own = broken.filter((one) => one.mark === mark);
      const attempts = lost.filter((one) => one.mark === mark);
      const ofRule = (rule: Rule) => own.filter((one) => one.rule === rule).length;
      return {
        phase: mark.phase,
        acknowledged: acknowledged - mark.acknowledged,
        lost: ofRule('nothingLost'),
        doubled: ofRule('acceptedOnce'),
        burnt: attempts.length,
        errors,
        violations: [
          ...own.map(({ rule, what }) => `${rule}: ${what}`),
          ...attempts.map(({ job, event }) => `attemptsKept: an attempt of ${job} ended with ${event}`),
          ...Object.entries(errors)
            .filter(([kind]) => !isRepeatable(kind))
            .map(([kind, count]) => `noFailedRequests: ${count} requests failed with ${kind}`),
        ],
      };
    });
  }

  private end(): Pick<Mark, 'acknowledged' | 'errors'> {
    return { acknowledged: this.load.acknowledged.length, errors: this.load.errors };
  }

  private markAt(at: number): Mark {
    return this.marks.findLast((mark) => mark.at <= at) ?? this.marks[0]!;
  }
}

/** What no call is about, such as a counter, is known only at the end. */
const timeOf = ({ what }: Violation, calls: readonly Call[]): number =>
  calls.findLast((call) => call.outcome === 'ok' && 'job' in call && what.includes(call.job))?.to ?? Infinity;

const difference = (all: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries(
    [...all].map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const).filter(([, count]) => count > 0),
  );
