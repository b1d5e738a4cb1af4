import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { shortId } from '../ui/format';
import styles from './links.module.css';

export const JobLink = ({ id }: { id: string }) => (
  <Link to="/jobs/$id" params={{ id }} className={styles.id} title={id}>
    {shortId(id)}
  </Link>
);

export const QueueLink = ({ name }: { name: string }) => (
  <Link to="/queues/$name" params={{ name }} title={name}>
    {name}
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
