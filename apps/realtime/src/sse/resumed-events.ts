import type { LiveEvent } from '../streams/live-event.js';

/** Orders missed events before live ones: live events are buffered until the missed ones are sent, and none is sent twice. */
export class ResumedEvents {
  private buffered: LiveEvent[] | null = [];

  constructor(private readonly send: (event: LiveEvent) => void) {}

  /** Adds a live event. */
  readonly add = (event: LiveEvent): void => {
    if (this.buffered) this.buffered.push(event);
    else this.send(event);
  };

  /** Sends the missed events, then the buffered ones, and from then on each event at once. */
  async replay(missed: Promise<LiveEvent[]>): Promise<void> {
    const sent = new Set<string | undefined>();
    for (const event of await missed) {
      this.send(event);
      sent.add(event.id);
    }
    const buffered = this.buffered ?? [];
    this.buffered = null;
    for (const event of buffered) if (event.id === undefined || !sent.has(event.id)) this.send(event);
  }
}
