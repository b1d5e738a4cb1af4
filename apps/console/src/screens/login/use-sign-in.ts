import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { showSession, type SignIn, sessionQuery, signIn } from '../../api/session';
import { pageAddress } from '../../app/next-page';
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
      const address = pageAddress(router.basepath, next ?? kept ?? '');
      if (address) router.history.replace(address);
      else await navigate({ to: '/', replace: true });
    },
  });
}
