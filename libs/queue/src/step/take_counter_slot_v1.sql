-- Takes a free counter slot for this transaction. Counter rows belong to one transaction at a time: while the slot was the process
-- id modulo 16, two transactions waited for each other's rows in the order in which each had touched its queues (41 deadlocks in
-- 80 minutes). A slot is held by an advisory lock until the transaction ends. The lock is only tried and never waited for, so that
-- no order of queues, organizations or statements can lead to a deadlock over counters, also through PgBouncer.
--
-- One of the first 16 slots where possible, so that a queue has few rows; the process id decides where the search begins, so that it
-- mostly ends there. Each transaction holds one slot, so one is free among as many as there can be connections.
--
-- Output: the slot; also in the setting app.counter_slot, which ends with the transaction or the savepoint, as the lock does
CREATE OR REPLACE FUNCTION take_counter_slot_v1() RETURNS smallint
  LANGUAGE plpgsql
AS $$
DECLARE
  lock_class constant integer := hashtext('spooled counter slot');
  slot integer;
BEGIN
  FOR tried IN 0..32766 LOOP
    slot := CASE WHEN tried < 16 THEN (pg_backend_pid() + tried) % 16 ELSE tried END;
    IF pg_try_advisory_xact_lock(lock_class, slot) THEN
      PERFORM set_config('app.counter_slot', slot::text, true);
      RETURN slot;
    END IF;
  END LOOP;
  RAISE EXCEPTION 'no counter slot is free';
END
$$;
