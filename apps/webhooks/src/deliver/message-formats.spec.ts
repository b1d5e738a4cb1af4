import { chatMessage } from './message-formats.js';

const event = 'job.deadlettered';
const data = { job_id: '01a1', queue_name: 'mail', status: 'deadletter', error: 'boom', retry_count: 3 };
const textOf = (format: string, changes: object, name = event): string => {
  const message = JSON.parse(chatMessage(format, name, JSON.stringify({ ...data, ...changes }))!);
  return message.text ?? message.content ?? message.attachments[0].content.body[0].text;
};

describe('chat messages of outgoing webhooks', () => {
  it('SP-53 have the body that each service takes, and none for json', () => {
    const text = 'Job dead-lettered: 01a1 in mail: boom';
    const of = (format: string) => JSON.parse(chatMessage(format, event, JSON.stringify(data))!) as unknown;
    expect(of('slack')).toEqual({ text, mrkdwn: false });
    expect(of('discord')).toEqual({ content: text, allowed_mentions: { parse: [] } });
    const content = { type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock', wrap: true, text }] };
    const card = { contentType: 'application/vnd.microsoft.card.adaptive', content };
    expect(of('teams')).toEqual({ type: 'message', attachments: [card] });
    expect(chatMessage('json', event, JSON.stringify(data))).toBeNull();
  });

  it.each([
    ['job.created', { job_id: '01', queue_name: 'mail', priority: 0 }, 'Job created: 01 in mail'],
    ['job.started', { job_id: '01', queue_name: 'mail', worker_id: 'w7' }, 'Job started: 01 in mail by w7'],
    ['job.cancelled', { job_id: '01', queue_name: 'mail', reason: 'cascade' }, 'Job cancelled: 01 in mail: cascade'],
    ['queue.paused', { queue_name: 'mail', reason: null }, 'Queue paused: mail'],
    ['queue.paused', { queue_name: 'mail', reason: 'deploy' }, 'Queue paused: mail: deploy'],
    ['worker.registered', { worker_id: 'w7', queue_name: 'mail', hostname: 'h' }, 'Worker registered: w7 in mail'],
    [
      'cause.appeared',
      { queue_name: 'mail', error: 'HTTP 500', console_url: 'https://jobs.example/console/failures?cause=1' },
      'New cause of failures: mail: HTTP 500 https://jobs.example/console/failures?cause=1',
    ],
    ['workflow.failed', { workflow_id: '02', name: 'nightly', failed_jobs: 1 }, 'Workflow failed: 02 (nightly)'],
    ['schedule.triggered', { schedule_id: '03', job_id: '01', queue_name: 'm' }, 'Schedule triggered: 03 in m'],
    ['webhook.test', { webhook_id: '04', message: 'A test' }, 'Webhook test: A test'],
  ])('%s names what it is about', (name, given, text) => {
    expect(JSON.parse(chatMessage('slack', name, JSON.stringify(given))!).text).toBe(text);
  });

  it('SP-57 text of callers becomes neither a mention nor markup nor a link', () => {
    const error = '<!channel> <@U1> & *bold* @everyone [x](https://evil.example) `code` \\ # ~~no~~ _i_ |s|';
    expect(textOf('slack', { error })).toContain('&lt;!channel&gt; &lt;@U1&gt; &amp; *bold*');
    const escaped =
      '\\<!channel\\> \\<\\@U1\\> & \\*bold\\* \\@everyone \\[x\\]\\(https\\://evil.example\\) ' +
      '\\`code\\` \\\\ \\# \\~\\~no\\~\\~ \\_i\\_ \\|s\\|';
    expect(textOf('discord', { error })).toContain(escaped);
    expect(textOf('teams', { error })).toContain(escaped);
    expect(textOf('discord', { queue_name: 'a_b', error: '' })).toBe('Job dead-lettered: 01a1 in a\\_b');
  });

  it('of a cause end with a link to its page', () => {
    const link = 'https://jobs.example/console/failures?cause=1';
    const given = JSON.stringify({ queue_name: 'a_b', error: 'HTTP 500', console_url: link });
    expect(JSON.parse(chatMessage('discord', 'cause.grew', given)!).content).toBe(
      `A cause of failures grows: a\\_b: HTTP 500 ${link}`,
    );
  });

  it('are one line without control characters', () => {
    expect(textOf('slack', { error: 'a\n# b\u0000\u2028c\u202ed' })).toBe('Job dead-lettered: 01a1 in mail: a # b c d');
  });

  it('stay within the 2,000 characters of Discord, without half characters', () => {
    const worst = { queue_name: '*'.repeat(255), worker_id: '_'.repeat(255), name: '`'.repeat(255) };
    const text = textOf('discord', { ...worst, job_id: '|'.repeat(255), error: '\u{1f680}'.repeat(5000) });
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text.isWellFormed()).toBe(true);
    expect(text.endsWith('…')).toBe(true);
  });
});
