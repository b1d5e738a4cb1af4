/* @name settleWorkflows */
SELECT settle_workflows_v1(:batch!) AS done;
