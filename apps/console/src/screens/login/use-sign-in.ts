import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { showSession, type SignIn, sessionQuery, signIn } from '../../api/session';
import { takeNextPage } from '../../app/sign-in-callback';
import { loginRoute } from './route';

/** Begins a session and leads to the page that was asked for. */
export function useSignIn() {
  const client = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const { next } = loginRoute.useSearch();
  return useMutation({
    mutationFn: (credential: SignIn) => signIn(credential),
    onSuccess: async (session) => {
      // What another user has seen must not show.
      client.clear();
      client.setQueryData(sessionQuery.queryKey, showSession(session));
      const kept = takeNextPage();
      const page = next ?? kept;
      if (isInside(page)) router.history.replace(router.basepath + page);
      else await navigate({ to: '/', replace: true });
    },
  });
}

/** A path of the console, and no address of another server. */
const isInside = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path);
