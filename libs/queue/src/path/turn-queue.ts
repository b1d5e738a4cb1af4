/** First in, first out per party; parties take turns (BX-03). All operations in constant time. */
export class TurnQueue<T> {
  private readonly parties = new Map<string, { items: T[]; head: number }>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(party: string, item: T): void {
    const line = this.parties.get(party);
    if (line) line.items.push(item);
    else this.parties.set(party, { items: [item], head: 0 });
    this.count++;
  }

  /** The item that `take` would return. */
  peek(): T | undefined {
    const next = this.parties.values().next();
    return next.done ? undefined : next.value.items[next.value.head];
  }

  /** Takes the first item of the party whose turn it is; the party goes to the end of the round. */
  take(): T | undefined {
    const next = this.parties.entries().next();
    if (next.done) return undefined;
    const [party, line] = next.value;
    const item = line.items[line.head++];
    this.parties.delete(party);
    if (line.head < line.items.length) {
      // Taken items are cut off now and then, so that a long line does not keep them alive.
      if (line.head > 1024) {
        line.items.splice(0, line.head);
        line.head = 0;
      }
      this.parties.set(party, line);
    }
    this.count--;
    return item;
  }
}
