import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { Profile } from '#contract/auth.ts'
import text from '#web/styles/text.module.css'
import { placeProblem } from './location.ts'

type FormLinkProps = {
  /** The address that the form leads back to, by default that of this page. */
  next?: string | undefined
  onClick?: ((event: MouseEvent) => void) | undefined
}

/** Says why the place of a member is not known, with a link to the form, which has what the member typed. */
export function PlaceNote({ me, ...link }: FormLinkProps & { me: Profile }) {
  const problem = placeProblem(me)
  if (problem === undefined)
    return (
      <Trans>
        <FormLink {...link}>Add your postcode</FormLink> to find what is near you.
      </Trans>
    )
  return (
    <>
      {problem} <FormLink {...link}>{t`Change it`}</FormLink>
    </>
  )
}

function FormLink({ next, onClick, children }: FormLinkProps & { children: ReactNode }) {
  const { pathname, searchStr } = useLocation()
  return (
    <Link
      to="/personal-info"
      search={{ next: next ?? `${pathname}${searchStr}` }}
      className={text.link}
      onClick={onClick}
    >
      {children}
    </Link>
  )
}
