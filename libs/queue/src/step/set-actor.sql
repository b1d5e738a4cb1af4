/* @name setActor */
-- Who acts in this transaction, why, and from where, for the history of the jobs that it touches and the audit log; null = unknown.
SELECT set_config('app.actor', coalesce(:actor, ''), true) AS actor, set_config('app.reason', coalesce(:reason, ''), true) AS reason,
  set_config('app.address', coalesce(:address, ''), true) AS address,
  set_config('app.user_agent', coalesce(:userAgent, ''), true) AS user_agent;
