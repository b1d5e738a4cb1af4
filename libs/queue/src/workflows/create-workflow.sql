/* @name createWorkflow */
SELECT create_workflow_v1(:organizationId!, :flow!, :part!, :edges!, :maxWorkflows, :maxRetries!, :timeoutSeconds!) AS "answer!";
