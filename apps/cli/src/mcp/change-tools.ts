import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { ReplayBody } from './agent-session.js';
import { NotAllowed } from './allowance.js';
import { type Agent, type Input, register } from './tool.js';

/** Until a replay begins it can be cancelled without any effect. */
const hold = { least: 10, usual: 60, most: 3_600 };
/** A pause of an agent always ends by itself. */
const longestPauseSeconds = 3_600;

const queue = z.string().min(1).max(255);
const selection = {
  group_id: z.string().min(1).max(200).optional().describe('from dead_letter_groups'),
  queue: queue.optional(),
  job_type: z.string().min(1).max(255).optional(),
  job_ids: z.array(z.uuid()).min(1).max(100).optional(),
};

const replayInput = {
  preview_id: z.uuid(),
  hold_seconds: z.int().min(hold.least).max(hold.most).default(hold.usual),
  stages: z.array(z.int().min(1).max(10_000)).min(1).max(10).default([1, 10, 100]).describe('jobs of each stage'),
  max_failure_share: z.number().min(0).max(0.5).default(0.1),
};

/** Tools that change something: each can be undone, and all together stay within the budget. */
export function addChangeTools(server: McpServer, agent: Agent): void {
  register(server, agent, {
    name: 'preview_replay',
    description:
      'Dry run of a replay: how many dead letters match, and some of them. Changes nothing. Returns the preview_id that replay_dead_letters takes. Name at least one filter.',
    input: selection,
    run: previewReplay,
  });
  register(server, agent, {
    name: 'replay_dead_letters',
    description:
      'Runs the dead letters of a dry run again, in stages, after a hold in which cancel_operation undoes it. Stops by itself when too many fail.',
    changes: 'undoable',
    input: replayInput,
    run: replay,
  });
  register(server, agent, {
    name: 'cancel_operation',
    description: 'Cancels an operation that this session began. While it is held, nothing has happened.',
    changes: 'undoable',
    input: { id: z.uuid() },
    run: async ({ client, session, call }, { id }) => {
      session.requireOwn(id, 'This session did not begin this operation: a person has to cancel it');
      return client.operations.cancel(id, call);
    },
  });
  register(server, agent, {
    name: 'pause_queue',
    description:
      'Pauses a queue that is not paused: claims get no jobs until the pause ends by itself or by resume_queue.',
    changes: 'undoable',
    input: {
      queue,
      reason: z.string().min(1).max(200),
      duration_seconds: z.int().min(10).max(longestPauseSeconds).default(600),
    },
    run: pause,
  });
  register(server, agent, {
    name: 'resume_queue',
    description: 'Ends a pause that this session began.',
    changes: 'undoable',
    input: { queue },
    run: async ({ client, session, call }, { queue: name }) => {
      const { pause: current } = await client.queues.get(name, call);
      session.requireOwnPause(name, current?.reason);
      return client.queues.resume(name, call);
    },
  });
  register(server, agent, {
    name: 'budget',
    description: 'What you may still change.',
    input: {},
    run: ({ session }) => Promise.resolve(session.remaining),
  });
}

async function previewReplay({ client, session, call }: Agent, input: Input<typeof selection>) {
  if (Object.values(input).every((value) => value === undefined))
    throw new NotAllowed('Name a group, a queue, a type or jobs: there is no replay of everything here');
  const filter: ReplayBody = {
    groupId: input.group_id,
    queueName: input.queue,
    jobType: input.job_type,
    jobIds: input.job_ids,
  };
  const { asOf, count, hasMore, sample } = await client.deadLetters.previewReplay(filter, call);
  // What dies later is not part of it. With ids there is nothing to add.
  const body = input.job_ids ? filter : { ...filter, deadBefore: asOf };
  const previewId = session.keepPreview({ body, count: hasMore ? Infinity : count });
  // Payloads may hold what is not for a model.
  const withoutPayloads = sample.map(({ payload: _payload, ...job }) => job);
  return { previewId, asOf, count, hasMore, sample: withoutPayloads, budget: session.remaining };
}

async function replay({ client, session, call }: Agent, input: Input<typeof replayInput>) {
  // Used up before the first await, so that two calls at once are one replay.
  const { body, count } = session.takePreview(input.preview_id);
  if (count === 0) throw new NotAllowed('The dry run found no dead letter');
  session.spend(count);
  const now = await client.deadLetters.previewReplay(body, call);
  if (now.count > count)
    throw new NotAllowed(`${now.count} dead letters match now, not ${count}: call preview_replay again`);
  const operation = await client.deadLetters.replay(
    {
      ...body,
      holdSeconds: input.hold_seconds,
      stages: input.stages,
      maxFailureShare: input.max_failure_share,
      minEnded: 1,
    },
    call,
  );
  session.began(operation.id);
  return { operation, undo: `cancel_operation within ${input.hold_seconds} s`, budget: session.remaining };
}

async function pause(
  { client, session, call }: Agent,
  { queue: name, reason, duration_seconds }: { queue: string; reason: string; duration_seconds: number },
) {
  // A second pause would replace reason and end of the first one.
  if ((await client.queues.get(name, call)).pause) throw new NotAllowed('The queue is paused already');
  session.spend(0);
  const body = { reason: session.pauseReason(name, reason), durationSeconds: duration_seconds };
  return { ...(await client.queues.pause(name, body, call)), budget: session.remaining };
}
