// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './renew-leases.sql';

export interface RenewLeasesParams {
  batch: string;
}

export interface RenewLeasesResult {
  cancel_requested: boolean;
  command: number;
  durable_only: boolean;
  lease_expires_at: string;
  lease_id: string;
  queue_name: string;
  seconds: number;
  why: string | null;
}

export const renewLeases = new PreparedQuery<RenewLeasesParams, RenewLeasesResult>(sql, 'renewLeases');
