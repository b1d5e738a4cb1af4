import type { Window } from '../measure/window.js';
import { accepted, type HttpResponse, HttpConnection } from './http-connection.js';

export interface Endpoint {
  baseUrl: string;
  apiKey: string;
}

/**
 * `connections` callers, each of which sends its next request after the response to the previous one.
 *
 * @param send - one request; a status of 400 or above counts as failed. Returns undefined when nothing is left to do, which
 *   closes the window
 * @param operations - number of operations in a successful response; default 1
 */
export async function closedLoop(
  { baseUrl, apiKey }: Endpoint,
  window: Window,
  connections: number,
  send: (connection: HttpConnection) => Promise<HttpResponse> | undefined,
  operations: (response: HttpResponse) => number = () => 1,
): Promise<void> {
  const call = async (connection: HttpConnection): Promise<boolean> => {
    const startedAt = performance.now();
    const pending = send(connection);
    if (!pending) {
      window.close();
      return false;
    }
    const response = await accepted(pending, window);
    if (response) window.count(startedAt, operations(response));
    return true;
  };
  await withConnections(baseUrl, apiKey, connections, async (connection) => {
    while (!window.over && (await call(connection)));
  });
}

/** Opens `count` connections, runs `work` on each concurrently, and closes them. */
export async function withConnections(
  baseUrl: string,
  apiKey: string,
  count: number,
  work: (connection: HttpConnection, index: number) => Promise<void>,
): Promise<void> {
  const connections = Array.from({ length: count }, () => new HttpConnection(baseUrl, apiKey));
  try {
    await Promise.all(connections.map(work));
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}
