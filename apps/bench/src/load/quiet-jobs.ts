import type { Window } from '../measure/window.js';
import type { Endpoint } from './closed-loop.js';
import { countRequest } from './http-connection.js';
import { openLoop } from './open-loop.js';
import { jobBody } from './payload.js';

export const quietPerSecond = 20;
/** The row that these jobs are measured in. */
export const quietRow = 'enqueue';

/** A tenant that creates few jobs, one by one, at fixed times; others are measured by what they do to it. */
export const quietJobs = (window: Window, { baseUrl, apiKey }: Endpoint, payloadBytes: number): Promise<void> =>
  openLoop({ baseUrl, apiKey }, window, quietPerSecond, async (connection, dueAt) => {
    const sent = connection.post('/api/v1/jobs', jobBody('bench-quiet', payloadBytes));
    await countRequest(sent, window, quietRow, dueAt);
  });
