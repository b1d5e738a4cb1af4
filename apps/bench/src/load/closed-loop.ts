import type { Window } from '../measure/window.js';
import { type HttpResponse, HttpConnection } from './http-connection.js';

export interface Protocol {
  baseUrl: string;
  apiKey: string;
}

/**
 * `connections` callers, each of whom asks again as soon as the answer is there.
 *
 * @param ask - one operation; an answer of 400 or above counts as failed. Undefined = nothing is left to do, which ends
 *   the window
 * @param operations - how many operations a good answer stands for
 */
export async function closedLoop(
  { baseUrl, apiKey }: Protocol,
  window: Window,
  connections: number,
  ask: (lane: HttpConnection) => Promise<HttpResponse> | undefined,
  operations: (answer: HttpResponse) => number = () => 1,
): Promise<void> {
  const call = async (lane: HttpConnection): Promise<boolean> => {
    const startedAt = performance.now();
    const asked = ask(lane);
    if (!asked) {
      window.close();
      return false;
    }
    const answer = await asked.catch((error: Error) => error);
    if (answer instanceof Error) window.fail(answer.message);
    else if (answer.status >= 400) window.fail(`${answer.status} ${answer.body.slice(0, 120)}`);
    else window.count(startedAt, operations(answer));
    return true;
  };
  await withLanes(baseUrl, apiKey, connections, async (lane) => {
    while (!window.over && (await call(lane)));
  });
}

/** Runs `work` on each of so many connections side by side, and closes them. */
export async function withLanes(
  baseUrl: string,
  apiKey: string,
  connections: number,
  work: (lane: HttpConnection, index: number) => Promise<void>,
): Promise<void> {
  const lanes = Array.from({ length: connections }, () => new HttpConnection(baseUrl, apiKey));
  try {
    await Promise.all(lanes.map(work));
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}
