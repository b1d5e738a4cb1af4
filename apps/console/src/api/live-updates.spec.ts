import { jest } from '@jest/globals';
import { type HttpClient, NotFoundError } from '@spooled/sdk/browser';
import { LiveUpdates, type Topic } from './live-updates';

/** A server with one open stream of events. */
class Server {
  private readonly stream = new TransformStream<Uint8Array<ArrayBuffer>>();
  private readonly writer = this.stream.writable.getWriter();
  readonly opened: string[] = [];
  refuses = false;
  readonly http = {
    settings: { largeIntegers: 'bigint' },
    open: (path: string) => {
      this.opened.push(path);
      if (this.refuses) return Promise.reject(new NotFoundError('The server responded with 404', 404, 'UNKNOWN_ERROR'));
      return Promise.resolve(new Response(this.stream.readable));
    },
  } as unknown as HttpClient;

  async createJobs(count: number): Promise<void> {
    const data = { job_id: 'a', queue_name: 'emails', priority: 0, timestamp: '2030-01-01T00:00:00Z' };
    const message = new TextEncoder().encode(`data: ${JSON.stringify({ type: 'JobCreated', data })}\n\n`);
    for (let sent = 0; sent < count; sent++) await this.writer.write(message);
  }
}

describe('live updates', () => {
  // Streams need what is not a timer.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('name the topics that have changed once per second, however many events arrive', async () => {
    const server = new Server();
    const changes: Topic[][] = [];
    const live = new LiveUpdates(server.http, (topics) => void changes.push([...topics].sort()));
    const opened = new Promise<void>((resolve) => live.subscribe(resolve));
    let observed = 0;
    let reached = (_count: number): void => undefined;
    live.observe(() => reached(++observed));
    const receive = async (count: number): Promise<void> => {
      const all = new Promise<void>((resolve) => (reached = (seen) => seen === count && resolve()));
      await server.createJobs(count - observed);
      await all;
    };
    live.open();
    await opened;
    expect(live.state.status).toBe('open');
    // One by one they would take the page half as much again at 500 per second.
    expect(server.opened).toEqual([expect.stringContaining('gather_ms=100&')]);
    // What was missed before the stream was open.
    jest.advanceTimersByTime(1_000);
    expect(changes.splice(0)).toEqual([['jobs', 'queues', 'schedules', 'workers', 'workflows']]);

    await receive(500);
    jest.advanceTimersByTime(999);
    expect(changes).toEqual([]);
    await receive(1_000);
    jest.advanceTimersByTime(1);
    expect(changes.splice(0)).toEqual([['jobs', 'queues']]);
    jest.advanceTimersByTime(10_000);
    expect(changes).toEqual([]);
    live.close();
  });

  it('are asked for again after a refusal, such as of a proxy whose server is being replaced', async () => {
    const server = new Server();
    server.refuses = true;
    const live = new LiveUpdates(server.http, () => undefined);
    const become = (status: string) =>
      new Promise<void>((resolve) => live.subscribe(() => live.state.status === status && resolve()));
    const away = become('away');
    live.open();
    await away;
    server.refuses = false;
    const open = become('open');
    jest.advanceTimersByTime(30_000);
    await open;
    expect(server.opened).toHaveLength(2);

    live.close();
    server.refuses = true;
    const refused = become('away');
    live.open();
    await refused;
    live.close();
    jest.advanceTimersByTime(30_000);
    expect(server.opened).toHaveLength(3);
  });
});
