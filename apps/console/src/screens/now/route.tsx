import { createRoute, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';

export const nowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/queues' });
  },
});
