/* @name msUntilNextSchedule */
SELECT (extract(epoch FROM min(next_run_at) - clock_timestamp()) * 1000)::float8 AS ms FROM schedules WHERE is_active;
