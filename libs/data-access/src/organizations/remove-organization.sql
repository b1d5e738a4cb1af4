/* @name removeOrganization */
-- Deletes the current organization with its keys, sessions and queue settings. A trigger begins the operation that deletes all other
-- rows in steps.
DELETE FROM organizations WHERE id = current_organization();
