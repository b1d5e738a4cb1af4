// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-marks.sql';

export type stringArray = (string)[];

export interface FindMarksParams {
  from: string;
  most: number;
  organizationId: string;
  queue?: string | null | void;
  scanned: number;
  scope?: stringArray | null | void;
  to: string;
}

export interface FindMarksResult {
  at: string | null;
  is_cut: boolean;
  kind: string | null;
  operation_id: string | null;
  operation_kind: string | null;
  queue_name: string | null;
  version: string | null;
}

export const findMarks = new PreparedQuery<FindMarksParams, FindMarksResult>(sql, 'findMarks');
