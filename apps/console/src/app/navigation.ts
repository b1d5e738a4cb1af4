import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../ui/icon';

export interface NavigationItem {
  label: string;
  to: NonNullable<LinkProps['to']>;
  icon: IconName;
  /** Second key of the shortcut that begins with `g`. */
  key: string;
  /** Whose sessions see it. @default 'organization' */
  kind?: 'organization' | 'administrator';
}

/** The menu, in order. */
export const navigation: readonly NavigationItem[] = [
  { label: 'Now', to: '/', icon: 'now', key: 'n' },
  { label: 'Queues', to: '/queues', icon: 'queue', key: 'q' },
  { label: 'Jobs', to: '/jobs', icon: 'job', key: 'j' },
  { label: 'Failures', to: '/failures', icon: 'failure', key: 'f' },
  { label: 'Operations', to: '/operations', icon: 'refresh', key: 'o' },
  { label: 'Workers', to: '/workers', icon: 'worker', key: 'w' },
  { label: 'Workflows', to: '/workflows', icon: 'workflow', key: 'l' },
  { label: 'Schedules', to: '/schedules', icon: 'schedule', key: 's' },
  { label: 'Webhooks', to: '/webhooks', icon: 'webhook', key: 'h' },
  { label: 'API keys', to: '/keys', icon: 'key', key: 'k' },
  { label: 'Limits and usage', to: '/usage', icon: 'usage', key: 'u' },
  { label: 'Audit log', to: '/audit', icon: 'audit', key: 'a' },
  { label: 'Organization', to: '/organization', icon: 'organization', key: 'z' },
];
