import type { ResponseBody } from '../routes.js';
import { repeatable, Resource } from './resource.js';

export type Schedule = ResponseBody<'GET /api/v1/schedules/{id}'>;

/** Recurring jobs, by cron expressions of 5 or 6 fields in a time zone. */
export class Schedules extends Resource {
  readonly create = this.withBody('POST /api/v1/schedules');
  /** When a schedule would run next. Nothing is stored. */
  readonly preview = this.withBody('POST /api/v1/schedules/preview', repeatable);
  readonly list = this.rows('GET /api/v1/schedules');
  readonly get = this.withId('GET /api/v1/schedules/{id}');
  readonly update = this.withIdAndBody('PUT /api/v1/schedules/{id}');
  readonly delete = this.withId('DELETE /api/v1/schedules/{id}');
  readonly pause = this.withId('POST /api/v1/schedules/{id}/pause', repeatable);
  readonly resume = this.withId('POST /api/v1/schedules/{id}/resume', repeatable);
  /** Enqueues the schedule's job now, in addition to its runs. */
  readonly trigger = this.withId('POST /api/v1/schedules/{id}/trigger');
  /** The runs of a schedule, newest first. */
  readonly history = this.rowsOfId('GET /api/v1/schedules/{id}/history');
}
