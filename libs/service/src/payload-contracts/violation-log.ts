import { systemClock } from '@spooled/clock';
import { addContractViolations, type ContractViolation, type Database } from '@spooled/data-access';
import type { Clock, PayloadIssue, Timer } from '@spooled/domain';

/** After the first violation of a version, milliseconds: short, so that its owner sees it at once. */
const firstWriteMs = 250;
/** Between two writes for one version, milliseconds. */
const pauseMs = 10_000;
/** The newest violations that a write has. */
const maxSamples = 5;
/** Versions whose violations are collected at the same time. */
const maxVersions = 1_000;

interface Collected {
  organizationId: string;
  count: number;
  samples: (Omit<ContractViolation, 'ms_ago'> & { at: number })[];
  timer: Timer;
}

/**
 * Records payloads that violate a contract of mode `warn` for its owner (BX-09): how many, and the newest of them. Any number costs one
 * write per 10 s and version in each process. Best effort: what is pending is lost with the process, and while PostgreSQL is away.
 */
export class ViolationLog {
  /** By the id of the version. */
  private readonly versions = new Map<string, Collected>();
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly database: Pick<Database, 'withTenant'>,
    private readonly logger: { error(fields: object, what: string): void },
    private readonly clock: Clock = systemClock,
  ) {}

  /** Does not wait, and never throws. */
  record(organizationId: string, id: string, { path, reason }: PayloadIssue): void {
    const collected = this.collectedOf(organizationId, id);
    if (!collected) return;
    collected.count++;
    collected.samples.push({ path: storable(path), reason: storable(reason), at: this.clock.monotonic() });
    if (collected.samples.length > maxSamples) collected.samples.shift();
  }

  /** Writes what is pending. */
  async stop(): Promise<void> {
    for (const [id, collected] of this.versions) {
      collected.timer.cancel();
      this.write(id, collected);
    }
    this.versions.clear();
    await Promise.all(this.writing);
  }

  private collectedOf(organizationId: string, id: string): Collected | undefined {
    const known = this.versions.get(id);
    if (known || this.versions.size >= maxVersions) return known;
    const collected = { organizationId, count: 0, samples: [], timer: this.writeLater(id, firstWriteMs) };
    this.versions.set(id, collected);
    return collected;
  }

  private writeLater(id: string, afterMs: number): Timer {
    const run = () => {
      const collected = this.versions.get(id)!;
      if (collected.count === 0) return void this.versions.delete(id);
      this.write(id, collected);
      const { organizationId } = collected;
      this.versions.set(id, { organizationId, count: 0, samples: [], timer: this.writeLater(id, pauseMs) });
    };
    return this.clock.after(afterMs, run).unref();
  }

  private write(id: string, { organizationId, count, samples }: Collected): void {
    if (count === 0) return;
    const now = this.clock.monotonic();
    const newest = samples.map(({ at, ...sample }) => ({ ...sample, ms_ago: now - at })).reverse();
    const written = this.database
      .withTenant(organizationId, (tx) => addContractViolations(tx, id, { count, newest }))
      .catch((err: unknown) =>
        this.logger.error({ err, organizationId }, 'violations of a payload contract were not recorded'),
      )
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }
}

/** Names of members are part of these texts, and PostgreSQL refuses NUL and halves of surrogate pairs, with the whole write. */
const storable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
