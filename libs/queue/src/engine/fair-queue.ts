/** First in, first out per party; parties take turns (BX-03). All operations but `waiting` in constant time. */
export class FairQueue<T> {
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

  /** The party whose turn it is; undefined when nothing waits. */
  get turn(): string | undefined {
    return this.parties.keys().next().value;
  }

  /** The first of those parties whose turn it is that `accepts` names; as fast as `turn` when it is the first. */
  turnAmong(accepts: (party: string) => boolean): string | undefined {
    for (const party of this.parties.keys()) if (accepts(party)) return party;
    return undefined;
  }

  /** Those that wait, in the order of their turns. */
  waiting(): string[] {
    return [...this.parties.keys()];
  }

  /** The item that `take` would return. */
  peek(party = this.turn): T | undefined {
    const line = party === undefined ? undefined : this.parties.get(party);
    return line?.items[line.head];
  }

  /** Takes the first item of the party, by default of the one whose turn it is; the party goes to the end of the round. */
  take(party = this.turn): T | undefined {
    const line = party === undefined ? undefined : this.parties.get(party);
    if (party === undefined || !line) return undefined;
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
