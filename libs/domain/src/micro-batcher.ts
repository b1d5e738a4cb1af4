/**
 * Gathers the items of one turn of the event loop and hands them on together: under load batches grow by themselves, and an
 * item that comes alone does not wait.
 */
export class MicroBatcher<T> {
  private pending: T[] = [];

  /** @param process called in the asynchronous context of the first item; must not throw */
  constructor(private readonly process: (batch: T[]) => void) {}

  add(item: T): void {
    if (this.pending.length === 0) setImmediate(() => this.flush());
    this.pending.push(item);
  }

  /** Hands on at once what is pending. */
  flush(): void {
    if (this.pending.length === 0) return;
    const batch = this.pending;
    this.pending = [];
    this.process(batch);
  }
}
