import type { LiveEvent } from '../streams/live-event.js';

/** Puts what a client has missed before what happens now: live events wait until the missed ones are sent, and none is sent twice. */
export class ResumedReading {
  private waiting: LiveEvent[] | null = [];

  constructor(private readonly send: (event: LiveEvent) => void) {}

  /** Takes an event as it happens. */
  readonly live = (event: LiveEvent): void => {
    if (this.waiting) this.waiting.push(event);
    else this.send(event);
  };

  /** Sends what was missed, then what came meanwhile, and from then on each event at once. */
  async begin(missed: Promise<LiveEvent[]>): Promise<void> {
    const sent = new Set<string | undefined>();
    for (const event of await missed) {
      this.send(event);
      sent.add(event.id);
    }
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const event of waiting) if (event.id === undefined || !sent.has(event.id)) this.send(event);
  }
}
