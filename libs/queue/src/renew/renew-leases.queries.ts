/** Types generated for queries found in "libs/queue/src/renew/renew-leases.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RenewLeases' parameters type */
export interface RenewLeasesParams {
  batch: string;
}

/** 'RenewLeases' return type */
export interface RenewLeasesResult {
  command: number;
  durable_only: boolean;
  lease_expires_at: string;
  lease_id: string;
  queue_name: string;
  seconds: number;
  why: string | null;
}

/** 'RenewLeases' query type */
export interface RenewLeasesQuery {
  params: RenewLeasesParams;
  result: RenewLeasesResult;
}

const renewLeasesIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":303,"b":309}]}],"statement":"-- Where there is a reason (`why`), the lease was refused and all columns after it are null.\nSELECT\n  command AS \"command!\", why, lease_expires_at AS \"lease_expires_at!\", lease_id AS \"lease_id!\", queue_name AS \"queue_name!\",\n  seconds AS \"seconds!\", durable_only AS \"durable_only!\"\nFROM renew_leases_v1(:batch!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Where there is a reason (`why`), the lease was refused and all columns after it are null.
 * SELECT
 *   command AS "command!", why, lease_expires_at AS "lease_expires_at!", lease_id AS "lease_id!", queue_name AS "queue_name!",
 *   seconds AS "seconds!", durable_only AS "durable_only!"
 * FROM renew_leases_v1(:batch!)
 * ```
 */
export const renewLeases = new PreparedQuery<RenewLeasesParams,RenewLeasesResult>(renewLeasesIR);


