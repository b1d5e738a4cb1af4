/* @name updateWorkflowStatus */
SELECT update_workflow_status_v1(:batch!) AS "settled!";
