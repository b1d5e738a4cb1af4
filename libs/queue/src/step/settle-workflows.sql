/* @name settleWorkflows */
SELECT settle_workflows_v3(:batch!) AS "settled!";
