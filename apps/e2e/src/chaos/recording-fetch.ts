import { randomUUID } from 'node:crypto';
import { type ApiAnswer, type ApiRequest, callsOf, endingOf } from './api-calls.js';
import type { Gateways } from './gateways.js';
import { place, type Report } from './messages.js';

export interface RecordingOptions {
  tenant: string;
  gateways: Gateways;
  /** Resolves when the report has left this process: a call must be known before it is made. */
  report: (report: Report) => Promise<void> | void;
}

/** A `fetch` for callers of the API, also for the SDK, that reports each call and its end, and chooses the gateway. */
export function recordingFetch({ tenant, gateways, report }: RecordingOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input as string);
    const request = requestOf(pathname, init);
    const calls = callsOf(request).map((call) => ({ ...call, id: randomUUID() }));
    const [began, from] = [place(), Date.now()];
    await report({ begun: calls.map(({ id, action }) => ({ id, tenant, action, began, from })) });
    const end = (answer: ApiAnswer, kind: string) => {
      const [ended, to] = [place(), Date.now()];
      const endings = calls.map((call) => ({ id: call.id, ended, to, ...endingOf(call, answer) }));
      const succeeded = endings.filter(({ outcome }) => outcome === 'ok').length;
      const verb = calls[0]?.action.verb ?? `${request.method} ${request.path}`;
      return report({ ended: endings, answered: { verb, kind, at: to, succeeded } });
    };
    try {
      const response = await fetch(`${gateways.next()}${pathname}${search}`, init);
      const text = await response.text();
      const body = text === '' ? null : (JSON.parse(text) as { code?: string });
      await end({ status: response.status, body }, kindOf(response.status, body));
      return new Response(text === '' ? null : text, response);
    } catch (error) {
      await end({ status: 0, body: null }, reasonOf(error as Error));
      throw error;
    }
  };
}

function requestOf(pathname: string, init: RequestInit | undefined): ApiRequest {
  const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
  return { method: init?.method ?? 'GET', path: pathname.replace(/^\/api\/v1/, ''), body };
}

const kindOf = (status: number, body: { code?: string } | null): string =>
  status < 300 ? 'ok' : `${status} ${body?.code ?? ''}`.trim();

const reasonOf = (error: Error): string => {
  const { code } = (error.cause ?? {}) as { code?: string };
  return code ?? error.name;
};
