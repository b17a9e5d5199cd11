import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { defaultSiteName } from '#contract/constants.ts'
import css from './site-name.module.css'

/** Returns the name of the site. */
export function useSiteName(): string {
  return useRouter().options.context.site.name
}

/** Returns the accessible name of a link to the front page. */
export function useHomeLabel(): string {
  return t`${{ site: useSiteName() }}, home`
}

/** Shows the drawn name of the site, or the name that an operator has saved. */
export function SiteName({ drawn }: { drawn: ReactNode }) {
  const name = useSiteName()
  return name === defaultSiteName ? drawn : <bdi className={css.name}>{name}</bdi>
}
