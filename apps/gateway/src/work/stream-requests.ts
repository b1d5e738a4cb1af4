import { Injectable } from '@nestjs/common';
import { FairQueue, type ShareOwner, TenantShares } from '@spooled/domain';

/** Sixteen streams with as many requests in flight as one may have. Fewer than the commands that a gateway may have in flight. */
const maxInFlight = 4_096;
/** Free requests needed to resume paused streams, so that one response does not wake all of them. */
const resumeAt = 16;

/**
 * The requests of ProcessJobs streams in flight, shared by organizations (BX-03). Streams of an organization that has its share are not
 * read until some of its requests have ended; then they are served in turn.
 */
@Injectable()
export class StreamRequests {
  private readonly shares = new TenantShares(maxInFlight);
  private readonly paused = new FairQueue<{ owner: ShareOwner; resume: () => void }>();

  hasCapacity({ name, weight }: ShareOwner): boolean {
    return this.shares.available(name, weight) >= 1;
  }

  /** Counts a request, which its stream has received already. */
  begin({ name }: ShareOwner): void {
    this.shares.take(name, 1);
  }

  end({ name }: ShareOwner): void {
    this.shares.release(name, 1);
    this.resumePaused();
  }

  /** Calls `resume` once, when the owner may have one more request in flight. */
  onceAvailable(owner: ShareOwner, resume: () => void): void {
    this.paused.push(owner.name, { owner, resume });
  }

  /** Resumes all that may have one more: a stream that is read again may have nothing to read. */
  private resumePaused(): void {
    for (;;) {
      const name = this.paused.nextAmong((one) => this.mayResume(this.paused.peek(one)!.owner));
      if (name === undefined) return;
      this.paused.take(name)!.resume();
    }
  }

  private mayResume({ name, weight }: ShareOwner): boolean {
    const free = this.shares.available(name, weight);
    return free >= resumeAt || (free >= 1 && this.shares.usedBy(name) === 0);
  }
}
