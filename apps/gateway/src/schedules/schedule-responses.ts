import { rawJson } from '@spooled/contracts';
import type { ScheduleRow } from '@spooled/data-access';

/** A schedule as JSON text; its documents are copied as stored, without parsing. */
export const toScheduleResponse = ({ payload_template, tags, metadata, ...schedule }: ScheduleRow): string =>
  rawJson(schedule, { payload_template, tags, metadata });
