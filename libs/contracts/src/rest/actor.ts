import { z } from 'zod';
import { actorKinds } from '../actor.js';

export const actor = z
  .object({ kind: z.enum(actorKinds), id: z.string().nullable(), name: z.string().nullable() })
  .meta({ id: 'Actor', description: 'Who caused a change, as it was called at that time.' });
