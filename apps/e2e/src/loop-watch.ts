import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

export interface LoopReport {
  service: string;
  /** CPU time of the longest event loop turn since the last report. */
  longestMs: number;
  /** Memory used by JavaScript objects and buffers. */
  usedMb: number;
}

/** Measures the event loops of the services of a stack with one process of each. */
export class LoopWatch {
  private readonly dir = mkdtempSync(join(tmpdir(), 'spooled-loop-'));

  /** Environment to start the stack with. */
  get env(): NodeJS.ProcessEnv {
    const script = pathToFileURL(resolve('apps/e2e/src/loop-watch.fixture.mjs')).href;
    return { NODE_OPTIONS: `--import=${script}`, LOOP_WATCH_DIR: this.dir };
  }

  /** One report per service. */
  reports(): Promise<LoopReport[]> {
    return this.request('loop');
  }

  /** Like `reports`, after a garbage collection. That collection counts in the next report. */
  memory(): Promise<LoopReport[]> {
    return this.request('memory');
  }

  close(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  private request(what: string): Promise<LoopReport[]> {
    // Each service has a socket of its name.
    const reports = readdirSync(this.dir).map(async (service): Promise<LoopReport> => {
      const client = connect(join(this.dir, service));
      client.write(what);
      return { service, ...(JSON.parse(await text(client)) as Omit<LoopReport, 'service'>) };
    });
    return Promise.all(reports);
  }
}
