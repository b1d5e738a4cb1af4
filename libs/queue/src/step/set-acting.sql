/* @name setActing */
-- Who acts in this transaction and why, for the history of the jobs that it touches; null = unknown.
SELECT set_config('app.actor', coalesce(:actor, ''), true) AS actor, set_config('app.reason', coalesce(:reason, ''), true) AS reason;
