import type { ScheduleRow } from '@spooled/data-access';
import { rawJson } from '../http/raw-json.js';

/** A whole schedule; its caller's payload is passed on as it was stored. */
export const scheduleAnswer = ({ payload_template, ...schedule }: ScheduleRow): string =>
  rawJson(schedule, { payload_template });

export const scheduleListAnswer = (schedules: ScheduleRow[]): string => `[${schedules.map(scheduleAnswer).join(',')}]`;
