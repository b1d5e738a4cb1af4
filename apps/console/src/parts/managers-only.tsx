import { Notice } from '../ui/notice';

/** In place of what only managers of the organization may see. */
export const ManagersOnly = ({ what }: { what: string }) => (
  <Notice tone="info" title={`${what} are for administrators of the organization`}>
    Sign in with a key that has the role Admin and is for all queues.
  </Notice>
);
