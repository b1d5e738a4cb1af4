import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button } from './button';
import type { Choice } from './field';
import styles from './menu.module.css';

interface ChoiceMenuProps<T extends string> {
  label: string;
  choices: readonly Choice<T>[];
  selected: readonly T[];
  /** With the chosen values in the order of `choices`. */
  onChange(selected: T[]): void;
}

/** A button that opens a list of which any number can be chosen. It stays open while one chooses. */
export const ChoiceMenu = <T extends string>({ label, choices, selected, onChange }: ChoiceMenuProps<T>) => (
  <MenuTrigger>
    <Button size="s">{label}</Button>
    <Popover placement="bottom end" className={styles.popover}>
      <Menu
        aria-label={label}
        className={styles.menu}
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={(keys) =>
          onChange(choices.map(({ value }) => value).filter((value) => keys === 'all' || keys.has(value)))
        }
      >
        {choices.map((choice) => (
          <MenuItem key={choice.value} id={choice.value} className={styles.item}>
            {choice.label}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
);
