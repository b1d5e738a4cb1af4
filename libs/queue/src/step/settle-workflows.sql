/* @name settleWorkflows */
SELECT settle_workflows_v2(:batch!) AS "recorded!";
