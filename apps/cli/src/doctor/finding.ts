import { problemSentence, type StoreProblem } from '@spooled/domain';

/** Longest wait for a server, in milliseconds. */
export const patienceMs = 5_000;

/** What a check found. A problem or a warning has a remedy. */
export interface Finding {
  /** What was checked, such as `PostgreSQL`. */
  check: string;
  status: 'ok' | 'skipped' | 'warning' | 'problem';
  finding: string;
  remedy: string | null;
}

/** Findings about one thing. */
export class Findings {
  readonly all: Finding[] = [];

  constructor(private readonly check: string) {}

  ok(finding: string): this {
    return this.add('ok', finding, null);
  }

  skipped(finding: string): this {
    return this.add('skipped', finding, null);
  }

  warning(finding: string, remedy: string): this {
    return this.add('warning', finding, remedy);
  }

  explain({ finding, remedy }: StoreProblem): this {
    return this.problem(finding, remedy);
  }

  problem(finding: string, remedy: string): this {
    return this.add('problem', finding, remedy);
  }

  private add(status: Finding['status'], finding: string, remedy: string | null): this {
    this.all.push({ check: this.check, status, finding, remedy });
    return this;
  }
}

export const sentence = ({ finding, remedy }: Finding): string =>
  remedy === null ? `${finding}.` : problemSentence({ finding, remedy });
