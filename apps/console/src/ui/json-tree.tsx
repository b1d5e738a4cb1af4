import { useMemo, useState } from 'react';
import { CopyButton } from './copy-button';
import { isHidden, memberPath, useHiddenPaths, withoutHidden } from './hidden-values';
import { Icon } from './icon';
import common from './common.module.css';
import styles from './json-tree.module.css';
import { prettyJson } from './json-text';
import { Section } from './page';

/** More members of one value show on request, so that a large document does not stop the page. */
const pageSize = 100;
/** Levels that are open at first. */
const openLevels = 2;
/** Longer texts show on request. */
const longText = 400;

/**
 * A JSON document as a tree. Everything in it is text of other people: it is shown as text only. Values with secret names, and those that
 * the organization lists, show and are copied only on request.
 */
export function JsonTree({ label, value }: { label: string; value: unknown }) {
  const paths = useHiddenPaths();
  const { document: visible, hasHidden } = useMemo(() => withoutHidden(value, paths), [value, paths]);
  return (
    <div className={styles.tree} role="group" aria-label={label}>
      <div className={styles.tools}>
        {hasHidden && (
          <CopyButton
            size="s"
            variant="quiet"
            icon={undefined}
            label={label}
            act="Copy with hidden values"
            text={() => prettyJson(value)}
          />
        )}
        <CopyButton size="s" label={label} text={() => prettyJson(visible)} />
      </div>
      <Value value={value} path={root} level={0} />
    </div>
  );
}

const root: readonly string[] = [];

interface ValueProps {
  value: unknown;
  /** Names of members from the root. */
  path: readonly string[];
  level: number;
  /** An item has the path of its list, which is shown already. */
  isItem?: boolean;
}

function Value({ value, path, level, isItem = false }: ValueProps) {
  const paths = useHiddenPaths();
  const [isRevealed, reveal] = useState(false);
  if (!isRevealed && (!isItem || paths === null) && isHidden(path, value, paths)) {
    return (
      <button type="button" className={styles.secret} onClick={() => reveal(true)}>
        hidden · show
      </button>
    );
  }
  if (typeof value !== 'object' || value === null) return <Scalar value={value} />;
  return <Branch value={value} path={path} level={level} />;
}

function Branch({ value, path, level }: { value: object; path: readonly string[]; level: number }) {
  const isList = Array.isArray(value);
  const entries = Object.entries(value) as [string, unknown][];
  const [isOpen, setOpen] = useState(level < openLevels && entries.length <= pageSize);
  const [shown, setShown] = useState(pageSize);
  const summary = `${isList ? '[' : '{'}${entries.length}${isList ? ']' : '}'}`;
  if (entries.length === 0) return <span className={common.muted}>{isList ? '[]' : '{}'}</span>;
  return (
    <>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-label={`${entries.length} ${isList ? 'items' : 'members'}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} size={12} />
        {summary}
      </button>
      {isOpen && (
        <ul className={styles.members}>
          {entries.slice(0, shown).map(([name, member]) => (
            <li key={name}>
              <span className={styles.name}>{name}</span>
              <Value value={member} path={isList ? path : memberPath(path, name)} level={level + 1} isItem={isList} />
            </li>
          ))}
          {entries.length > shown && (
            <li>
              <button type="button" className={styles.toggle} onClick={() => setShown(shown + pageSize)}>
                {entries.length - shown} more · show
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function Scalar({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') return <span className={styles.literal}>{String(value)}</span>;
  const isCut = !isWhole && value.length > longText;
  return (
    <span className={styles.text}>
      {JSON.stringify(isCut ? value.slice(0, longText) : value)}
      {isCut && (
        <button type="button" className={styles.toggle} onClick={() => setWhole(true)}>
          {value.length - longText} more characters · show
        </button>
      )}
    </span>
  );
}

interface JsonSectionProps {
  title: string;
  /** null: there is none, and nothing shows. */
  value: unknown;
}

export const JsonSection = ({ title, value }: JsonSectionProps) =>
  value !== null && (
    <Section title={title}>
      <JsonTree label={title} value={value} />
    </Section>
  );
