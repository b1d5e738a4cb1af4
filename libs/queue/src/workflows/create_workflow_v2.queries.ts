/** A record of `jobs`, as create_workflow_v2.sql reads it. */
export interface CreateWorkflowV2JobsRecord {
  queue: string | null | undefined;
}

/** A record of `edges`, as create_workflow_v2.sql reads it. */
export interface CreateWorkflowV2EdgesRecord {
  id: string | null | undefined;
  key: string | null | undefined;
  on: unknown;
  mode: string | null | undefined;
}
