import type { ScheduleRow } from '@spooled/data-access';
import { rawJson } from '../http/raw-json.js';

/** A schedule as JSON text; the payload template is copied as stored, without parsing. */
export const toScheduleResponse = ({ payload_template, ...schedule }: ScheduleRow): string =>
  rawJson(schedule, { payload_template });

export const toScheduleListResponse = (schedules: ScheduleRow[]): string =>
  `[${schedules.map(toScheduleResponse).join(',')}]`;
