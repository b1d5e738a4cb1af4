import { includedSteps, stepsPerToken } from '@spooled/contracts';

/** Who has payloads checked. */
export interface CheckCaller {
  organizationId: string;
  /** Aborted when the caller has left or has its response. Absent: it waits as long as it takes. */
  readonly ended?: AbortSignal;
  /** Takes tokens from the caller's rate for checks that it has caused; must not throw. Absent: they cost nothing. */
  charge?(tokens: number): Promise<unknown>;
}

/** What the checks of one request cost: beyond those that every request includes, each begun `stepsPerToken` cost a token. */
export class CheckBill {
  private steps = 0;
  private paid = 0;

  constructor(private readonly caller: CheckCaller) {}

  async add(steps: number): Promise<void> {
    this.steps += steps;
    const owed = Math.ceil(Math.max(0, this.steps - includedSteps) / stepsPerToken) - this.paid;
    if (owed <= 0) return;
    this.paid += owed;
    await this.caller.charge?.(owed);
  }
}
