// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './cause-reports.sql';

export type stringArray = (string)[];

export interface FindCauseReadersParams {
  lagSeconds: number;
  limit: number;
  pauseSeconds: number;
}

export interface FindCauseReadersResult {
  organization_id: string;
}

export type DeleteCauseReportStatesParams = void;

export type DeleteCauseReportStatesResult = void;

export interface BeginCauseLookParams {
  lagSeconds: number;
  longestMinutes: number;
  organizationId: string;
}

export interface BeginCauseLookResult {
  hourBeganAt: string;
  lookedUntil: string;
  omitted: number | null;
  reported: number;
  startedAt: string;
  until: string;
}

export interface FindCausesToReportParams {
  lookedUntil: string;
  most: number;
  organizationId: string;
  scanned: number;
  startedAt: string;
  until: string;
}

export interface FindCausesToReportResult {
  cause_id: string;
  error: string;
  hour_before: number;
  in_window: number;
  is_new: boolean;
  is_seen: boolean;
  job_id: string;
  job_type: string;
  last_hour: number;
  last_seen_at: string;
  queue_name: string;
  reported_hours_ago: number | null;
  reported_jobs: number | null;
  sample_error: string | null;
  settings: string | null;
  since: string;
}

export interface EndCauseLookParams {
  hourBeganAt: string;
  omitted?: number | null | void;
  organizationId: string;
  reported: number;
  until: string;
}

export type EndCauseLookResult = void;

export interface NoteSeenCausesParams {
  causeIds: stringArray;
  organizationId: string;
  times: stringArray;
}

export type NoteSeenCausesResult = void;

export interface NoteReportedCauseParams {
  causeId: string;
  jobs: number;
  lastSeenAt: string;
  organizationId: string;
}

export type NoteReportedCauseResult = void;

export const findCauseReaders = new PreparedQuery<FindCauseReadersParams, FindCauseReadersResult>(sql, 'findCauseReaders');
export const deleteCauseReportStates = new PreparedQuery<DeleteCauseReportStatesParams, DeleteCauseReportStatesResult>(sql, 'deleteCauseReportStates');
export const beginCauseLook = new PreparedQuery<BeginCauseLookParams, BeginCauseLookResult>(sql, 'beginCauseLook');
export const findCausesToReport = new PreparedQuery<FindCausesToReportParams, FindCausesToReportResult>(sql, 'findCausesToReport');
export const endCauseLook = new PreparedQuery<EndCauseLookParams, EndCauseLookResult>(sql, 'endCauseLook');
export const noteSeenCauses = new PreparedQuery<NoteSeenCausesParams, NoteSeenCausesResult>(sql, 'noteSeenCauses');
export const noteReportedCause = new PreparedQuery<NoteReportedCauseParams, NoteReportedCauseResult>(sql, 'noteReportedCause');
