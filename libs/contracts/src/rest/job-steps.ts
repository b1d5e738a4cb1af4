import { stepKinds, stepLimits } from '@spooled/domain';
import { z } from 'zod';
import { nullableTimestamp, optionalJsonUpTo, text, timestamp, whole } from './fields.js';
import { proof, success } from './work.js';

const step = text(1, stepLimits.nameLength);
const document = optionalJsonUpTo(stepLimits.resultBytes);

export const recordStepBody = z.strictObject({
  ...proof,
  step: step.meta({ description: 'Name of the step; the first result of a name stays.' }),
  result: document,
});
export type RecordStepBody = z.infer<typeof recordStepBody>;

export const waitBody = z.strictObject({
  ...proof,
  step: step.meta({ description: 'Name of the wait. One that has begun before keeps its deadline.' }),
  wait_for: z.enum(['sleep', 'signal']),
  wait_ms: whole(1, stepLimits.waitMs).meta({ description: 'How long the job waits at most.' }),
});
export type WaitBody = z.infer<typeof waitBody>;

export const signalBody = z.strictObject({
  step: step.meta({ description: 'Name of the wait. A signal that comes before its wait is kept.' }),
  payload: document,
});
export type SignalBody = z.infer<typeof signalBody>;

/** The whole body is the payload: the sender may be a system that knows nothing of this one. */
export const signalPayload = document;
export type SignalPayload = z.infer<typeof signalPayload>;

const longestWaitSeconds = stepLimits.waitMs / 1000;

export const signalUrlBody = z.strictObject({
  step: step.meta({ description: 'Name of the wait. It may begin later.' }),
  expires_in_secs: whole(1, longestWaitSeconds)
    .default(longestWaitSeconds)
    .meta({ description: 'How long the URL is valid at most; it gives no signal once the job or its wait has ended.' }),
});
export type SignalUrlBody = z.infer<typeof signalUrlBody>;

export const signalUrl = z.object({
  url: z.string().meta({
    description:
      'Takes the signal by POST, with any JSON as its body and no other credential. Relative to the address of the server unless PUBLIC_URL is set',
  }),
  expires_at: timestamp,
});

export const waitResult = success.extend({
  is_over: z.boolean().meta({
    description:
      'true: the wait has ended already and the lease goes on. Otherwise the job has given up its lease and is scheduled',
  }),
});
export const signalResult = z.object({
  accepted: z.boolean().meta({ description: 'false: an earlier signal of this name counts' }),
  resumed: z.boolean().meta({ description: 'Whether the job waited for it' }),
});

export const jobSteps = z.object({
  steps: z.array(
    z.object({
      step: z.string(),
      kind: z.enum(stepKinds),
      is_done: z.boolean().meta({ description: 'Of a wait: its signal was given, or its deadline has passed' }),
      created_at: timestamp,
      finished_at: nullableTimestamp.meta({ description: 'Null of a wait that ended with its deadline' }),
      deadline: nullableTimestamp.meta({ description: 'Of a wait' }),
      result: z.unknown().meta({ description: 'Of a step, or the payload of its signal' }),
    }),
  ),
});
