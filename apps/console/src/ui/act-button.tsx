import styles from './act-button.module.css';
import { Button, type ButtonProps } from './button';

interface ActButtonProps extends ButtonProps {
  /** Why the act is not possible, such as a missing role; null if it is. */
  refused: string | null;
}

/** A button of an act that is not always possible: then it is disabled and says why. */
export const ActButton = ({ refused, isDisabled, children, ...props }: ActButtonProps) => (
  <span className={styles.act} title={refused ?? undefined}>
    <Button {...props} isDisabled={isDisabled === true || refused !== null}>
      {children}
      {refused !== null && <span className={styles.reason}>, not possible: {refused}</span>}
    </Button>
  </span>
);
