import { rawJson } from '@spooled/contracts';
import type { JobRow } from '@spooled/data-access';
import { visibleJobSettings } from '@spooled/domain';
import { asJobSettings } from './job-settings.js';

/** A job as JSON text; its documents are copied as stored, without parsing. */
export const toJobResponse = ({ payload, result, tags, settings, ...job }: JobRow): string =>
  rawJson({ ...job, ...visibleJobSettings(asJobSettings(settings)) }, { payload, result, tags });
