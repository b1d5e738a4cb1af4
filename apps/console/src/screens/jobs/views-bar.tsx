import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { DialogButton, DialogButtons } from '../../ui/dialog-buttons';
import { classes } from '../../ui/class-names';
import { CopyButton } from '../../ui/copy-button';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { readKept } from '../../ui/store';
import type { JobsSearch } from './jobs-search';
import { maxNameLength, readViews, type SavedView, viewKey, viewOf, withoutView, withView } from './saved-views';
import styles from './views-bar.module.css';
import { useSession } from '../../app/use-session';

/** The views that were saved, as links, and what can be done with the one that shows. */
export function ViewsBar({ search }: { search: JobsSearch }) {
  const [views] = useSavedViews();
  const key = viewKey(search);
  const current = views.find((view) => viewKey(view.search) === key)?.name;
  return (
    <div className={styles.bar}>
      <nav aria-label="Saved views">
        <ul className={styles.views}>
          <li>
            <Link to="/jobs" search={{}} className={classes(styles.view, key === '' && styles.current)}>
              All jobs
            </Link>
          </li>
          {views.map(({ name, search: view }) => (
            <li key={name}>
              <Link to="/jobs" search={view} className={classes(styles.view, name === current && styles.current)}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.acts}>
        {current === undefined ? (
          key !== '' && <DialogButton of={{ search }} label="Save view…" size="s" icon="plus" dialog={SaveDialog} />
        ) : (
          <DialogButtons
            of={{ name: current, search }}
            buttons={[
              { label: 'Rename view…', size: 's', dialog: RenameDialog },
              { label: 'Delete view…', size: 's', dialog: DeleteDialog },
            ]}
          />
        )}
        <CopyButton size="s" label="Link to this view" act="Copy link" text={() => location.href} />
      </div>
    </div>
  );
}

const kept = 'Views are kept in this browser, for this organization. To share one, send its link.';
const nameProblem = (name: string): string | null =>
  name.trim().length > maxNameLength ? `At most ${maxNameLength} characters` : null;

function SaveDialog({ search, onClose }: { search: JobsSearch; onClose(): void }) {
  const [views, change] = useSavedViews();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const replaces = views.some((view) => view.name === wanted);
  const save = () => {
    change((now) => withView(now, { name: wanted, search: viewOf(search) }));
    return `View "${wanted}" is saved`;
  };
  return (
    <FormDialog
      title="Save this view"
      act={replaces ? 'Replace the view' : 'Save'}
      disabled={wanted === '' || nameProblem(name) !== null}
      onClose={onClose}
      onAct={save}
    >
      <p>Keeps the filters, the order and the columns under a name.</p>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={nameProblem(name)}
        hint={kept}
        autoFocus
        required
      />
    </FormDialog>
  );
}

function RenameDialog({ name: before, search, onClose }: { name: string; search: JobsSearch; onClose(): void }) {
  const [views, change] = useSavedViews();
  const [name, setName] = useState(before);
  const wanted = name.trim();
  const isTaken = wanted !== before && views.some((view) => view.name === wanted);
  const error = nameProblem(name) ?? (isTaken ? 'Another view has this name' : null);
  const rename = () => change((now) => withView(withoutView(now, before), { name: wanted, search: viewOf(search) }));
  return (
    <FormDialog
      title="Rename this view"
      act="Rename"
      disabled={wanted === '' || error !== null}
      onClose={onClose}
      onAct={rename}
    >
      <TextField label="Name" value={name} onChange={setName} error={error} autoFocus required />
    </FormDialog>
  );
}

function DeleteDialog({ name, onClose }: { name: string; onClose(): void }) {
  const navigate = useNavigate();
  const [, change] = useSavedViews();
  const remove = async () => {
    change((now) => withoutView(now, name));
    await navigate({ to: '/jobs', search: {} });
    return `View "${name}" is deleted`;
  };
  return (
    <FormDialog title={`Delete "${name}"`} act="Delete the view" danger onClose={onClose} onAct={remove}>
      <p>Only the name is forgotten, in this browser. Jobs and links to the view stay.</p>
    </FormDialog>
  );
}

const listeners = new Set<() => void>();
const cache = new Map<string, { text: string | null; views: SavedView[] }>();

/** The same list until the kept text changes, also by another tab. */
function viewsAt(key: string): SavedView[] {
  const text = readKept(key);
  const known = cache.get(key);
  if (known?.text === text) return known.views;
  const views = readViews(text);
  cache.set(key, { text, views });
  return views;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/**
 * The saved views of the organization in this browser, and a function that changes them. It is given the list as it is now, which
 * another tab may have changed, and throws what `change` throws, or an error when the browser keeps nothing.
 */
function useSavedViews(): [
  views: readonly SavedView[],
  change: (how: (views: readonly SavedView[]) => SavedView[]) => void,
] {
  const { organization } = useSession();
  const key = `spooled.jobs-views.${organization!.id}`;
  const views = useSyncExternalStore(
    subscribe,
    useCallback(() => viewsAt(key), [key]),
  );
  const change = (how: (views: readonly SavedView[]) => SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(how(viewsAt(key))));
    for (const listener of listeners) listener();
  };
  return [views, change];
}
