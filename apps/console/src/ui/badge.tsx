import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from './class-names';
import { Icon, type IconName } from './icon';

export type Tone = 'neutral' | 'ok' | 'info' | 'warn' | 'danger';

/** A state in a word. Its picture differs too, so that colour is never the only difference. */
export const Badge = ({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) => (
  <span className={classes(styles.badge, styles[tone])}>
    {icon && <Icon name={icon} size={12} />}
    {children}
  </span>
);
