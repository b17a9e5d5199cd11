import { type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import css from './menu.module.css'

type MenuProps = {
  /** The accessible name of the button and the menu. */
  label: string
  /** A smaller button, for menus in rows. */
  small?: boolean
  tabIndex?: number
  children: ReactNode
}

/** A button that opens a menu in a native popover, which Escape and a press outside close. */
export function Menu({ label, small = false, tabIndex, children }: MenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const popover = useRef<HTMLFieldSetElement>(null)
  return (
    <>
      <IconButton
        label={label}
        popoverTarget={id}
        tabIndex={tabIndex}
        className={small ? css.small : undefined}
      >
        <Icon name="more" size={small ? 20 : 24} />
      </IconButton>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click on an item bubbles to here, also one by keyboard. */}
      <fieldset
        ref={popover}
        id={id}
        popover="auto"
        aria-label={label}
        className={css.menu}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onClick={() => popover.current?.hidePopover()}
      >
        {isOpen && children}
      </fieldset>
    </>
  )
}

type MenuItemProps = { icon: IconName; danger?: boolean; onClick: () => void; children: ReactNode }

export function MenuItem({ icon, danger = false, onClick, children }: MenuItemProps) {
  return (
    <button type="button" className={classNames(css.item, danger && css.danger)} onClick={onClick}>
      <Icon name={icon} size={20} />
      {children}
    </button>
  )
}
