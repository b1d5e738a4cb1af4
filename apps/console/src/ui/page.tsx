import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

interface PageProps {
  /** The heading, and the title of the browser's tab. */
  title: string;
  /** Beside the heading. */
  badge?: ReactNode;
  /** In a line above the heading. */
  back?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a screen: heading, acts, content. */
export function Page({ title, badge, back, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Spooled`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.heading}>
          {back && <div className={styles.back}>{back}</div>}
          <div className={styles.title}>
            <h1>{title}</h1>
            {badge}
          </div>
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export const Section = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <div className={styles.sectionHead}>
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
);

/** Values by their names, in order; those that are absent are left out. */
export const facts = (values: Record<string, ReactNode>): ReactNode => (
  <dl className={styles.facts}>
    {Object.entries(values).map(
      ([name, value]) =>
        value !== undefined &&
        value !== null &&
        value !== false && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A value with a second line, of less weight. */
export const Noted = ({ value, note }: { value: ReactNode; note: string }) => (
  <>
    {value}
    <span className={styles.note}>{note}</span>
  </>
);
