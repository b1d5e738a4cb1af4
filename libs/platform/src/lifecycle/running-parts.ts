import type { AppLogger } from '../log/logger.js';

interface Part {
  name: string;
  stop: () => Promise<unknown> | void;
}

/** What has been started, so that it can be stopped the other way round. */
export class RunningParts {
  private readonly parts: Part[] = [];
  private current?: string;

  add(name: string, stop: Part['stop']): void {
    this.parts.push({ name, stop });
  }

  /** The part that is being stopped right now; names the culprit when time runs out. */
  get stoppingNow(): string | undefined {
    return this.current;
  }

  /** Stops one after the other. A part that fails to stop is logged and does not keep the others running. */
  async stopAll(logger: AppLogger): Promise<boolean> {
    let clean = true;
    for (let part = this.parts.pop(); part; part = this.parts.pop()) {
      this.current = part.name;
      logger.debug(`stopping ${part.name}`);
      try {
        await part.stop();
      } catch (err) {
        clean = false;
        logger.error({ err }, `${part.name} did not stop cleanly`);
      }
    }
    this.current = undefined;
    return clean;
  }
}
