// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-series.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface ReadSeriesParams {
  from: string;
  organizationId: string;
  queues: stringArray;
  step: number;
  to: string;
}

export interface ReadSeriesResult {
  at: string;
  cancelled: number;
  completed: number;
  created: number;
  deadlettered: number;
  expired: number;
  left_out: number;
  oldest_ms: number;
  pending: number;
  processing: number;
  queue_name: string;
  retried: number;
  run_buckets: numberArray;
  run_jobs: numberArray;
  run_ms: number;
  scheduled: number;
  started: number;
  wait_buckets: numberArray;
  wait_jobs: numberArray;
  wait_ms: number;
}

export interface ReadSeriesOfAllParams {
  from: string;
  most: number;
  organizationId: string;
  step: number;
  to: string;
}

export interface ReadSeriesOfAllResult {
  at: string;
  cancelled: number;
  completed: number;
  created: number;
  deadlettered: number;
  expired: number;
  left_out: number;
  oldest_ms: number;
  pending: number;
  processing: number;
  queue_name: string;
  retried: number;
  run_buckets: numberArray;
  run_jobs: numberArray;
  run_ms: number;
  scheduled: number;
  started: number;
  wait_buckets: numberArray;
  wait_jobs: numberArray;
  wait_ms: number;
}

export interface ReadSamplesParams {
  from: string;
  step: number;
  to: string;
}

export interface ReadSamplesResult {
  at: string;
  counted_from: string;
  counted_seconds: number;
  counted_to: string;
  has_depth: boolean;
}

export const readSeries = new PreparedQuery<ReadSeriesParams, ReadSeriesResult>(sql, 'readSeries');
export const readSeriesOfAll = new PreparedQuery<ReadSeriesOfAllParams, ReadSeriesOfAllResult>(sql, 'readSeriesOfAll');
export const readSamples = new PreparedQuery<ReadSamplesParams, ReadSamplesResult>(sql, 'readSamples');
