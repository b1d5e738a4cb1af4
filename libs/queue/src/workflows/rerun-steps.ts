import type { RerunStep } from '@spooled/domain';
import { z } from 'zod';
import type { FindRerunStepsResult } from './rerun-steps.queries.js';

const outcome = z.enum(['completed', 'failed', 'deadletter', 'cancelled']).nullable();
const parents = z.array(z.object({ id: z.string(), key: z.string(), outcome }));

/** A row of `findRerunSteps` as the rules of the domain read it. */
export const toRerunStep = (row: FindRerunStepsResult): RerunStep => ({
  id: row.id,
  key: row.key,
  outcome: outcome.parse(row.outcome),
  isBlocked: row.is_blocked,
  mode: row.dependency_mode === 'any' ? 'any' : 'all',
  parents: parents.parse(row.parents),
});
