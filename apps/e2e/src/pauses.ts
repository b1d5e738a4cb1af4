import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@spooled/testing';

/** Longer and shorter than the two seconds after which an engine without heartbeats counts as dead. */
const pauseMs = { from: 300, to: 3_500 };
const runMs = { from: 300, to: 1_500 };

/** Pauses and resumes an engine at random times until `stop`. */
export class RandomPauses {
  /** Number of pauses so far. */
  count = 0;
  private stopping = false;
  private readonly loop: Promise<void>;

  constructor(
    private readonly stack: Stack,
    private readonly engine = 0,
  ) {
    this.loop = this.run();
  }

  /** Stops pausing. Resolves when the engine runs again. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.stack.pause('engine', this.engine);
      this.count++;
      try {
        await this.sleep(pauseMs);
      } finally {
        this.stack.resume('engine', this.engine);
      }
      await this.sleep(runMs);
    }
  }

  private async sleep({ from, to }: { from: number; to: number }): Promise<void> {
    const end = performance.now() + from + Math.random() * (to - from);
    while (performance.now() < end && !this.stopping) await sleep(50);
  }
}
