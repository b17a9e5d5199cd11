import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import css from './dialog.module.css'
import { addDialogEntry } from './dialog-entry.ts'
import { Icon } from './icon.tsx'
import { painted } from './painted.ts'

type DialogProps = {
  open: boolean
  /** Asked by Escape, Back, the scrim and the close button. */
  onClose: () => void
  title: string
  children: ReactNode
  /** Two buttons of equal width, the safe one first. */
  actions?: ReactNode
}

/** The browser's own modal dialog: it holds the focus, makes the page behind it inert and gives the focus back. */
export function Dialog(props: DialogProps) {
  return props.open && <OpenDialog {...props} />
}

function OpenDialog({ onClose, title, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const { history } = useRouter()

  // In the layout phase, because a dialog that left the page already can no longer give the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current
    let isGone = false
    // Putting the page behind it to sleep takes the browser as long as all else together: the tap is painted before.
    painted().then(() => {
      if (isGone) return
      shown?.showModal()
      // The close button stands first, but what the dialog is about comes first.
      body.current
        ?.querySelector<HTMLElement>(
          'input:not([type=radio]), input:checked, select, textarea, button, a[href]',
        )
        ?.focus()
    })
    return () => {
      isGone = true
      shown?.close()
    }
  }, [])

  const closeByBack = useEffectEvent(close)
  useLayoutEffect(() => addDialogEntry(history, titleId, closeByBack), [history, titleId])

  function close() {
    if (dialog.current !== null) leaveDialog(dialog.current, onClose)
  }
  function pressScrim(event: MouseEvent) {
    if (event.target === dialog.current) close()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the scrim is the pointer's way out; Escape is the keyboard's.
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-labelledby={titleId}
      onClick={pressScrim}
      // The browser may close it without asking, for example when Escape is pressed twice.
      onClose={() => onClose()}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <div className={css.paper}>
        <div className={css.head}>
          <h2 id={titleId}>{title}</h2>
          <IconButton label="Close" className={css.close} onClick={close}>
            <Icon name="close" />
          </IconButton>
        </div>
        <div ref={body}>
          {children}
          {actions !== undefined && <div className={css.foot}>{actions}</div>}
        </div>
      </div>
    </dialog>
  )
}

/** Closes the dialog around this element: it is out of sight at once, before the page behind it wakes. */
export async function leaveDialog(inside: Element, close: () => void) {
  const dialog = inside.closest('dialog')
  dialog?.toggleAttribute('data-leaving', true)
  await painted()
  close()
  await painted()
  // One that is at work may stay.
  dialog?.removeAttribute('data-leaving')
}
