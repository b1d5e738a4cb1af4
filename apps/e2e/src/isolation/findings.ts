/** What was tried, by kind, and what came out that must not. */
export class Findings {
  readonly cases = new Map<string, number>();
  readonly leaks: string[] = [];

  count(kind: string, cases = 1): void {
    this.cases.set(kind, (this.cases.get(kind) ?? 0) + cases);
  }

  leak(what: string): void {
    // The same hole shows in many cases.
    if (!this.leaks.includes(what)) this.leaks.push(what);
  }

  get total(): number {
    return [...this.cases.values()].reduce((sum, cases) => sum + cases, 0);
  }
}

/** The organization whose data must not appear or change. */
export interface Victim {
  organizationId: string;
  /** Texts that occur in its data and in nothing that is sent. */
  marks: readonly string[];
  ids: Readonly<Record<string, readonly string[]>>;
  /** Name of its queue and its worker; the attacker may know it. */
  name: string;
}

/** The first of these marks that a text has. */
export const markIn = (text: string, { marks }: Pick<Victim, 'marks'>): string | undefined =>
  marks.find((mark) => text.includes(mark));
