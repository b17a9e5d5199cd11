import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { defaultSiteName } from '#contract/constants.ts'
import css from './site-name.module.css'

/** Returns the name of the site. */
export function useSiteName(): string {
  return useRouter().options.context.site.name
}

type SiteLogoProps = { logo: { src: string; width: number; height: number }; name: string }

/** Shows a logo. The name of the site is its alternative text. */
function SiteLogo({ logo: { src, width, height }, name }: SiteLogoProps) {
  return <img className={css.logo} src={src} alt={name} width={width} height={height} />
}

/** Returns the accessible name of a link to the front page. */
export function useHomeLabel(): string {
  return t`${{ site: useSiteName() }}, home`
}

/** Shows the logo of the site, or else the drawn name, or the name that an operator has saved. */
export function SiteName({ drawn }: { drawn: ReactNode }) {
  const { name, logo } = useRouter().options.context.site
  if (logo !== null) return <SiteLogo logo={logo} name={name} />
  return name === defaultSiteName ? drawn : <bdi className={css.name}>{name}</bdi>
}
