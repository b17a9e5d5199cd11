import { t } from '@lingui/core/macro'
import { useHydrated, useRouter } from '@tanstack/react-router'
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './dialog.module.css'
import { addDialogEntry } from './dialog-entry.ts'
import { Icon } from './icon.tsx'
import { Row } from './layout.tsx'
import { painted } from './painted.ts'
import rise from './rise.module.css'

type DialogProps = {
  /** Called once the dialog is laid out. */
  onOpen?: (() => void) | undefined
  /** Called by Escape, Back, the backdrop and the close button. */
  onClose: () => void
  /** True while an action of the dialog runs. It can not be closed then, because nobody would see the failure. */
  busy?: boolean
  title: string
  children: ReactNode
  /** Two buttons of equal width, the safe one first. */
  actions?: ReactNode
  fullScreen?: boolean
}

/**
 * A native modal `<dialog>`, which traps the focus, makes the page inert and restores the focus. It is a child of `<body>`: elsewhere
 * it would inherit the styles of a message or a bar, and be hidden with it. The server does not render it.
 */
export function Dialog(props: DialogProps) {
  return useHydrated() && createPortal(<ModalDialog {...props} />, document.body)
}

function ModalDialog({ onOpen, onClose, busy = false, title, children, actions, fullScreen }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  /** The element of the last pointerdown: a selection of text may end on the backdrop. */
  const pressed = useRef<EventTarget>(undefined)
  const titleId = useId()
  const { history } = useRouter()

  useModal(dialog, body, onOpen)
  const closeByBack = useEffectEvent(close)
  useLayoutEffect(() => addDialogEntry(history, titleId, closeByBack), [history, titleId])

  /** Returns whether the dialog closes. */
  function close(): boolean {
    if (busy || dialog.current === null) return false
    void leaveDialog(dialog.current, onClose)
    return true
  }
  function clickBackdrop(event: MouseEvent) {
    if (event.target === dialog.current && pressed.current === dialog.current) close()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same by keyboard.
    <dialog
      ref={dialog}
      className={classNames(css.dialog, rise.rise, fullScreen && css.fullScreen)}
      aria-labelledby={titleId}
      // Without it, the second Escape closes the dialog without `cancel`.
      closedby={busy ? 'none' : undefined}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      onClick={clickBackdrop}
      // The browser may close it without `cancel`, for example when Escape is pressed twice.
      onClose={() => onClose()}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <div className={css.paper}>
        <Row className={css.head}>
          <h2 id={titleId}>{title}</h2>
          <IconButton label={t`Close`} className={css.close} aria-disabled={busy} onClick={close}>
            <Icon name="close" />
          </IconButton>
        </Row>
        <div ref={body}>
          {children}
          {actions !== undefined && <div className={css.foot}>{actions}</div>}
        </div>
      </div>
    </dialog>
  )
}

const focusable = 'input:not([type=radio]), input:checked, select, textarea, button, a[href]'

/**
 * Opens the dialog as modal on mount. Focuses the control of its body with `data-autofocus`, or else the first one, but not the close
 * button. Closes the dialog on unmount.
 */
function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  body: RefObject<HTMLElement | null>,
  onOpen: DialogProps['onOpen'],
) {
  const open = useEffectEvent(() => onOpen?.())
  // A layout effect, because its cleanup runs before the dialog is removed: `close()` then restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    let isUnmounted = false
    // `showModal` is slow, because it makes the page inert. Paint the pressed button first.
    painted().then(() => {
      if (isUnmounted) return
      element?.showModal()
      const controls = body.current?.querySelectorAll<HTMLElement>(focusable) ?? []
      const marked = [...controls].find(({ dataset }) => 'autofocus' in dataset)
      ;(marked ?? controls[0])?.focus()
      open()
    })
    return () => {
      isUnmounted = true
      element?.close()
    }
  }, [dialog, body])
}

/** Hides the dialog around this element and paints that, then closes it, which is slow. */
export async function leaveDialog(inside: Element, close: () => void) {
  const dialog = inside.closest('dialog')
  dialog?.toggleAttribute('data-leaving', true)
  await painted()
  close()
}
