import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

export interface LoopReport {
  /** Processor time of the longest turn of the event loop since the last report. */
  longestMs: number;
  /** Memory in use by JavaScript and its buffers. */
  usedMb: number;
}

/** Watches the event loop of one kind of service in a stack that has one process of it. */
export class LoopWatch {
  private readonly socket = join(mkdtempSync(join(tmpdir(), 'spooled-loop-')), 'watch');

  constructor(private readonly service: string) {}

  /** What to start the stack with. */
  get env(): NodeJS.ProcessEnv {
    const script = pathToFileURL(resolve('apps/e2e/src/loop-watch.fixture.mjs')).href;
    return { NODE_OPTIONS: `--import=${script}`, LOOP_WATCH_SOCKET: this.socket, LOOP_WATCH_SERVICE: this.service };
  }

  report(): Promise<LoopReport> {
    return this.ask('loop');
  }

  /** As `report`, after a collection of garbage, which counts for the next report. */
  memory(): Promise<LoopReport> {
    return this.ask('memory');
  }

  close(): void {
    rmSync(dirname(this.socket), { recursive: true, force: true });
  }

  private async ask(what: string): Promise<LoopReport> {
    const client = connect(this.socket);
    client.write(what);
    return JSON.parse(await text(client)) as LoopReport;
  }
}
