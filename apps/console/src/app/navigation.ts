import type { LinkProps } from '@tanstack/react-router';
import type { Session } from '../api/session';
import type { IconName } from '../ui/icon';

export interface NavigationItem {
  label: string;
  to: NonNullable<LinkProps['to']>;
  icon: IconName;
  /** Second key of the shortcut that begins with `g`. */
  key: string;
  /** Whose sessions see it. @default 'organization' */
  kind?: Session['kind'];
}

/** The menu, in order. */
const navigation: readonly NavigationItem[] = [
  { label: 'Now', to: '/', icon: 'now', key: 'n' },
  { label: 'Queues', to: '/queues', icon: 'queue', key: 'q' },
  { label: 'Jobs', to: '/jobs', icon: 'job', key: 'j' },
  { label: 'Running now', to: '/running', icon: 'play', key: 'r' },
  { label: 'Job types', to: '/types', icon: 'types', key: 't' },
  { label: 'Failures', to: '/failures', icon: 'failure', key: 'f' },
  { label: 'Operations', to: '/operations', icon: 'refresh', key: 'o' },
  { label: 'Workers', to: '/workers', icon: 'worker', key: 'w' },
  { label: 'Workflows', to: '/workflows', icon: 'workflow', key: 'l' },
  { label: 'Batches', to: '/batches', icon: 'batch', key: 'b' },
  { label: 'Schedules', to: '/schedules', icon: 'schedule', key: 's' },
  { label: 'Webhooks', to: '/webhooks', icon: 'webhook', key: 'h' },
  { label: 'API keys', to: '/keys', icon: 'key', key: 'k' },
  { label: 'Limits and usage', to: '/usage', icon: 'usage', key: 'u' },
  { label: 'Audit log', to: '/audit', icon: 'audit', key: 'a' },
  { label: 'Organization', to: '/organization', icon: 'organization', key: 'z' },
  { label: 'Platform', to: '/platform', icon: 'platform', key: 'n', kind: 'administrator' },
  { label: 'Organizations', to: '/platform/organizations', icon: 'organization', key: 'z', kind: 'administrator' },
  { label: 'Plans', to: '/platform/plans', icon: 'usage', key: 'p', kind: 'administrator' },
  { label: 'Audit log', to: '/platform/audit', icon: 'audit', key: 'a', kind: 'administrator' },
];

/** What sessions of this kind see. */
export const navigationFor = (kind: Session['kind']): NavigationItem[] =>
  navigation.filter((item) => (item.kind ?? 'organization') === kind);
