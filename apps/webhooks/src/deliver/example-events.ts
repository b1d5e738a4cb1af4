import { randomUUID } from 'node:crypto';
import type { outgoingWebhookSchemas } from '@spooled/contracts';

type WebhookEventName = outgoingWebhookSchemas.WebhookEventName;

const queue_name = 'emails';
const error = 'SMTP server refused the recipient';
const workflow = { name: 'nightly-report', total_jobs: 5 };
const worker = { worker_id: 'worker-1', queue_name };

const cause = {
  cause_id: '',
  queue_name,
  job_type: 'welcome',
  error,
  sample: { job_id: '00000000-0000-8000-8000-000000000000', error },
  dead_letters_last_hour: 7,
  dead_letters_hour_before: 0,
  since: '2026-01-01T08:00:00Z',
  console_url: null,
  replay: { method: 'POST', path: '/api/v1/jobs/dlq/replays', body: { stages: [1, 10, 100] } },
};

/** `data` of each event as real deliveries have it; ids are replaced for each call. */
const examples: Record<WebhookEventName, object> = {
  'job.created': { job_id: '', queue_name, priority: 0, status: 'pending' },
  'job.started': { job_id: '', queue_name, worker_id: 'worker-1' },
  'job.completed': { job_id: '', queue_name, status: 'completed', result: { sent: true } },
  'job.failed': { job_id: '', queue_name, status: 'deadletter', error },
  'job.cancelled': { job_id: '', queue_name, status: 'cancelled', old_status: 'pending', reason: 'dependency_failed' },
  'job.deadlettered': { job_id: '', queue_name, status: 'deadletter', error, retry_count: 3 },
  'job.retried': { job_id: '', queue_name, status: 'pending', retry_count: 1, reason: 'failure', scheduled_at: '' },
  'cause.appeared': cause,
  'cause.grew': { ...cause, dead_letters_last_hour: 40, dead_letters_hour_before: 3 },
  'cause.omitted': { causes: 12, at_least: false, since: '2026-01-01T08:00:00Z', console_url: null },
  'queue.paused': { queue_name, reason: 'Maintenance of the mail server' },
  'queue.resumed': { queue_name, paused_duration_secs: 300 },
  'worker.registered': { ...worker, hostname: 'host-1' },
  'worker.deregistered': worker,
  'schedule.triggered': { schedule_id: '', job_id: '', queue_name, source: 'schedule' },
  'workflow.completed': { workflow_id: '', ...workflow, status: 'completed', completed_jobs: 5, failed_jobs: 0 },
  'workflow.failed': { workflow_id: '', ...workflow, status: 'failed', completed_jobs: 3, failed_jobs: 1 },
};

/** An example of an event's `data`, with ids that nothing has. */
export function exampleOf(event: WebhookEventName, now: Date): object {
  const members = Object.entries(examples[event]).map(([name, value]) => {
    if (name.endsWith('_id') && value === '') return [name, randomUUID()];
    return [name, name.endsWith('_at') ? now.toISOString() : (value as unknown)];
  });
  return Object.fromEntries(members) as object;
}
