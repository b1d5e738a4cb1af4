/* @name resetUsage */
-- Resets the number of jobs that the current organization has created today.
DELETE FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date;
