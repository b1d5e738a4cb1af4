/** A record of `jobs`, as create_workflow_v1.sql reads it. */
export interface CreateWorkflowV1JobsRecord {
  queue: string | null | undefined;
}

/** A record of `edges`, as create_workflow_v1.sql reads it. */
export interface CreateWorkflowV1EdgesRecord {
  id: string | null | undefined;
  key: string | null | undefined;
  on: unknown;
  mode: string | null | undefined;
}
