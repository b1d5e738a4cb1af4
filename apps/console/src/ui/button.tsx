import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './button.module.css';
import { classes } from './class-names';
import { Icon, type IconName } from './icon';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'm' | 's';
  icon?: IconName;
  children?: ReactNode;
}

export const Button = ({ variant = 'plain', size = 'm', icon, children, ...props }: ButtonProps) => (
  <AriaButton {...props} className={classes(styles.button, styles[variant], styles[size])}>
    {icon && <Icon name={icon} />}
    {children}
  </AriaButton>
);

/** A button with a picture alone; `label` is its name. */
export const IconButton = ({ label, icon, ...props }: ButtonProps & { label: string; icon: IconName }) => (
  <AriaButton {...props} aria-label={label} className={classes(styles.button, styles.quiet, styles.square)}>
    <Icon name={icon} />
  </AriaButton>
);
