import { defineJob, PermanentError, standardHeaders } from 'spooled-sdk';
import { z } from 'zod';

const event = z.object({ type: z.string(), order: z.string() });

/** Passes an event on to a partner, signed as Standard Webhooks are. */
export const notify = defineJob('notify', {
  payload: z.object({ id: z.string(), url: z.url(), event }),
  retries: 10,
  backoff: { strategy: 'exponential', delay: '10s', maxDelay: '6h' },
  timeout: '30s',
}).handle(async ({ id, url, event: body }, { signal }) => {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', ...standardHeaders(text, process.env.PARTNER_SECRET!, id) };
  const { status } = await fetch(url, { method: 'POST', headers, body: text, signal });
  if (status === 410) throw new PermanentError('The partner wants no further events');
  if (status >= 300) throw new Error(`The partner answered ${status}`);
  return { status };
});

/** Handles an event that a provider has sent. */
export const received = defineJob('received', {
  payload: z.object({ id: z.string(), event }),
}).handle(async ({ id, event: { type, order } }) => {
  // An attempt that runs again notifies nobody twice. A key belongs to one job of the organization, so each kind of job has a prefix.
  await notify.enqueue({ id, url: process.env.PARTNER_URL!, event: { type, order } }, { key: `notify:${id}` });
  return { order };
});
