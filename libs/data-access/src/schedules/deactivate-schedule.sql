/* @name deactivateSchedule */
UPDATE schedules SET is_active = false WHERE organization_id = :organizationId! AND id = :id!;
