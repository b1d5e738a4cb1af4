/* @name resetUsage */
-- Resets the number of jobs that the current organization has created today.
DELETE FROM usage_counters WHERE day = (now() AT TIME ZONE 'UTC')::date;
