import type { AppLogger } from '../log/logger.js';

interface Part {
  name: string;
  stop: () => Promise<unknown> | void;
}

/** The started parts of a service, which are stopped in reverse order. */
export class RunningParts {
  private readonly parts: Part[] = [];
  private current?: string;

  add(name: string, stop: Part['stop']): void {
    this.parts.push({ name, stop });
  }

  /** The part that is being stopped; shows which one hangs when the timeout expires. */
  get currentlyStopping(): string | undefined {
    return this.current;
  }

  /** Stops the parts one by one. A part that fails to stop is logged, and the others are still stopped. @returns false if one failed */
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
