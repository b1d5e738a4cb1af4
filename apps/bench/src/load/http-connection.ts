import { Client, type Dispatcher } from 'undici';

export interface HttpResponse {
  status: number;
  /** The body as text. */
  body: string;
  /** The Retry-After header of an error response; null if absent. */
  retryAfter: string | null;
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
