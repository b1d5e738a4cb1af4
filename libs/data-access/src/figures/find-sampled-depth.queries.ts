// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-sampled-depth.sql';

export interface FindSampledDepthParams {
  organizationId: string;
  queueName: string;
}

export interface FindSampledDepthResult {
  pending: number;
  processing: number;
  scheduled: number;
}

export const findSampledDepth = new PreparedQuery<FindSampledDepthParams, FindSampledDepthResult>(sql, 'findSampledDepth');
