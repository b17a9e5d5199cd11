import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { moveClear } from './clear-place.ts'
import { Icon } from './icon.tsx'
import css from './toast-host.module.css'
import { type ActionToast, type Toast, useToasts } from './toasts.ts'

const shownForMs = 4000
/** Reading, deciding and pressing take longer. */
const undoableForMs = 10_000

/** Shows the toasts. Its live region is in the page before a toast fills it. */
export function ToastHost() {
  const toasts = useToasts()
  const toast = useSelector(toasts.toast)
  const action = useSelector(toasts.actions, (actions) => actions.at(-1))
  const host = useRef<HTMLDivElement>(null)
  useClearPlace(host, toast ?? action)
  return (
    <div ref={host} role="status" className={css.host}>
      {toast !== null ? (
        <ShownToast key={toast.id} {...toast} />
      ) : (
        action !== undefined && <ShownAction key={action.text} {...action} />
      )}
    </div>
  )
}

/** Keeps what is shown clear of the controls, also when the page has moved below it. */
function useClearPlace(host: RefObject<HTMLElement | null>, shown: Toast | ActionToast | undefined) {
  const router = useRouter()
  useLayoutEffect(() => {
    if (shown === undefined) return
    const move = () => host.current && moveClear(host.current)
    move()
    const stop = new AbortController()
    addEventListener('resize', move, { signal: stop.signal })
    document.addEventListener('scrollend', move, { capture: true, signal: stop.signal })
    const unsubscribe = router.subscribe('onRendered', move)
    return () => {
      stop.abort()
      unsubscribe()
    }
  }, [host, shown, router])
}

function ShownAction({ text, label, press, onDismiss }: ActionToast) {
  const toasts = useToasts()

  function accept() {
    toasts.dismissAction(text)
    press()
  }
  function dismiss() {
    toasts.dismissAction(text)
    onDismiss?.()
  }
  return (
    <div className={css.toast}>
      {text}
      <button type="button" className={css.act} onClick={accept}>
        {label}
      </button>
      <IconButton label="Later" onClick={dismiss}>
        <Icon name="close" size={20} />
      </IconButton>
    </div>
  )
}

function ShownToast({ text, undo }: Toast) {
  const toasts = useToasts()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(toasts.hide, undo ? undoableForMs : shownForMs)
    return () => clearTimeout(timer)
  }, [toasts, held, undo])

  function press() {
    toasts.hide()
    undo?.().then(
      () => toasts.show('Undone'),
      (failure) => {
        console.error('The undo failed:', failure)
        toasts.show('Not undone. Please try again.')
      },
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hides by itself; a tap only frees what it covers sooner.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      className={css.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onClick={undo === undefined ? toasts.hide : undefined}
    >
      <Icon name="check" size={20} />
      {text}
      {undo && (
        <button
          type="button"
          className={css.act}
          onClick={press}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          Undo
        </button>
      )}
    </div>
  )
}
