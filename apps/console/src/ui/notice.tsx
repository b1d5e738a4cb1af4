import type { ReactNode } from 'react';
import type { Tone } from './badge';
import { classes } from './class-names';
import { Icon, type IconName } from './icon';
import common from './common.module.css';
import styles from './notice.module.css';

const icons: Record<Tone, IconName> = {
  neutral: 'info',
  info: 'info',
  ok: 'check',
  warn: 'warning',
  danger: 'stop',
};

interface NoticeProps {
  tone?: Tone;
  title: ReactNode;
  children?: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
}

/** A message in the page: a problem with what can be done about it, or what an empty list means. */
export const Notice = ({ tone = 'neutral', title, children, action }: NoticeProps) => (
  <div className={classes(styles.notice, common[tone])}>
    <span className={styles.icon}>
      <Icon name={icons[tone]} />
    </span>
    <div className={styles.text}>
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

interface NotCheckedProps {
  /** Why some parts are missing; empty if none is. */
  reasons: readonly string[];
  title?: string;
  separator?: string;
}

/** What the server could not find out. */
export const NotChecked = ({ reasons, title = 'Not everything could be checked', separator = '. ' }: NotCheckedProps) =>
  reasons.length > 0 && (
    <Notice tone="warn" title={title}>
      {reasons.join(separator)}
    </Notice>
  );
