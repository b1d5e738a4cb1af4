import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { linkText, shortId } from '../ui/format';
import common from '../ui/common.module.css';

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
