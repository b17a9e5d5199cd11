import { Link } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { sayWanting } from './say-wanting.ts'
import css from './wanters-link.module.css'

type WantersLinkProps = {
  listing: { id: number; title: string }
  count: number
}

/** How many gardeners want one of the member's own listings, as a way to who they are. */
export function WantersLink({ listing: { id, title }, count }: WantersLinkProps) {
  const wanting = sayWanting(count)
  return (
    <Link
      className={classNames(text.link, text.standing, css.wanters)}
      to="/listings/$id"
      params={{ id: String(id) }}
      hash="wanted"
      aria-label={`${wanting}: ${title}`}
    >
      <Icon name="friends" size={16} />
      {wanting}
    </Link>
  )
}
