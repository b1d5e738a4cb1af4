import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { NotAllowed } from './allowance.js';
import { type Agent, type Input, register } from './tool.js';

/** A throttle of an agent always ends by itself. */
const longestSeconds = 3_600;

const limits = {
  queue: z.string().min(1).max(255).optional(),
  tag: z
    .strictObject({ name: z.string().min(1).max(255), value: z.string().max(1_024) })
    .optional()
    .describe('new jobs with this tag, such as a customer'),
  api_key_id: z.uuid().optional().describe('new jobs that this key creates'),
  jobs_per_second: z.number().positive().max(100_000),
  duration_seconds: z.int().min(60).max(longestSeconds).default(1_800),
};

/** Tools against a flood of new jobs. What a throttle refuses is not lost: its producer is told and may send it again. */
export function addThrottleTools(server: McpServer, agent: Agent): void {
  register(server, agent, {
    name: 'preview_throttle',
    description: 'Dry run of a throttle: what it would have admitted of the jobs of the last ten minutes.',
    input: limits,
    run: ({ client, call }, input) => client.throttles.preview(throttleOf(input), call),
  });
  register(server, agent, {
    name: 'throttle',
    description:
      'Admits no more new jobs than this, of a queue, a tag or a key, until it ends by itself or by release_throttle. Preview it first.',
    changes: 'undoable',
    input: limits,
    run: async ({ client, session, call }, input) => {
      const body = throttleOf(input);
      session.spend(0);
      const throttle = await client.throttles.create(body, call);
      session.began(throttle.id);
      return { throttle, budget: session.remaining };
    },
  });
  register(server, agent, {
    name: 'release_throttle',
    description: 'Ends a throttle that this session began.',
    changes: 'undoable',
    input: { id: z.uuid() },
    run: async ({ client, session, call }, { id }) => {
      session.requireOwn(id, 'This session did not set this throttle: a person has to release it');
      await client.throttles.release(id, call);
      return { released: true };
    },
  });
}

/** @throws NotAllowed for a throttle of everything */
function throttleOf({ queue, tag, api_key_id, jobs_per_second, duration_seconds }: Input<typeof limits>) {
  if (queue === undefined && tag === undefined && api_key_id === undefined)
    throw new NotAllowed('Name a queue, a tag or a key: there is no throttle of everything here');
  return {
    queueName: queue,
    tag,
    apiKeyId: api_key_id,
    perSecond: jobs_per_second,
    expiresInSeconds: duration_seconds,
  };
}
