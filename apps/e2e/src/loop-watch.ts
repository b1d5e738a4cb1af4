import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

export interface LoopReport {
  service: string;
  /** Processor time of the longest turn of the event loop since the last report. */
  longestMs: number;
  /** Memory in use by JavaScript and its buffers. */
  usedMb: number;
}

/** Watches the event loops of these services in a stack that has one process of each. */
export class LoopWatch {
  private readonly dir = mkdtempSync(join(tmpdir(), 'spooled-loop-'));

  constructor(private readonly services: readonly string[]) {}

  /** What to start the stack with. */
  get env(): NodeJS.ProcessEnv {
    const script = pathToFileURL(resolve('apps/e2e/src/loop-watch.fixture.mjs')).href;
    return { NODE_OPTIONS: `--import=${script}`, LOOP_WATCH_DIR: this.dir };
  }

  /** Of each service. */
  reports(): Promise<LoopReport[]> {
    return this.ask('loop');
  }

  /** As `reports`, after a collection of garbage, which counts for the next report. */
  memory(): Promise<LoopReport[]> {
    return this.ask('memory');
  }

  close(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  private ask(what: string): Promise<LoopReport[]> {
    const reports = this.services.map(async (service): Promise<LoopReport> => {
      const client = connect(join(this.dir, service));
      client.write(what);
      return { service, ...(JSON.parse(await text(client)) as Omit<LoopReport, 'service'>) };
    });
    return Promise.all(reports);
  }
}
