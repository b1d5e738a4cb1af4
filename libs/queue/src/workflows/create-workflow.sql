/* @name createWorkflow */
SELECT create_workflow_v2(:organizationId!, :flow!, :part!, :edges!, :maxWorkflows, :maxRetries!, :timeoutSeconds!) AS "answer!";
