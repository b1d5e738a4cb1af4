/** Sends one value at a time. Of the values that are given meanwhile, only the newest is sent. */
export class LatestReport<T> {
  private sending: Promise<void> | undefined;
  private next: { value: T; sent: Promise<void> } | undefined;

  constructor(private readonly send: (value: T) => Promise<void>) {}

  /** Settles when this value, or a newer one, was sent. */
  report(value: T): Promise<void> {
    if (this.next) {
      this.next.value = value;
      return this.next.sent;
    }
    if (!this.sending) return this.start(value);
    const sent = this.sending.catch(() => undefined).then(() => this.startNext());
    this.next = { value, sent };
    return sent;
  }

  private startNext(): Promise<void> {
    const { value } = this.next!;
    this.next = undefined;
    return this.start(value);
  }

  private start(value: T): Promise<void> {
    const sending = this.send(value).finally(() => {
      if (this.sending === sending) this.sending = undefined;
    });
    this.sending = sending;
    return sending;
  }
}
