/* @name deleteSchedule */
-- Its last runs go with it, once deleteRunsOfSchedule has left few.
DELETE FROM schedules WHERE organization_id = :organizationId! AND id = :id!;
