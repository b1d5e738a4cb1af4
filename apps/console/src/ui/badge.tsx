import common from './common.module.css';
import styles from './badge.module.css';
import { classes } from './class-names';
import { Icon, type IconName } from './icon';

export type Tone = 'neutral' | 'ok' | 'info' | 'warn' | 'danger';

interface BadgeProps {
  label: string;
  tone?: Tone;
  icon?: IconName;
}

/** A state in a word. Its picture differs too, so that colour is never the only difference. */
export const Badge = ({ label, tone = 'neutral', icon }: BadgeProps) => (
  <span className={classes(styles.badge, common[tone])}>
    {icon && <Icon name={icon} size={12} />}
    {label}
  </span>
);

/** How a state shows. */
export type Look = Required<BadgeProps>;
export type StatusLooks<S extends string> = Record<S, Look>;

/** A badge for each status of a thing. Those of later versions of the server show by the API's names. */
export const statusBadge =
  <S extends string>(looks: StatusLooks<S>) =>
  ({ status, label = looks[status]?.label ?? status }: { status: S; label?: string }) => (
    <Badge {...looks[status]} label={label} />
  );

/** What a filter by the status offers. */
export const statusChoices = <S extends string>(looks: StatusLooks<S>): { value: S; label: string }[] =>
  (Object.keys(looks) as S[]).map((value) => ({ value, label: looks[value].label }));
