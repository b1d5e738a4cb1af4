import { Page } from '../../ui/page';
import { queueRoute } from './route';

export function QueueScreen() {
  const { name } = queueRoute.useParams();
  return <Page title={name}>…</Page>;
}
