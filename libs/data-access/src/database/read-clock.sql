/* @name readClock */
SELECT current_ts(clock_timestamp()) AS "now!";
