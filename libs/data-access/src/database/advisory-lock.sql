/* @name keepTransactionOpen */
SELECT set_config('idle_in_transaction_session_timeout', :idleMs!, true) AS "set!";

/* @name tryAdvisoryLock */
SELECT pg_try_advisory_xact_lock(hashtextextended(:name!, 0)) AS "acquired!";

/* @name stayConnected */
-- Without parameters, so that it leaves no portal open.
SELECT 1 AS "one!";

/* @name isAdvisoryLockHeld */
-- Whether another transaction holds the lock exclusively. Taken in shared mode for a moment, which no other such check prevents.
SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended(:name!, 0)) AS "held!";
