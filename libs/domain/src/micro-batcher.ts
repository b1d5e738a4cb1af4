/** Collects the items of one turn of the event loop into a batch: under load batches grow, and a single item does not wait for others. */
export class MicroBatcher<T> {
  private pending: T[] = [];

  /** @param process called in the asynchronous context of the first item; must not throw */
  constructor(private readonly process: (batch: T[]) => void) {}

  add(item: T): void {
    if (this.pending.length === 0) setImmediate(() => this.flush());
    this.pending.push(item);
  }

  /** Processes pending items at once. */
  flush(): void {
    if (this.pending.length === 0) return;
    const batch = this.pending;
    this.pending = [];
    this.process(batch);
  }
}
