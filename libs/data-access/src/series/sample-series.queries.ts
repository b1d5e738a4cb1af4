// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './sample-series.sql';

export type LockSamplesParams = void;

export interface LockSamplesResult {
  done: undefined | null;
}

export type BeginSampleParams = void;

export interface BeginSampleResult {
  at: string;
  previous_at: string | null;
}

export interface MsToNextSampleParams {
  seconds: number;
}

export interface MsToNextSampleResult {
  ms: number;
}

export interface SampleSeriesParams {
  at: string;
  most: number;
  previousAt?: string | null | void;
}

export interface SampleSeriesResult {
  rows: number;
}

export interface RollUpSeriesParams {
  from: number;
  most: number;
  to: number;
}

export interface RollUpSeriesResult {
  rows: number;
}

export interface DeleteOldSeriesParams {
  limit: number;
}

export interface DeleteOldSeriesResult {
  deleted: number;
}

export const lockSamples = new PreparedQuery<LockSamplesParams, LockSamplesResult>(sql, 'lockSamples');
export const beginSample = new PreparedQuery<BeginSampleParams, BeginSampleResult>(sql, 'beginSample');
export const msToNextSample = new PreparedQuery<MsToNextSampleParams, MsToNextSampleResult>(sql, 'msToNextSample');
export const sampleSeries = new PreparedQuery<SampleSeriesParams, SampleSeriesResult>(sql, 'sampleSeries');
export const rollUpSeries = new PreparedQuery<RollUpSeriesParams, RollUpSeriesResult>(sql, 'rollUpSeries');
export const deleteOldSeries = new PreparedQuery<DeleteOldSeriesParams, DeleteOldSeriesResult>(sql, 'deleteOldSeries');
