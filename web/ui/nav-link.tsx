import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type NavAnchorProps = ComponentProps<'a'> & {
  /** True if the link is of the current screen. By default the router decides by the address. */
  current?: boolean | undefined
}

function NavAnchor({ current, 'aria-current': byAddress, ...anchor }: NavAnchorProps) {
  const isCurrent = current ?? byAddress === 'page'
  return <a {...anchor} aria-current={isCurrent ? 'page' : undefined} />
}

/** A `<Link>` of a navigation, with `aria-current` on the current screen. */
export const NavLink = createLink(NavAnchor)
