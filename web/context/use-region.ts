import { useRouter } from '@tanstack/react-router'
import type { Region } from './site.ts'

/** Returns where the site is. */
export function useRegion(): Region {
  return useRouter().options.context.site.region
}
