import { IconButton } from './button';
import { classes } from './class-names';
import { explainFailedAct } from './error-text';
import { Store, useStore } from './store';
import styles from './toast.module.css';

interface ToastMessage {
  id: number;
  tone: 'ok' | 'danger';
  text: string;
}

const shownMs = 8_000;
const messages = new Store<readonly ToastMessage[]>([]);
let nextId = 1;

const dismiss = (id: number): void => messages.set(messages.get().filter((message) => message.id !== id));

function show(tone: ToastMessage['tone'], text: string): void {
  const id = nextId++;
  messages.set([...messages.get().slice(-3), { id, tone, text }]);
  // Errors stay until they are dismissed.
  if (tone === 'ok') setTimeout(() => dismiss(id), shownMs);
}

/** Tells what an act of the user has done. */
export const toast = {
  done: (text: string) => show('ok', text),
  failed: (what: string, error: unknown) => show('danger', `${what}: ${explainFailedAct(error)}`),
};

/** Screen readers announce each new message. */
export function Toasts() {
  const shown = useStore(messages);
  return (
    <div className={styles.region} role="log" aria-live="polite" aria-label="Messages">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={classes(styles.toast, styles[tone])}>
          <span>{text}</span>
          <IconButton label="Dismiss" icon="close" onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
