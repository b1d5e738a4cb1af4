import { randomUUID } from 'node:crypto';
import type { Body } from '@spooled/sdk';
import { type Budget, NotAllowed, type Allowance } from './allowance.js';

export type ReplayBody = Omit<Body<'POST /api/v1/jobs/dlq/replays'>, 'dryRun'>;

export interface Preview {
  body: ReplayBody;
  count: number;
}

/** Dry runs that a session keeps; the oldest one is forgotten first. */
const mostPreviews = 100;

/** What one agent did in one session: its dry runs, and what is its own to undo. What it may change is its allowance. */
export class AgentSession {
  readonly id = randomUUID();
  private readonly previews = new Map<string, Preview>();
  /** Operations and throttles, by their ids. */
  private readonly begun = new Set<string>();
  /** Reasons of pauses by queue. */
  private readonly pauses = new Map<string, string>();

  /** @param allowance is asked before each change, because it may be renewed */
  constructor(private readonly allowance: () => Allowance) {}

  get remaining(): Budget {
    return this.allowance().remaining;
  }

  /** @throws NotAllowed beyond the budget; nothing is spent then */
  spend(jobs: number): void {
    this.allowance().spend(jobs);
  }

  /** @returns the id by which the act names its dry run */
  keepPreview(preview: Preview): string {
    const id = randomUUID();
    this.previews.set(id, preview);
    if (this.previews.size > mostPreviews) this.previews.delete(this.previews.keys().next().value!);
    return id;
  }

  /** The dry run of an act, which uses it up. @throws NotAllowed */
  takePreview(id: string): Preview {
    const preview = this.previews.get(id);
    if (!preview) throw new NotAllowed('There is no such dry run, or it was used: call preview_replay first');
    this.previews.delete(id);
    return preview;
  }

  /** @param id of an operation or a throttle */
  began(id: string): void {
    this.begun.add(id);
  }

  /** @throws NotAllowed saying `problem` for what somebody else began */
  requireOwn(id: string, problem: string): void {
    if (!this.begun.has(id)) throw new NotAllowed(problem);
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
