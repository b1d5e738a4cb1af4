import type { ScheduleRow } from '@spooled/data-access';
import { rawJson } from '../http/raw-json.js';

/** A whole schedule; its caller's payload is passed on as it was stored. */
export const toScheduleResponse = ({ payload_template, ...schedule }: ScheduleRow): string =>
  rawJson(schedule, { payload_template });

export const toScheduleListResponse = (schedules: ScheduleRow[]): string =>
  `[${schedules.map(toScheduleResponse).join(',')}]`;
