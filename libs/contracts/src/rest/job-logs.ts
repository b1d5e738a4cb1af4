import { jobLogLimits, logLevels } from '@spooled/domain';
import { z } from 'zod';
import { pageQuery } from './conventions.js';
import { atMost, count, optionalJsonUpTo, timestamp, whole } from './fields.js';
import { proof, success } from './work.js';

const dayMs = 86_400_000;

const line = z.strictObject({
  number: whole(1, 1_000_000_000).meta({
    description:
      'Position in the attempt, from 1, counting lines that are not sent. Numbers that were reported before are ignored, so a report can be repeated',
  }),
  age_ms: whole(0, dayMs).default(0).meta({ description: 'How long before the request it was written' }),
  level: z.enum(logLevels).default('info'),
  message: atMost(jobLogLimits.messageLength),
  fields: optionalJsonUpTo(jobLogLimits.fieldsBytes),
});

export const reportLogsBody = z.strictObject({
  ...proof,
  lines: z
    .array(line)
    .min(1, 'must hold at least one line')
    .max(jobLogLimits.lines, `must hold at most ${jobLogLimits.lines} lines`),
});
export type ReportLogsBody = z.infer<typeof reportLogsBody>;

export const reportLogsResult = success.extend({
  kept: count,
  omitted: count.meta({
    description: `Lines since the last report that were not kept: beyond ${jobLogLimits.lines} lines or ${jobLogLimits.bytes / 1024} KB of the attempt, or never sent`,
  }),
});

export const jobLogsQuery = z.object({
  attempt: z.coerce
    .number()
    .int()
    .min(1, 'must be at least 1')
    .max(1_000, 'must be at most 1000')
    .optional()
    .meta({ description: 'Only lines of this attempt' }),
  lease_id: z.guid().optional().meta({ description: 'Only lines written under this lease' }),
  cursor: atMost(64)
    .regex(/^\d{1,9}-\d{1,10}$/, 'must be a next_cursor of this route')
    .optional()
    .meta({
      description: 'The `next_cursor` of an earlier response, also of the last page: lines that were added follow',
    }),
  limit: pageQuery({ limit: 200, maxLimit: 500 }).limit,
});
export type JobLogsQuery = z.infer<typeof jobLogsQuery>;

const attempt = z
  .int()
  .min(1)
  .meta({ description: 'As in the timeline; attempts that used none have the same number' });
const leaseId = z.string().meta({ description: 'The lease of the attempt, as in the timeline' });

export const jobLogs = z
  .object({
    lines: z.array(
      z.object({
        attempt,
        lease_id: leaseId,
        number: z
          .int()
          .min(1)
          .meta({ description: 'Position in the attempt; where numbers are missing, lines were not kept' }),
        at: timestamp.meta({ description: 'By the clock of the server' }),
        level: z.enum(logLevels),
        message: z.string(),
        fields: z.unknown(),
      }),
    ),
    attempts: z
      .array(
        z.object({
          attempt,
          lease_id: leaseId,
          kept: count,
          omitted: count.meta({ description: 'Lines that were not kept because there were too many' }),
        }),
      )
      .meta({ description: `The newest ${jobLogLimits.attempts} attempts with lines, oldest first, on every page` }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Where to go on, now or when there are more lines; null before the first line' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'JobLogs' });
