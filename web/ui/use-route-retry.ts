import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'

/** Returns a function that loads a route again after its loader or component has failed. */
export function useRouteRetry({ reset }: Pick<ErrorComponentProps, 'reset'>): () => Promise<void> {
  const router = useRouter()
  return async () => {
    await router.invalidate()
    reset()
  }
}
