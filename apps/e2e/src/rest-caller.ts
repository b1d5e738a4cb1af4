import { expectDescribedResponse } from './described-responses.js';

export interface RestResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON; null without a body. */
  // The specs compare it with complete literals, which is stricter than a type.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** A REST client with one credential. Every response must match the OpenAPI document. */
export class RestCaller {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string | null,
    private readonly headers: Record<string, string> = {},
  ) {}

  get(path: string): Promise<RestResponse> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<RestResponse> {
    return this.send('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<RestResponse> {
    return this.send('PUT', path, body);
  }

  delete(path: string): Promise<RestResponse> {
    return this.send('DELETE', path);
  }

  /** Sends the JSON content type also without a body, as SDKs do. */
  async send(method: string, path: string, body?: unknown): Promise<RestResponse> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.key && { authorization: `Bearer ${this.key}` }),
        ...this.headers,
      },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const parsed = text === '' ? null : JSON.parse(text);
    expectDescribedResponse(method, `/api/v1${path}`, response.status, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  }
}

/** The error fields of a response, for comparisons. */
export const problem = ({ status, body }: RestResponse) => ({ status, code: body?.code, details: body?.details });

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)$/;
export const anId = expect.stringMatching(uuid) as unknown as string;
export const aTime = expect.stringMatching(rfc3339) as unknown as string;
