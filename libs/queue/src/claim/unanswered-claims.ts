import { randomUUID } from 'node:crypto';
import type { ClaimRef, Command, CommandOf } from '@spooled/contracts';
import { byOrganization, inGroups } from '../step/batch-step.js';

/** How long after a failure the claims are released, and again after it has worked: the lost transaction may commit in between. */
const retryMs = 1000;
const passes = 3;
/** The longest pause while PostgreSQL stays away. */
const longestRetryMs = 15_000;
/** More than a process can have in flight; leases beyond it will expire. */
const maxClaims = 10_000;

type Claim = CommandOf<'job.claim'>;
type Release = CommandOf<'job.release'>;

/**
 * Claims that were answered with 503 because PostgreSQL could not be reached, and whose transaction may have committed all the same:
 * what they granted is given back as soon as PostgreSQL answers, so that no attempt is lost for a job that no worker received.
 */
export class UnansweredClaims {
  /** Each with the number of releases that have yet to work. */
  private readonly claims = new Map<string, { claim: Claim; left: number }>();
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = retryMs;

  /** @param release resolves with whether the command has worked; must not reject */
  constructor(private readonly release: (command: Command) => Promise<boolean>) {}

  /** Takes those of the commands that are claims. */
  add(commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.kind !== 'job.claim' || this.claims.size >= maxClaims) continue;
      this.claims.set(command.id, { claim: command, left: passes });
    }
    this.plan();
  }

  private plan(): void {
    if (this.timer || this.claims.size === 0) return;
    this.timer = setTimeout(() => void this.releaseAll(), this.pauseMs).unref();
  }

  /** One organization after the other, and no further than to the first that fails: the others would fail as well. */
  private async releaseAll(): Promise<void> {
    this.pauseMs = Math.min(this.pauseMs * 2, longestRetryMs);
    for (const command of releasesOf([...this.claims.values()].map(({ claim }) => claim))) {
      if (!(await this.release(command))) break;
      this.pauseMs = retryMs;
      for (const { claimId } of command.body.claims!) this.noteReleased(claimId);
    }
    this.timer = undefined;
    this.plan();
  }

  private noteReleased(claimId: string): void {
    const entry = this.claims.get(claimId)!;
    if (--entry.left === 0) this.claims.delete(claimId);
  }
}

/** One command for each organization that gives back whatever these claims were granted, and keeps them from being granted more. */
export const releasesOf = (claims: readonly Claim[]): Release[] =>
  inGroups([...claims], byOrganization).map(({ first, members }) => ({
    id: randomUUID(),
    kind: 'job.release',
    organizationId: first.organizationId,
    ttlMs: first.ttlMs,
    traceparent: null,
    body: { leases: [], claims: members.map(({ command }) => claimRef(command)) },
  }));

const claimRef = ({ id, body: { queueName, workerId } }: Claim): ClaimRef => ({ claimId: id, queueName, workerId });
