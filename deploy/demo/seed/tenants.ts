import type { Body } from '@spooled/sdk';

export interface Cause {
  queue: string;
  jobType: string;
  error: string;
  /** Number of dead letters. */
  count: number;
}

export interface SeedTenant {
  slug: string;
  name: string;
  /** Queues with a worker, and the usual run time of their jobs. */
  queues: Record<string, { jobType: string; ms: number }>;
  causes: Cause[];
  /** Its last job fails. */
  workflow: { name: string; steps: { key: string; queue: string; dependsOn?: string[]; error?: string }[] };
  /** One batch of these jobs has ended, another one with the same jobs is open. The callback runs in the same queue. */
  batch: { name: string; queue: string; jobs: number };
  schedules: (Body<'POST /api/v1/schedules'> & { paused?: boolean })[];
  /** A queue whose receiver does not respond. */
  pushQueue: string;
  /** Average rate of the load. */
  jobsPerSecond: number;
}

const schedule = (
  name: string,
  cronExpression: string,
  queueName: string,
  jobType: string,
): SeedTenant['schedules'][number] => ({
  name,
  cronExpression,
  timezone: 'Europe/Berlin',
  queueName,
  payloadTemplate: { job_type: jobType },
});

export const tenants: SeedTenant[] = [
  {
    slug: 'seed-shop',
    name: 'Corner Shop',
    queues: {
      orders: { jobType: 'reserve-stock', ms: 40 },
      mails: { jobType: 'send-receipt', ms: 150 },
      invoices: { jobType: 'render-pdf', ms: 600 },
    },
    causes: [
      { queue: 'mails', jobType: 'send-receipt', error: 'SMTP 550: mailbox unavailable', count: 14 },
      { queue: 'mails', jobType: 'send-receipt', error: 'connect ETIMEDOUT 192.0.2.25:587', count: 6 },
      { queue: 'orders', jobType: 'reserve-stock', error: 'Article is sold out', count: 9 },
      { queue: 'invoices', jobType: 'render-pdf', error: "TypeError: cannot read 'lines' of undefined", count: 3 },
    ],
    workflow: {
      name: 'Order 4711',
      steps: [
        { key: 'reserve', queue: 'orders' },
        { key: 'invoice', queue: 'invoices', dependsOn: ['reserve'] },
        { key: 'receipt', queue: 'mails', dependsOn: ['invoice'], error: 'SMTP 550: mailbox unavailable' },
      ],
    },
    batch: { name: 'Price labels', queue: 'invoices', jobs: 25 },
    schedules: [
      schedule('Send reminders', '0 9 * * 1-5', 'mails', 'send-reminder'),
      schedule('Refresh stock', '*/5 * * * *', 'orders', 'refresh-stock'),
      { ...schedule('Old price import', '0 3 * * *', 'orders', 'import-prices'), paused: true },
    ],
    pushQueue: 'stock-changes',
    jobsPerSecond: 4,
  },
  {
    slug: 'seed-news',
    name: 'Daily News',
    queues: {
      articles: { jobType: 'index-article', ms: 80 },
      pictures: { jobType: 'resize-picture', ms: 400 },
    },
    causes: [
      { queue: 'pictures', jobType: 'resize-picture', error: 'Unsupported image format', count: 11 },
      { queue: 'pictures', jobType: 'resize-picture', error: 'ENOSPC: no space left on device', count: 4 },
      { queue: 'articles', jobType: 'index-article', error: 'Search index is read-only', count: 7 },
      { queue: 'articles', jobType: 'index-article', error: 'Article exceeds 1 MB', count: 2 },
    ],
    workflow: {
      name: 'Morning edition',
      steps: [
        { key: 'front', queue: 'articles' },
        { key: 'sports', queue: 'articles' },
        { key: 'cover', queue: 'pictures', dependsOn: ['front', 'sports'], error: 'Unsupported image format' },
      ],
    },
    batch: { name: 'Thumbnails of the archive', queue: 'pictures', jobs: 30 },
    schedules: [
      schedule('Fetch agencies', '*/2 * * * *', 'articles', 'fetch-agencies'),
      schedule('Newsletter', '30 6 * * *', 'articles', 'send-newsletter'),
    ],
    pushQueue: 'partner-feed',
    jobsPerSecond: 2,
  },
  {
    slug: 'seed-bank',
    name: 'Small Bank',
    queues: {
      transfers: { jobType: 'book-transfer', ms: 60 },
      statements: { jobType: 'create-statement', ms: 900 },
    },
    causes: [
      { queue: 'transfers', jobType: 'book-transfer', error: 'Insufficient funds', count: 8 },
      { queue: 'transfers', jobType: 'book-transfer', error: 'IBAN checksum is wrong', count: 5 },
      { queue: 'statements', jobType: 'create-statement', error: 'deadlock detected', count: 3 },
      { queue: 'statements', jobType: 'create-statement', error: 'Template is missing', count: 3 },
    ],
    workflow: {
      name: 'End of day',
      steps: [
        { key: 'close', queue: 'transfers' },
        { key: 'report', queue: 'statements', dependsOn: ['close'], error: 'Template is missing' },
      ],
    },
    batch: { name: 'Statements of the month', queue: 'statements', jobs: 20 },
    schedules: [
      schedule('Standing orders', '0 2 * * *', 'transfers', 'standing-orders'),
      schedule('Exchange rates', '*/10 * * * *', 'transfers', 'update-rates'),
    ],
    pushQueue: 'card-payments',
    jobsPerSecond: 1,
  },
];
