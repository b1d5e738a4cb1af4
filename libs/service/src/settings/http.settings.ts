import { commaList, setting } from '@spooled/platform';
import { z } from 'zod';

export const corsSettings = {
  CORS_ALLOWED_ORIGINS: setting(
    commaList(z.string()).default([]),
    'Origins that browsers may call from in production. Outside production every origin is allowed.',
  ),
};
