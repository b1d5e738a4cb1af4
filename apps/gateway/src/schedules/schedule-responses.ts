import { rawJson } from '@spooled/contracts';
import type { ScheduleRow } from '@spooled/data-access';
import { visibleJobSettings } from '@spooled/domain';
import { storedSettings } from './schedule-fields.js';

/** A schedule as JSON text; its documents are copied as stored, without parsing. */
export const toScheduleResponse = ({ payload_template, tags, metadata, settings, ...schedule }: ScheduleRow): string =>
  rawJson({ ...schedule, ...visibleJobSettings(storedSettings(settings)) }, { payload_template, tags, metadata });
