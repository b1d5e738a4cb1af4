import { Dialog } from '../ui/dialog';
import { navigation } from './navigation';
import styles from './shortcuts-dialog.module.css';

const general: [string[], string][] = [
  [['/'], 'Search'],
  [['?'], 'Show these shortcuts'],
  [['Esc'], 'Close a dialog or menu'],
];

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const screens = navigation.map(({ key, label }): [string[], string] => [['g', key], `Go to ${label}`]);
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
