/* @name deleteSchedule */
DELETE FROM schedules WHERE organization_id = :organizationId! AND id = :id!;
