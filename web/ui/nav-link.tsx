import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type NavAnchorProps = ComponentProps<'a'> & {
  /** Whether the member is in this place. Without it, the router decides by the address. */
  current?: boolean | undefined
}

function NavAnchor({ current, 'aria-current': byAddress, ...anchor }: NavAnchorProps) {
  const here = current ?? byAddress === 'page'
  return <a {...anchor} aria-current={here ? 'page' : undefined} />
}

/** A link of a navigation that marks where one is. Takes what `<Link>` takes. */
export const NavLink = createLink(NavAnchor)
