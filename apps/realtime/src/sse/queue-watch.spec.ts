import { jest } from '@jest/globals';
import type { Database } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import { QueueWatch } from './queue-watch.service.js';
import type { SseStream } from './sse-stream.js';

describe('the statistics of a watched queue', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('BX-03 are not counted again while PostgreSQL has not answered', async () => {
    const counts: ((error: Error) => void)[] = [];
    const database = { withTenant: () => new Promise((_, reject) => counts.push(reject)) } as unknown as Database;
    const watch = new QueueWatch(database, { warn: () => undefined } as unknown as AppLogger);
    let end = (): void => undefined;
    const stream = {
      caller: { organizationId: 'a', queues: null },
      onEnded: (listener: () => void) => (end = listener),
    };
    watch.follow(stream as unknown as SseStream, 'emails');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(counts).toHaveLength(1);
    counts[0]!(new Error('too late'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(counts).toHaveLength(2);
    end();
  });
});
