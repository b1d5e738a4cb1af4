import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './tab-links.module.css';

interface TabLinksProps {
  /** What the links choose between, for screen readers. */
  label: string;
  items: readonly { to: NonNullable<LinkProps['to']>; label: string }[];
}

/** Views of one screen, each with an address of its own. */
export const TabLinks = ({ label, items }: TabLinksProps) => (
  <nav aria-label={label}>
    <ul className={styles.tabs}>
      {items.map((item) => (
        <li key={item.to}>
          <Link
            to={item.to}
            className={styles.tab}
            activeProps={{ className: styles.active }}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {item.label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
