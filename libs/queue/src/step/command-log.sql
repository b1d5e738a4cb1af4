/* @name findLoggedOutcomes */
SELECT logged_outcomes_v1(:batch!) AS "outcomes!";

/* @name logOutcomes */
SELECT log_outcomes_v1(:batch!) AS done;

/* @name logRefusal */
-- For a refusal, whose own transaction was rolled back; an outcome already logged is kept.
INSERT INTO command_log (organization_id, command_id, outcome) VALUES (:organizationId!, :id!, :outcome!) ON CONFLICT DO NOTHING;
