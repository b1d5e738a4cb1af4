import { Client, type Dispatcher } from 'undici';
import type { Window } from '../measure/window.js';

export interface HttpResponse {
  status: number;
  /** The body as text. */
  body: string;
  /** The Retry-After header of an error response; null if absent. */
  retryAfter: string | null;
}

/** Why a request was refused. */
export const refusal = ({ status, body }: HttpResponse): string => `${status} ${body.slice(0, 120)}`;

/** @returns the response; null for an error or a refusal, which the row of the window counts as failed */
export async function accepted(sent: Promise<HttpResponse>, window: Window, row = ''): Promise<HttpResponse | null> {
  const response = await sent.catch((error: Error) => error);
  if (!(response instanceof Error) && response.status < 400) return response;
  window.fail(response instanceof Error ? response.message : refusal(response), row);
  return null;
}

/** Counts a request that is accepted as one operation of the row. */
export async function countRequest(
  sent: Promise<HttpResponse>,
  window: Window,
  row: string,
  startedAt: number,
): Promise<HttpResponse | null> {
  const response = await accepted(sent, window, row);
  if (response) window.count(startedAt, 1, row);
  return response;
}

/** One keep-alive connection with one request at a time. Uses undici's dispatch, which costs less CPU than its body streams. */
export class HttpConnection {
  private readonly client: Client;

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
  ) {
    this.client = new Client(baseUrl, { pipelining: 1, keepAliveTimeout: 60_000, headersTimeout: 60_000 });
  }

  get(path: string): Promise<HttpResponse> {
    return this.send({ method: 'GET', path, headers: { authorization: `Bearer ${this.apiKey}` } });
  }

  /** `body`: JSON text. `apiKey`: overrides the key of the connection. */
  post(path: string, body: string, apiKey = this.apiKey): Promise<HttpResponse> {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    return this.send({ method: 'POST', path, headers, body });
  }

  close(): Promise<void> {
    return this.client.destroy();
  }

  private send(request: Dispatcher.DispatchOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let status = 0;
      let retryAfter: string | null = null;
      this.client.dispatch(request, {
        // Without onRequestStart undici treats this as a handler of its old interface.
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode, headers) => {
          status = statusCode;
          if (statusCode >= 400) retryAfter = headers['retry-after']?.toString() ?? null;
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk);
        },
        onResponseEnd: () => resolve({ status, body: Buffer.concat(chunks).toString(), retryAfter }),
        onResponseError: (_controller, error) => reject(error),
      });
    });
  }
}
