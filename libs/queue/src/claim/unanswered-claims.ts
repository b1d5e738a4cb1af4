import { randomUUID } from 'node:crypto';
import { type ClaimRef, type Command, type CommandOf, systemActor } from '@spooled/contracts';
import type { Clock, Timer } from '@spooled/domain';
import { byOrganization } from '../step/batch-step.js';

/** Delay between releases of a claim; the lost transaction may still commit after the first one. */
const retryMs = 1000;
const releasesPerClaim = 3;
/** Longest pause while PostgreSQL is unavailable. */
const maxPauseMs = 15_000;
/** More than a process can have in flight; leases of claims beyond it expire. */
const maxClaims = 10_000;

type Claim = CommandOf<'job.claim'>;
type Release = CommandOf<'job.release'>;

/**
 * Claims that were answered with 503 because PostgreSQL was unreachable, or with nothing because Redis or the engines were, and whose
 * transaction may have committed or still commit.
 * Their leases are released as soon as PostgreSQL is back, so that no attempt is lost for a job that no worker
 * received.
 */
export class UnansweredClaims {
  /** By command id, with the number of releases still to succeed. */
  private readonly claims = new Map<string, { claim: Claim; releasesLeft: number }>();
  private timer: Timer | undefined;
  private releasing: Promise<void> | undefined;
  private closed = false;
  private pauseMs = retryMs;

  /** @param release resolves with whether the command succeeded; must not reject */
  constructor(
    private readonly clock: Clock,
    private readonly release: (command: Command) => Promise<boolean>,
  ) {}

  /** Adds the claims among the commands. */
  add(commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.kind !== 'job.claim' || this.claims.size >= maxClaims) continue;
      this.claims.set(command.id, { claim: command, releasesLeft: releasesPerClaim });
    }
    this.schedule();
  }

  /** Releases the rest a second time; afterwards nothing runs. Leases that PostgreSQL could not release expire. */
  async close(): Promise<void> {
    this.closed = true;
    this.timer?.cancel();
    await this.releasing;
    await this.releaseAll();
  }

  private schedule(): void {
    if (this.closed || this.timer || this.claims.size === 0) return;
    this.timer = this.clock.after(this.pauseMs, () => void (this.releasing = this.releaseAll())).unref();
  }

  /**
   * One organization after the other, up to the first failure: while PostgreSQL is away, the others would fail as well. In case that only
   * this one cannot be served, it is the last one of the next round.
   */
  private async releaseAll(): Promise<void> {
    this.pauseMs = Math.min(this.pauseMs * 2, maxPauseMs);
    for (const command of releasesOf([...this.claims.values()].map(({ claim }) => claim))) {
      const ids = command.body.claims!.map(({ claimId }) => claimId);
      if (!(await this.release(command))) {
        ids.forEach((id) => this.putLast(id));
        break;
      }
      this.pauseMs = retryMs;
      ids.forEach((id) => this.recordRelease(id));
    }
    this.timer = undefined;
    this.schedule();
  }

  private recordRelease(claimId: string): void {
    const entry = this.claims.get(claimId)!;
    if (--entry.releasesLeft === 0) this.claims.delete(claimId);
  }

  private putLast(claimId: string): void {
    const entry = this.claims.get(claimId)!;
    this.claims.delete(claimId);
    this.claims.set(claimId, entry);
  }
}

/** One command per organization, in the order of their first claims, that releases all leases of these claims and fences the claims off. */
export const releasesOf = (claims: readonly Claim[]): Release[] =>
  [...Map.groupBy(claims, byOrganization)].map(([organizationId, own]) => ({
    id: randomUUID(),
    kind: 'job.release',
    organizationId,
    ttlMs: own[0]!.ttlMs,
    traceparent: null,
    actor: systemActor('unanswered-claim'),
    body: { leases: [], claims: own.map(claimRef) },
  }));

const claimRef = ({ id, delivery, body: { queueName, workerId } }: Claim): ClaimRef => ({
  claimId: id,
  queueName,
  workerId,
  delivery,
});
