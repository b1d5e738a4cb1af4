import { within } from '../lifecycle/within.js';
import type { AppLogger } from '../log/logger.js';

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy';

export interface HealthReport {
  /** `unhealthy` = a critical check fails; `degraded` = only others fail. */
  status: HealthStatus;
  checks: Record<string, boolean>;
}

interface Check {
  run: () => Promise<void>;
  critical: boolean;
}

const checkLimitMs = 2_000;
const cacheMs = 1_000;

/** Checks the dependencies of this process. Results are cached for one second, because probes may be frequent. */
export class HealthChecks {
  /** True until all parts of the service have started. */
  starting = false;
  /** True from the start of the shutdown. */
  draining = false;
  private readonly checks = new Map<string, Check>();
  private cached?: { at: number; report: Promise<HealthReport> };
  private last: Record<string, boolean> = {};

  constructor(private readonly logger?: Pick<AppLogger, 'warn' | 'info'>) {}

  /** `check` resolves if the dependency works and rejects otherwise; it fails after 2 s. */
  register(name: string, check: () => Promise<void>, { critical }: { critical: boolean }): void {
    this.checks.set(name, { run: check, critical });
    this.cached = undefined;
  }

  /** Never rejects. Concurrent callers share one run of the checks. */
  report(): Promise<HealthReport> {
    const now = performance.now();
    if (!this.cached || now - this.cached.at > cacheMs) this.cached = { at: now, report: this.checkAll() };
    return this.cached.report;
  }

  /** Whether the process accepts new requests, not counting the checks named in `excluded`. */
  async ready(excluded: readonly string[] = []): Promise<boolean> {
    if (this.starting || this.draining) return false;
    const { checks } = await this.report();
    return [...this.checks].every(([name, { critical }]) => !critical || checks[name] || excluded.includes(name));
  }

  private async checkAll(): Promise<HealthReport> {
    const entries = [...this.checks];
    const results = await Promise.all(entries.map(async ([name, check]) => this.checkOne(name, check)));
    const failing = entries.filter((_, i) => !results[i]);
    const status = failing.some(([, { critical }]) => critical) ? 'unhealthy' : 'degraded';
    return {
      status: failing.length === 0 ? 'healthy' : status,
      checks: Object.fromEntries(entries.map(([name], i) => [name, results[i] === true])),
    };
  }

  private async checkOne(name: string, { run }: Check): Promise<boolean> {
    try {
      await within(checkLimitMs, run);
      this.note(name, true);
      return true;
    } catch (error) {
      this.note(name, false, error);
      return false;
    }
  }

  /** Logs once when a dependency fails and once when it recovers, not per probe, and not before the first success. */
  private note(name: string, works: boolean, error?: unknown): void {
    if (this.starting && !works) return;
    const worked = this.last[name] ?? true;
    this.last[name] = works;
    if (worked && !works)
      this.logger?.warn(
        { dependency: name, reason: error instanceof Error ? error.message : String(error) },
        `${name} does not answer`,
      );
    if (!worked && works) this.logger?.info({ dependency: name }, `${name} answers again`);
  }
}
