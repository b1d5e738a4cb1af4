-- When a job was cancelled; null for every other job. An index on the outcome would make each completion write all indexes of the record
-- (12 µs); no completion changes this column.
ALTER TABLE jobs ADD COLUMN cancelled_at timestamptz;

-- Until the functions of this release are installed, those of the previous one cancel jobs without the column.
CREATE FUNCTION mark_cancelled_job() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.cancelled_at := CASE WHEN NEW.outcome = 'cancelled' THEN NEW.completed_at END;
  RETURN NEW;
END
$$;
CREATE TRIGGER mark_cancelled BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN (NEW.outcome IS NOT DISTINCT FROM 'cancelled' OR NEW.cancelled_at IS NOT NULL) EXECUTE FUNCTION mark_cancelled_job();

-- Row-level security hides all jobs from the owner, who marks the older ones in the migration after the next. Created here, because it
-- locks the table.
CREATE POLICY cancelled_before ON jobs TO CURRENT_USER USING (outcome = 'cancelled');
