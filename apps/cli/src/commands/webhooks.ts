import type { ResendPreview } from '@spooled/sdk';
import type { Command } from 'commander';
import { statusColumn } from '../io/cells.js';
import { pagesByCursor, pagesByOffset } from '../io/pages.js';
import type { Columns } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';
import { addFlow, type FlowOptions, runOperationOn } from './operation-flow.js';
import { limitOption, time } from './options.js';
import { addListen } from './webhook-listen.js';

/** `spooled webhooks`: outgoing webhooks and their deliveries. */
export function addWebhooks(program: Command, add: Add): void {
  const webhooks = program.command('webhooks').description('outgoing webhooks: list, test, deliveries, resend, listen');
  add(webhooks, 'list', 'list outgoing webhooks', list).addOption(limitOption(100));
  add(webhooks, 'test <id>', 'send a test event now and show the answer', async ({ client, out, call }, id: string) =>
    out.item(await client.outgoingWebhooks.test(id, call)),
  );
  add(webhooks, 'deliveries <id>', 'list the deliveries of a webhook, newest first', deliveries).addOption(
    limitOption(50),
  );
  add(
    webhooks,
    'retry <id> <delivery>',
    'send a delivery again',
    async ({ client, out, call }, id: string, delivery: string) =>
      out.item(await client.outgoingWebhooks.retryDelivery(id, delivery, call)),
  );
  addFlow(
    add(webhooks, 'resend <id>', 'send failed and dropped deliveries again', resend)
      .requiredOption('--since <time>', 'created at this time or later; also an age such as 2h', time)
      .option('--until <time>', 'created before this time', time)
      .option('--event <name>', 'of this event'),
  );
  addListen(webhooks, add);
}

async function list({ client, out, call }: Cli, options: { limit: number }): Promise<void> {
  const pages = pagesByOffset((page) => client.outgoingWebhooks.list(page, call), options);
  await out.list(pages, {
    id: 'id',
    name: 'name',
    enabled: (webhook) => (webhook.enabled ? 'yes' : 'no'),
    'last status': 'lastStatus',
    failures: 'failureCount',
    events: (webhook) => webhook.events.join(', '),
    url: 'url',
  });
}

async function deliveries({ client, out, call }: Cli, id: string, options: { limit: number }): Promise<void> {
  // Large payloads end a page early; then only its cursor continues.
  const pages = pagesByCursor((page) => client.outgoingWebhooks.deliveries(id, page, call), options);
  await out.list(pages, {
    id: 'id',
    event: 'event',
    status: statusColumn(out),
    code: 'statusCode',
    attempts: 'attempts',
    created: 'createdAt',
    error: 'error',
  });
}

interface ResendOptions extends FlowOptions {
  since: string;
  until?: string;
  event?: string;
}

const sampleColumns: Columns<ResendPreview['sample'][number]> = {
  id: 'deliveryId',
  event: 'event',
  code: 'statusCode',
  attempts: 'attempts',
  created: 'createdAt',
  error: 'error',
};

async function resend(cli: Cli, id: string, { since, until, event, ...options }: ResendOptions): Promise<void> {
  const { client, call } = cli;
  // The server knows the events, and names them when it refuses one.
  const body = { since, until, event: event as Parameters<typeof client.outgoingWebhooks.resend>[1]['event'] };
  await runOperationOn(cli, options, {
    nouns: ['delivery', 'deliveries'],
    columns: sampleColumns,
    question: (count) => `Send ${count} deliveries since ${since} again?`,
    preview: () => client.outgoingWebhooks.previewResend(id, body, call),
    begin: () => {
      const { hold, perSecond } = options;
      return client.outgoingWebhooks.resend(id, { ...body, holdSeconds: hold, perSecond }, call);
    },
  });
}
