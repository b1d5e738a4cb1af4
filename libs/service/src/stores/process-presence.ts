import { hostname } from 'node:os';
import { systemClock } from '@spooled/clock';
import type { Clock, Timer } from '@spooled/domain';
import { type Database, endProcess, reportProcess } from '@spooled/data-access';
import { newId, type ServiceContext, within } from '@spooled/platform';

const intervalMs = 15_000;
/** Processes that stop at once need no row. */
const firstMs = 1_000;
/** A shutdown waits no longer for the deletion of the row. */
const stopMs = 1_000;

/** Shows administrators that this process runs, by a row that it renews and deletes when it stops. Best effort. */
export class ProcessPresence {
  private readonly id = newId();
  private timer: Timer;
  private current: Promise<void> = Promise.resolve();
  private isReported = false;

  constructor(
    private readonly database: Database,
    private readonly service: Pick<ServiceContext, 'name' | 'version' | 'logger'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.timer = this.after(firstMs);
  }

  async stop(): Promise<void> {
    this.timer.cancel();
    await within(stopMs, () => this.end()).catch(() => undefined);
  }

  private async end(): Promise<void> {
    await this.current;
    this.timer.cancel();
    if (this.isReported) await this.database.asSystem('end a process', (tx) => tx.run(endProcess, { id: this.id }));
  }

  private after(ms: number): Timer {
    const run = () => {
      this.current = this.report();
      this.timer = this.after(intervalMs);
    };
    return this.clock.after(ms, run).unref();
  }

  /** Never rejects: the row counts as alive for as long as two reports may be missing. */
  private async report(): Promise<void> {
    const { name, version, logger } = this.service;
    try {
      const process = { id: this.id, service: name, version, host: hostname() };
      await this.database.asSystem('report a process', (tx) => tx.run(reportProcess, process));
      this.isReported = true;
    } catch (err) {
      logger.debug({ err }, 'failed to update service heartbeat');
    }
  }
}
