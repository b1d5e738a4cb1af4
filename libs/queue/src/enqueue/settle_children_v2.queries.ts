/** A record of `list`, as settle_children_v2.sql reads it. */
export interface SettleChildrenV2Record {
  parent_job_id: string | null | undefined;
  id: string | null | undefined;
}
