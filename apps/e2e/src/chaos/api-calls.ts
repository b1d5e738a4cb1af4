import type { Action, Grant } from '@spooled/testing';
import type { EndedCall } from './messages.js';

/** A request of the public API. */
export interface ApiRequest {
  method: string;
  /** Below `/api/v1`. */
  path: string;
  // The bodies are those that the callers of this folder send.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** Its answer; without one `status` is 0. */
export interface ApiAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export type Ending = Pick<EndedCall, 'outcome' | 'answer' | 'job'>;

/** What a request asks of the queue, in the words of a history. */
export interface ApiCall {
  action: Action;
  /** @param answer a successful one */
  ending(answer: ApiAnswer['body']): Ending;
}

const ok: Ending = { outcome: 'ok' };

/** The calls that a request makes: several for a bulk request, none for one that a history does not know. */
export function callsOf({ method, path, body }: ApiRequest): ApiCall[] {
  const [, id = '', verb] = /^\/jobs(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  if (method === 'DELETE') return [{ action: { verb: 'cancel', job: id }, ending: () => ok }];
  if (method !== 'POST' || !path.startsWith('/jobs')) return [];
  if (path === '/jobs') return [enqueue(body, (answer) => created(answer.id))];
  if (path === '/jobs/bulk') return bulk(body);
  if (path === '/jobs/claim') return [claim(body)];
  if (path === '/jobs/complete/bulk') return completions(body);
  if (verb === 'retry') return [{ action: { verb: 'retry', job: id }, ending: () => ok }];
  return ofLease(verb, { job: id, lease: body?.lease_id, worker: body?.worker_id }, body);
}

/** How a call ended. What got no answer, or failed in the service, may have happened. */
export function endingOf(call: ApiCall, { status, body }: ApiAnswer): Ending {
  if (status === 0 || status >= 500) return { outcome: 'unknown' };
  return status < 300 ? call.ending(body) : { outcome: 'refused' };
}

const created = (id: string): Ending => ({ outcome: 'ok', job: id, answer: id });

function enqueue(body: ApiRequest['body'], ending: ApiCall['ending']): ApiCall {
  const action: Action = {
    verb: 'enqueue',
    job: 'not answered',
    queue: body.queue_name,
    priority: 0,
    maxRetries: body.max_retries,
    key: body.idempotency_key ?? null,
    parent: body.parent_job_id ?? null,
    due: body.scheduled_at ? Date.parse(body.scheduled_at) : null,
    expires: null,
    reported: body.completion_webhook !== undefined,
  };
  return { action, ending };
}

function bulk({ queue_name, jobs }: ApiRequest['body']): ApiCall[] {
  return (jobs as object[]).map((job, index) =>
    enqueue({ ...job, queue_name }, ({ succeeded }: { succeeded: { index: number; job_id: string }[] }) => {
      const own = succeeded.find((one) => one.index === index);
      return own ? created(own.job_id) : { outcome: 'refused' };
    }),
  );
}

function claim(body: ApiRequest['body']): ApiCall {
  const granted = (job: { id: string; lease_id: string; priority: number; lease_expires_at: string }): Grant => ({
    job: job.id,
    lease: job.lease_id,
    priority: job.priority,
    // Microseconds are cut off.
    expiresAt: Date.parse(job.lease_expires_at) + 1,
  });
  return {
    action: { verb: 'claim', queue: body.queue_name, worker: body.worker_id },
    ending: ({ jobs }) => ({ outcome: 'ok', answer: jobs.map(granted) }),
  };
}

function completions({ worker_id: worker, jobs }: ApiRequest['body']): ApiCall[] {
  return (jobs as { job_id: string; lease_id: string }[]).map(({ job_id: job, lease_id: lease }, index) => ({
    action: { verb: 'complete', job, lease, worker },
    ending: ({ results }) => {
      if (results[index].success) return ok;
      return { outcome: /UNAVAILABLE|INTERNAL/.test(results[index].error.code) ? 'unknown' : 'refused' };
    },
  }));
}

type OfLease = { job: string; lease: string; worker: string };

function ofLease(verb: string | undefined, lease: OfLease, body: ApiRequest['body']): ApiCall[] {
  if (verb === 'complete' || verb === 'release') return [{ action: { verb, ...lease }, ending: () => ok }];
  if (verb === 'fail') return [{ action: { verb, ...lease, retry: body.retry !== false }, ending: () => ok }];
  if (verb !== 'heartbeat') return [];
  const ending = (answer: { lease_expires_at: string }): Ending => ({
    outcome: 'ok',
    answer: Date.parse(answer.lease_expires_at) + 1,
  });
  return [{ action: { verb: 'renew', ...lease }, ending }];
}
