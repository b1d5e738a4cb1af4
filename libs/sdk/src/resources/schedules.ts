import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Body, List, ListQuery, ResponseBody } from '../routes.js';

export type Schedule = ResponseBody<'GET /api/v1/schedules/{id}'>;

/** Recurring jobs, by cron expressions of 5 or 6 fields in a time zone. */
export class Schedules {
  constructor(private readonly http: HttpClient) {}

  create(schedule: Body<'POST /api/v1/schedules'>, options?: CallOptions) {
    return this.http.call('POST /api/v1/schedules', { ...options, body: schedule });
  }

  /** When a schedule would run next. Nothing is stored. */
  preview(schedule: Body<'POST /api/v1/schedules/preview'>, options?: CallOptions) {
    return this.http.call('POST /api/v1/schedules/preview', { idempotent: true, ...options, body: schedule });
  }

  list(query?: ListQuery<'GET /api/v1/schedules'>, options?: CallOptions): Promise<List<Schedule>> {
    return this.http.list('GET /api/v1/schedules', { ...options, query });
  }

  get(id: string, options?: CallOptions): Promise<Schedule> {
    return this.http.call('GET /api/v1/schedules/{id}', { ...options, params: { id } });
  }

  update(id: string, change: Body<'PUT /api/v1/schedules/{id}'>, options?: CallOptions): Promise<Schedule> {
    return this.http.call('PUT /api/v1/schedules/{id}', { ...options, params: { id }, body: change });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/schedules/{id}', { ...options, params: { id } });
  }

  pause(id: string, options?: CallOptions): Promise<Schedule> {
    return this.http.call('POST /api/v1/schedules/{id}/pause', { idempotent: true, ...options, params: { id } });
  }

  resume(id: string, options?: CallOptions): Promise<Schedule> {
    return this.http.call('POST /api/v1/schedules/{id}/resume', { idempotent: true, ...options, params: { id } });
  }

  /** Enqueues the schedule's job now, in addition to its runs. */
  trigger(id: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/schedules/{id}/trigger', { ...options, params: { id } });
  }

  /** The runs of a schedule, newest first. */
  history(id: string, query?: ListQuery<'GET /api/v1/schedules/{id}/history'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/schedules/{id}/history', { ...options, params: { id }, query });
  }
}
