import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';
import { Time } from './time';

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

/** Values with their names. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>;

interface FactProps {
  name: string;
  children: ReactNode;
  /** A second line, of less weight. */
  note?: string;
}

export const Fact = ({ name, children, note }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {children}
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </dd>
  </div>
);

export const TimeFact = ({ name, value }: { name: string; value: string | null | undefined }) => (
  <Fact name={name}>
    <Time value={value} stacked />
  </Fact>
);
