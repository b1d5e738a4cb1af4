import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button } from './button';
import { classes } from './class-names';
import type { IconName } from './icon';
import styles from './menu.module.css';

interface ActionMenuProps<Id extends string> {
  label: string;
  /** On the button, which otherwise shows only its picture. */
  text?: string;
  /** The text also shows in narrow windows. */
  keepsText?: boolean;
  icon: IconName;
  items: readonly { id: Id; label: string; disabled?: boolean }[];
  /** For menus that choose one of several. */
  selected?: Id;
  onAction(id: Id): void;
}

/** A button that opens a list of acts. */
export const ActionMenu = <Id extends string>({
  label,
  text,
  keepsText = false,
  icon,
  items,
  selected,
  onAction,
}: ActionMenuProps<Id>) => (
  <MenuTrigger>
    <Button variant={keepsText ? 'plain' : 'quiet'} icon={icon} aria-label={label}>
      {text && <span className={classes(styles.text, keepsText && styles.kept)}>{text}</span>}
    </Button>
    <Popover placement="bottom end" className={styles.popover}>
      <Menu
        aria-label={label}
        className={styles.menu}
        onAction={(id) => onAction(id as Id)}
        selectionMode={selected === undefined ? 'none' : 'single'}
        selectedKeys={selected === undefined ? [] : [selected]}
        disabledKeys={items.filter(({ disabled }) => disabled).map(({ id }) => id)}
      >
        {items.map((item) => (
          <MenuItem key={item.id} id={item.id} className={styles.item}>
            {item.label}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
);
