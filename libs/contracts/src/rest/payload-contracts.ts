import { contractCompatibilities, contractModes } from '@spooled/domain';
import { z } from 'zod';
import { actor } from './actor.js';
import { exactFilter } from './conventions.js';
import { nullableTimestamp, smallJsonObject, timestamp } from './fields.js';

const maxVersion = 2_147_483_647;

export const payloadContractQuery = z.object({
  version: exactFilter(z.coerce.number().int().min(1).max(maxVersion)).meta({
    type: 'integer',
    description: 'An older version; absent = the current one',
  }),
});
export type PayloadContractQuery = z.infer<typeof payloadContractQuery>;

const mode = z.enum(contractModes).meta({
  description: '`reject`: payloads that violate the schema are refused; `warn`: they are accepted, counted and logged',
});
const compatibility = z.enum(contractCompatibilities).meta({
  description:
    '`backward`: refuse a schema that would refuse payloads which the current version accepts, or might; `none`: any change',
});

/** Strict: with a misspelt `dry_run` the change would take effect. */
export const payloadContractBody = z.strictObject({
  schema: smallJsonObject.meta({
    description:
      'JSON Schema 2020-12 of at most 64 KB and 1000 schemas; references within the document only, patterns that match in linear time',
  }),
  mode: mode.nullish(),
  compatibility: compatibility.nullish(),
  dry_run: z.boolean().nullish().meta({ description: 'Only check the change; nothing is stored' }),
});
export type PayloadContractBody = z.infer<typeof payloadContractBody>;

const violations = z
  .object({
    count: z.int(),
    last_at: nullableTimestamp.meta({ description: 'When the last of them were recorded' }),
    samples: z
      .array(z.object({ at: timestamp, path: z.string(), reason: z.string() }))
      .meta({ description: 'The newest, at most 5, each with the first place of its payload' }),
  })
  .meta({
    description:
      'Payloads that were accepted although they violate this version, in mode `warn`; each process adds them once in 10 s',
  });

const version = {
  version: z.int(),
  mode,
  compatibility,
  created_by: actor.nullable(),
  violations,
};

const contract = {
  queue_name: z.string(),
  ...version,
  schema: z.record(z.string(), z.unknown()),
  created_at: nullableTimestamp.meta({ description: 'Null in the response to a dry run' }),
};

export const payloadContract = z.object(contract);

export const payloadContractVersions = z.object({
  versions: z
    .array(z.object({ ...version, created_at: timestamp, is_current: z.boolean() }))
    .meta({ description: 'The newest first: the current one and at most 50 before it' }),
});
export type PayloadContractVersions = z.infer<typeof payloadContractVersions>;

const issue = z.object({ path: z.string(), reason: z.string() });

export const payloadContractChange = z.object({
  ...contract,
  dry_run: z.boolean(),
  incompatible: z.array(issue).meta({
    description:
      'Places where the schema refuses, or may refuse (`undecided`), payloads that the version before accepts; at most 20',
  }),
  sample: z
    .object({
      sampled: z.int(),
      checked: z.int().meta({
        description:
          'Fewer than `sampled` when they take more than five million steps to check; the newest are checked first',
      }),
      refused: z.int(),
      jobs: z.array(z.object({ id: z.uuid(), path: z.string(), reason: z.string() })).meta({
        description: 'Refused jobs with their first problem; at most 20',
      }),
    })
    .nullable()
    .meta({
      description:
        'In a dry run: the newest jobs of the queue (at most 100, and 8 MB of payloads), checked against the schema',
    }),
});
