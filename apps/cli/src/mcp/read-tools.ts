import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { type Agent, register } from './tool.js';

const limit = z.int().min(1).max(50).default(20).describe('rows at most');
const id = z.uuid();
const queue = z.string().min(1).max(255);

export function addReadTools(server: McpServer, agent: Agent): void {
  register(server, agent, {
    name: 'problems',
    description:
      'What is stalled, fails or gets worse, one problem for each cause, the most harmful first. Begin here.',
    input: {},
    run: ({ client, call }) => client.monitoring.problems(call),
  });
  register(server, agent, {
    name: 'list_queues',
    description: 'Queues with their jobs, rates, workers and problems.',
    input: { limit },
    run: ({ client, call }, page) => client.queues.explanations(page, call),
  });
  register(server, agent, {
    name: 'explain_queue',
    description: 'Why a queue does not move, or how it does.',
    input: { queue },
    run: ({ client, call }, { queue: name }) => client.queues.explain(name, call),
  });
  register(server, agent, {
    name: 'search_jobs',
    description:
      'Jobs by a search line, newest first. Terms: queue:a,b status:deadletter type:invoice tag:customer=4711 payload.order.id=1 error~"timed out" worker:w1 key:k created:<1h. A rare match may be behind many jobs: a page with few jobs or none goes on with next_cursor unless that is null.',
    input: {
      search: z.string().min(1).max(1_000),
      limit,
      cursor: z.string().min(1).max(200).optional().describe('next_cursor of the page before'),
    },
    run: async ({ client, call }, query) => {
      const { data: jobs, nextCursor } = await client.jobs.page(query, call);
      return { jobs, nextCursor };
    },
  });
  register(server, agent, {
    name: 'explain_job',
    description: 'Why a job waits, or what it does: all reasons with their numbers.',
    input: { id },
    run: ({ client, call }, input) => client.jobs.explain(input.id, call),
  });
  register(server, agent, {
    name: 'job_timeline',
    description: 'States, attempts with their errors, waits and webhook deliveries of a job over time.',
    input: { id },
    run: ({ client, call }, input) => client.jobs.timeline(input.id, call),
  });
  register(server, agent, {
    name: 'dead_letter_groups',
    description: 'Dead letters by queue, type and error, the largest group first.',
    input: { queue: queue.optional(), limit },
    run: ({ client, call }, { queue: queueName, ...page }) => client.deadLetters.groups({ queueName, ...page }, call),
  });
  register(server, agent, {
    name: 'operation',
    description: 'How far an operation is, such as a replay: done, failed, refused, and why it stopped.',
    input: { id },
    run: ({ client, call }, input) => client.operations.get(input.id, call),
  });
}
