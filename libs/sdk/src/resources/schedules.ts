import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body, Query } from '../routes.js';

export type Schedule = Answer<'GET /api/v1/schedules/{id}'>;

/** Jobs that come again and again, by cron expressions of 5 or 6 fields in a time zone. */
export class Schedules {
  constructor(private readonly http: HttpClient) {}

  create(schedule: Body<'POST /api/v1/schedules'>, options?: CallOptions): Promise<Answer<'POST /api/v1/schedules'>> {
    return this.http.call('POST /api/v1/schedules', { ...options, body: schedule });
  }

  list(query?: Query<'GET /api/v1/schedules'>, options?: CallOptions): Promise<Schedule[]> {
    return this.http.call('GET /api/v1/schedules', { ...options, query });
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
    return this.http.call('POST /api/v1/schedules/{id}/pause', { repeatable: true, ...options, params: { id } });
  }

  resume(id: string, options?: CallOptions): Promise<Schedule> {
    return this.http.call('POST /api/v1/schedules/{id}/resume', { repeatable: true, ...options, params: { id } });
  }

  /** Adds its job now, besides its plan. */
  trigger(id: string, options?: CallOptions): Promise<Answer<'POST /api/v1/schedules/{id}/trigger'>> {
    return this.http.call('POST /api/v1/schedules/{id}/trigger', { ...options, params: { id } });
  }

  /** Its runs, newest first. */
  history(
    id: string,
    query?: Query<'GET /api/v1/schedules/{id}/history'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /api/v1/schedules/{id}/history'>> {
    return this.http.call('GET /api/v1/schedules/{id}/history', { ...options, params: { id }, query });
  }
}
