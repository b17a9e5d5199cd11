import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import css from './group-head.module.css'
import { Icon, type IconName } from './icon.tsx'
import { Cluster } from './layout.tsx'

type GroupHeadProps = {
  /** The heading's id, for `aria-labelledby` of the section. */
  id?: string
  icon: IconName
  title: string
  /** The count at the right, such as '4 listings' or '2 of 5'. */
  count?: string | undefined
}

export function GroupHead({ id, icon, title, count }: GroupHeadProps) {
  return (
    <Cluster className={css.head}>
      <Icon name={icon} size={26} />
      <h2 id={id} className={text.subheading} tabIndex={id === undefined ? undefined : -1}>
        {title}
      </h2>
      {count !== undefined && <span className={classNames(text.caption, text.muted)}>{count}</span>}
    </Cluster>
  )
}
