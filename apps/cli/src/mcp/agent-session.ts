import { randomUUID } from 'node:crypto';
import type { Body } from '@spooled/sdk';

export type ReplayBody = Omit<Body<'POST /api/v1/jobs/dlq/replays'>, 'dryRun'>;

/** What a session may change at most. */
export interface Budget {
  /** Calls that change something. */
  changes: number;
  /** Jobs that these calls may touch. */
  jobs: number;
}

/** The session does not allow it. The text says what would be allowed. */
export class NotAllowed extends Error {}

export interface Preview {
  body: ReplayBody;
  count: number;
}

/**
 * What one agent did in one session: its budget, its dry runs, and what is its own to undo. Spending comes before the call, so
 * that calls at the same time share one budget; a call that fails stays spent.
 */
export class AgentSession {
  readonly id = randomUUID();
  private readonly left: Budget;
  private readonly previews = new Map<string, Preview>();
  private readonly operations = new Set<string>();
  /** Reasons of pauses by queue. */
  private readonly pauses = new Map<string, string>();

  constructor(budget: Budget) {
    this.left = { ...budget };
  }

  get remaining(): Budget {
    return { ...this.left };
  }

  /** @throws NotAllowed beyond the budget; nothing is spent then */
  spend(jobs: number): void {
    if (this.left.changes < 1) throw new NotAllowed('The budget of this session is used up: a person has to go on');
    if (this.left.jobs < jobs)
      throw new NotAllowed(
        `The budget of this session allows ${this.left.jobs} more jobs, not ${Number.isFinite(jobs) ? jobs : 'so many'}: narrow the filter`,
      );
    this.left.changes--;
    this.left.jobs -= jobs;
  }

  /** @returns the id by which the act names its dry run */
  keepPreview(preview: Preview): string {
    const id = randomUUID();
    this.previews.set(id, preview);
    return id;
  }

  /** The dry run of an act, which uses it up. @throws NotAllowed */
  takePreview(id: string): Preview {
    const preview = this.previews.get(id);
    if (!preview) throw new NotAllowed('There is no such dry run, or it was used: call preview_replay first');
    this.previews.delete(id);
    return preview;
  }

  beganOperation(id: string): void {
    this.operations.add(id);
  }

  /** @throws NotAllowed for an operation of somebody else */
  requireOwnOperation(id: string): void {
    if (!this.operations.has(id))
      throw new NotAllowed('This session did not begin this operation: a person has to cancel it');
  }

  /** The reason under which this session pauses a queue. It tells the pause from those of others. */
  pauseReason(queue: string, reason: string): string {
    const text = `${reason} (agent session ${this.id})`;
    this.pauses.set(queue, text);
    return text;
  }

  /** @throws NotAllowed for a pause of somebody else */
  requireOwnPause(queue: string, reason: string | null | undefined): void {
    if (reason == null || this.pauses.get(queue) !== reason)
      throw new NotAllowed('This session did not pause this queue: a person has to resume it');
  }
}
