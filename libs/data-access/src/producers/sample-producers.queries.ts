// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './sample-producers.sql';

export type stringArray = (string)[];

export interface ListJobTypesParams {
  most: number;
  organizationId: string;
  queueName: string;
}

export interface ListJobTypesResult {
  is_known: boolean;
  types: stringArray;
}

export interface SampleProducersParams {
  minutes: number;
  organizationId: string;
  perType: number;
  queueName: string;
  top: number;
  types?: stringArray | null | void;
}

export interface SampleProducersResult {
  creators: string;
  is_cut: boolean;
  jobs: number;
  since: string;
  tags: string;
  types: string;
  until: string;
}

export const listJobTypes = new PreparedQuery<ListJobTypesParams, ListJobTypesResult>(sql, 'listJobTypes');
export const sampleProducers = new PreparedQuery<SampleProducersParams, SampleProducersResult>(sql, 'sampleProducers');
