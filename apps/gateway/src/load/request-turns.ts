import { Injectable } from '@nestjs/common';
import { FairQueue } from '@spooled/domain';

/** Costs are in units of about a quarter of a millisecond of a core: a small request, or 4 KB of a body. */
const bytesPerUnit = 4_096;
/** Of all requests that begin in one turn of the event loop, to keep turns at a few milliseconds. */
const unitsPerTurn = 16;

interface WaitingRequest {
  units: number;
  begin: () => void;
}

/**
 * Lets requests begin in turns of the event loop, organizations round robin (BX-03). A flood arrives in one turn by the dozen; a request of
 * another organization that arrives during that turn begins in the next one, before the rest of the flood.
 */
@Injectable()
export class RequestTurns {
  private readonly waiting = new FairQueue<WaitingRequest>();
  private used = 0;
  private scheduled = false;

  /**
   * @param bytes of its body, as far as known
   * @returns null when the request may begin at once, otherwise a promise of its turn
   */
  enter(tenant: string, bytes: number): Promise<void> | null {
    const units = 1 + Math.floor(bytes / bytesPerUnit);
    this.schedule();
    if (this.used < unitsPerTurn && this.waiting.size === 0) {
      this.used += units;
      return null;
    }
    return new Promise((begin) => this.waiting.push(tenant, { units, begin }));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.used = 0;
      while (this.used < unitsPerTurn && this.waiting.size > 0) this.beginNext();
      if (this.waiting.size > 0) this.schedule();
    });
  }

  private beginNext(): void {
    const { units, begin } = this.waiting.take()!;
    this.used += units;
    begin();
  }
}
