import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import css from './tag.module.css'

type TagProps = {
  icon: IconName
  color?: 'grey' | 'green'
  className?: string | undefined
  children: string
}

/** A word with an icon, such as the state of a listing. */
export function Tag({ icon, color = 'grey', className, children }: TagProps) {
  return (
    <span className={classNames(css.tag, color === 'green' && css.green, className)}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  )
}
