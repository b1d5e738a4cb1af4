import { Link, type LinkProps } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { JobsSearch } from '../screens/jobs/jobs-search';
import { linkText, shortId } from '../ui/format';
import common from '../ui/common.module.css';

interface ItemLinkProps {
  to: Extract<LinkProps['to'], `${string}/$id`>;
  id: string;
  text: ReactNode;
  title?: string;
}

/** To the page of one job, batch, webhook and so on. */
export const ItemLink = ({ to, id, text, title }: ItemLinkProps) => (
  <Link to={to} params={{ id }} title={title}>
    {text}
  </Link>
);

/** To the jobs that match. */
export const JobsLink = ({ search, text }: { search: JobsSearch; text: ReactNode }) => (
  <Link to="/jobs" search={search}>
    {text}
  </Link>
);

export const JobLink = ({ id }: { id: string }) => (
  <Link to="/jobs/$id" params={{ id }} className={common.id} title={id}>
    {shortId(id)}
  </Link>
);

export const QueueLink = ({ name }: { name: string }) => (
  <Link to="/queues/$name" params={{ name }} title={name}>
    {name}
  </Link>
);

/** A worker may call itself anything. URLs leave "." and ".." out of a path, so the page of such a worker has no address. */
export const WorkerLink = ({ id, name = id }: { id: string; name?: string }) =>
  id === '.' || id === '..' ? (
    <span title={id}>{name}</span>
  ) : (
    <Link to="/workers/$id" params={{ id }} title={id}>
      {linkText(name)}
    </Link>
  );

export const QueueLinks = ({ names }: { names: readonly string[] }) =>
  names.length === 0
    ? '–'
    : names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <QueueLink name={name} />
        </Fragment>
      ));
