import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type SignIn, signIn } from '../../api/session';
import { loadFresh } from '../../app/load-fresh';
import { pageAddress } from '../../app/next-page';
import { takeNextPage } from '../../app/sign-in-callback';
import { loginRoute } from './route';

/** Begins a session and leads to the page that was asked for. */
export function useSignIn() {
  const router = useRouter();
  const { next } = loginRoute.useSearch();
  return useMutation({
    mutationFn: (credential: SignIn) => signIn(credential),
    onSuccess: () => {
      const kept = takeNextPage();
      loadFresh(pageAddress(router.basepath, next ?? kept ?? '') ?? `${router.basepath}/`);
      // Pending until the page is replaced.
      return new Promise(() => undefined);
    },
  });
}
