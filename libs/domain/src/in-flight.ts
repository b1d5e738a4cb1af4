/** Tracks work in progress, so that a shutdown can wait until all of it has settled. */
export class InFlight {
  private readonly work = new Set<Promise<unknown>>();

  /** Returns `work`, which counts until it has settled. */
  track<T>(work: Promise<T>): Promise<T> {
    this.work.add(work);
    const done = () => void this.work.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when nothing is in flight, including what starts in the meantime. Never rejects. */
  async idle(): Promise<void> {
    while (this.work.size > 0) await Promise.allSettled(this.work);
  }
}
