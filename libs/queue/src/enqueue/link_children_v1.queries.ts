/** A record of `list`, as link_children_v1.sql reads it. */
export interface LinkChildrenV1Record {
  parent_job_id: string | null | undefined;
  id: string | null | undefined;
}
