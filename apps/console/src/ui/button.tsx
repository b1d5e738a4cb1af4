import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './button.module.css';
import { classes } from './class-names';
import { Icon, type IconName } from './icon';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'm' | 's';
  icon?: IconName;
  /** Of an act that is not always possible: why it is not, such as a missing role; null if it is. The button says so and is disabled. */
  refused?: string | null;
  children?: ReactNode;
}

export function Button({ variant = 'plain', size = 'm', icon, refused, children, ...props }: ButtonProps) {
  const className = classes(styles.button, styles[variant], styles[size]);
  const button = (
    <AriaButton {...props} isDisabled={props.isDisabled === true || Boolean(refused)} className={className}>
      {icon && <Icon name={icon} />}
      {children}
      {refused && <span className={styles.reason}>, not possible: {refused}</span>}
    </AriaButton>
  );
  return refused === undefined ? (
    button
  ) : (
    <span className={styles.act} title={refused ?? undefined}>
      {button}
    </span>
  );
}

/** A button with a picture alone; `label` is its name. */
export const IconButton = ({ label, icon, ...props }: ButtonProps & { label: string; icon: IconName }) => (
  <AriaButton {...props} aria-label={label} className={classes(styles.button, styles.quiet, styles.square)}>
    <Icon name={icon} />
  </AriaButton>
);
