import { Dialog } from '../ui/dialog';
import { navigationFor } from './navigation';
import styles from './shortcuts-dialog.module.css';
import { useSession } from './use-session';

const general: [string[], string][] = [
  [['/'], 'Search'],
  [['j'], 'Next row of a table'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['x'], 'Choose the row'],
  [['u'], 'Undo an action on many jobs that has not begun'],
  [['?'], 'Show these shortcuts'],
  [['Esc'], 'Close a dialog or menu'],
];

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { kind } = useSession();
  const screens = navigationFor(kind).map(({ key, label }): [string[], string] => [['g', key], `Go to ${label}`]);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.list}>
        {[...general, ...screens].map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
