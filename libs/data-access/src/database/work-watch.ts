/** Knows whether the transactions of this process get answers, from when they begin and end. */
export class WorkWatch {
  private inProgress = 0;
  private since = 0;

  /** @returns the function that notes its end; `answered`: PostgreSQL committed or refused it */
  begin(): (answered: boolean) => void {
    if (this.inProgress++ === 0) this.since = performance.now();
    return (answered) => {
      this.inProgress--;
      if (answered) this.since = performance.now();
    };
  }

  /** How long transactions have been in progress of which none was answered, in milliseconds; 0 when there are none. */
  get stalledMs(): number {
    return this.inProgress > 0 ? performance.now() - this.since : 0;
  }
}
