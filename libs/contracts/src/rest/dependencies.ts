import { z } from 'zod';
import { filter } from './conventions.js';
import { anyId, count } from './fields.js';

const maxParents = 100;
const parents = z
  .array(anyId)
  .min(1, 'must hold at least one id')
  .max(maxParents, `must hold at most ${maxParents} ids`);
const alias = parents.nullish().meta({ description: 'Alias of `depends_on`.' });
const modes = z.enum(['all', 'any']);

/** The SDKs name the same things differently; the first name that is present counts. */
export const addDependenciesBody = z
  .object({
    depends_on: parents.nullish(),
    depends_on_job_ids: alias,
    dependency_job_ids: alias,
    dependency_mode: modes.nullish(),
    dependency_type: filter(modes).meta({
      description: 'Alias of `dependency_mode`; other values are ignored.',
    }),
  })
  .check(({ value, issues }) => {
    if (value.depends_on ?? value.depends_on_job_ids ?? value.dependency_job_ids) return;
    issues.push({
      code: 'invalid_type',
      expected: 'array',
      input: value,
      path: ['depends_on'],
      message: 'is required',
    });
  });
export type AddDependenciesBody = z.infer<typeof addDependenciesBody>;

export const addedDependencies = z
  .object({
    job_id: z.uuid(),
    success: z.literal(true),
    dependencies_added: count,
    added: count,
    added_count: count,
    dependencies_met: z.boolean(),
    dependencies: z
      .array(z.object({ job_id: z.uuid(), depends_on_job_id: z.uuid(), dependency_type: z.literal('success') }))
      .meta({ description: 'The dependencies that were added.' }),
  })
  .meta({ id: 'AddedDependencies' });
export type AddedDependencies = z.infer<typeof addedDependencies>;
