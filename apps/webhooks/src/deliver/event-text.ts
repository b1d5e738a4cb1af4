/** Longest error, reason or message quoted in a text, in characters. With all names, and each character escaped: below 2,000. */
const maxQuoted = 400;
/** Longest queue name, worker id or workflow name in a text, in characters. */
const maxNamed = 120;

const labels: Record<string, string> = {
  'job.created': 'Job created',
  'job.started': 'Job started',
  'job.completed': 'Job completed',
  'job.failed': 'Job failed',
  'job.cancelled': 'Job cancelled',
  'job.deadlettered': 'Job dead-lettered',
  'job.retried': 'Job retried',
  'cause.appeared': 'New cause of failures',
  'cause.grew': 'A cause of failures grows',
  'cause.omitted': 'More causes of failures',
  'queue.paused': 'Queue paused',
  'queue.resumed': 'Queue resumed',
  'worker.registered': 'Worker registered',
  'worker.deregistered': 'Worker deregistered',
  'schedule.triggered': 'Schedule triggered',
  'workflow.completed': 'Workflow completed',
  'workflow.failed': 'Workflow failed',
  'webhook.test': 'Webhook test',
};

/**
 * One line that says what happened, for people: `Job dead-lettered: <id> in mail: boom`.
 * @param escape applied to everything that callers or workers wrote, so that it cannot become markup or a mention
 */
export function eventText(event: string, data: Record<string, unknown>, escape: (text: string) => string): string {
  const value = (name: string, limit: number): string | null => {
    const found = data[name];
    return typeof found === 'string' && found !== '' ? escape(clip(found, limit)) : null;
  };
  const subject = value('schedule_id', maxNamed) ?? value('workflow_id', maxNamed) ?? value('job_id', maxNamed);
  const worker = value('worker_id', maxNamed);
  const queue = value('queue_name', maxNamed);
  const name = value('name', maxNamed);
  const quoted = value('error', maxQuoted) ?? value('reason', maxQuoted) ?? value('message', maxQuoted);
  // An event about a queue or a worker has no other subject.
  const main = subject ?? worker ?? queue;
  const parts = [
    name !== null && main !== null ? `${main} (${name})` : main,
    queue !== null && main !== queue && `in ${queue}`,
    worker !== null && main !== worker && `by ${worker}`,
  ];
  const about = parts.filter((part) => typeof part === 'string').join(' ');
  const text = [labels[event] ?? escape(event), about, quoted].filter(Boolean).join(': ');
  // Not escaped, so that it can be opened: the installation made it, no caller.
  const link = data.console_url;
  return typeof link === 'string' ? `${text} ${link}` : text;
}

/** On one line, without invisible controls (also of text direction), and at most `limit` characters long. */
function clip(text: string, limit: number): string {
  // Enough for `limit` characters of two UTF-16 units each; a text may be megabytes long.
  const start = text.slice(0, 2 * limit + 2).replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  const characters = [...start];
  return characters.length <= limit ? start : `${characters.slice(0, limit - 1).join('')}…`;
}
