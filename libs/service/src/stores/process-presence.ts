import { hostname } from 'node:os';
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
  private timer: NodeJS.Timeout;
  private current: Promise<void> = Promise.resolve();
  private isReported = false;

  constructor(
    private readonly database: Database,
    private readonly service: Pick<ServiceContext, 'name' | 'version' | 'logger'>,
  ) {
    this.timer = this.after(firstMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await within(stopMs, () => this.end()).catch(() => undefined);
  }

  private async end(): Promise<void> {
    await this.current;
    clearTimeout(this.timer);
    if (this.isReported) await endProcess(this.database, this.id);
  }

  private after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.current = this.report();
      this.timer = this.after(intervalMs);
    }, ms).unref();
  }

  /** Never rejects: the row counts as alive for as long as two reports may be missing. */
  private async report(): Promise<void> {
    const { name, version, logger } = this.service;
    try {
      await reportProcess(this.database, { id: this.id, service: name, version, host: hostname() });
      this.isReported = true;
    } catch (err) {
      logger.debug({ err }, 'failed to update service heartbeat');
    }
  }
}
