export interface Budget {
  /** Calls that change something. */
  changes: number;
  /** Jobs that these calls may touch. */
  jobs: number;
}

/** It is not allowed. The text says what would be. */
export class NotAllowed extends Error {}

/**
 * What is left of a budget. Spending comes before the call, so that calls at the same time share one budget; a call that fails
 * stays spent.
 */
export class Allowance {
  private readonly left: Budget;

  constructor(budget: Budget) {
    this.left = { ...budget };
  }

  get remaining(): Budget {
    return { ...this.left };
  }

  /** @throws NotAllowed beyond the budget; nothing is spent then */
  spend(jobs: number): void {
    if (this.left.changes < 1) throw new NotAllowed('The budget is used up: a person has to go on');
    if (this.left.jobs < jobs)
      throw new NotAllowed(
        `The budget allows ${this.left.jobs} more jobs, not ${Number.isFinite(jobs) ? jobs : 'so many'}: narrow the filter`,
      );
    this.left.changes--;
    this.left.jobs -= jobs;
  }
}

const hourMs = 3_600_000;

/**
 * One allowance for all sessions of a key, renewed an hour after its first use: a new session of the same agent has no budget of
 * its own.
 */
export class HourlyAllowances {
  private readonly byKey = new Map<string, { allowance: Allowance; since: number }>();

  /** @param now Unix time in ms */
  constructor(
    private readonly budget: Budget,
    private readonly now: () => number,
  ) {}

  /** @param key what tells keys apart, such as a hash */
  of(key: string): Allowance {
    const now = this.now();
    for (const [other, { since }] of this.byKey) if (now - since >= hourMs) this.byKey.delete(other);
    let entry = this.byKey.get(key);
    if (!entry) this.byKey.set(key, (entry = { allowance: new Allowance(this.budget), since: now }));
    return entry.allowance;
  }
}
