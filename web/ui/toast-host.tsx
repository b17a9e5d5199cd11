import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Cluster, Stack } from './layout.tsx'
import rise from './rise.module.css'
import css from './toast-host.module.css'
import { type ActionToast, type Toast, useToasts } from './toasts.ts'
import { uncoverControls } from './uncover-controls.ts'

const durationMs = 4000
/** Without a scroll event for this long, scrolling has ended. */
const scrollPauseMs = 150

/** Shows the toasts in a live region, which must be in the page before the first toast. */
export function ToastHost() {
  const toasts = useToasts()
  const toast = useSelector(toasts.toast)
  const action = useSelector(toasts.actions, (actions) => actions.at(-1))
  const host = useRef<HTMLDivElement>(null)
  // A toast without a button hides soon, or when it is tapped, so it stays in its place.
  useUncoveredControls(host, toast === null ? action : toast.undo && toast)
  return (
    <Stack gap="0" align="center" ref={host} role="status" className={css.host}>
      {toast !== null ? (
        <ShownToast key={toast.id} {...toast} />
      ) : (
        action !== undefined && <ShownAction key={action.key} action={action} />
      )}
    </Stack>
  )
}

/** Keeps the toast clear of the controls, also after scrolling and navigation. */
function useUncoveredControls(host: RefObject<HTMLElement | null>, shown: Toast | ActionToast | undefined) {
  const router = useRouter()
  useLayoutEffect(() => {
    if (shown === undefined) {
      host.current?.style.removeProperty('translate')
      return
    }
    const move = () => host.current && uncoverControls(host.current)
    move()
    const stop = new AbortController()
    addEventListener('resize', move, { signal: stop.signal })
    onScrollEnd(move, stop.signal)
    const unsubscribe = router.subscribe('onRendered', move)
    return () => {
      stop.abort()
      unsubscribe()
    }
  }, [host, shown, router])
}

/** Calls the function after scrolling. Safari before 26.2 has no `scrollend`, so there it waits for a pause. */
function onScrollEnd(move: () => void, signal: AbortSignal) {
  const options = { capture: true, signal }
  if ('onscrollend' in window) {
    document.addEventListener('scrollend', move, options)
    return
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(move, scrollPauseMs)
  }
  document.addEventListener('scroll', wait, options)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

function ShownAction({ action: { key, text, label, press, onDismiss } }: { action: ActionToast }) {
  const toasts = useToasts()

  function accept() {
    toasts.dismissAction(key)
    press()
  }
  function dismiss() {
    toasts.dismissAction(key)
    onDismiss?.()
  }
  return (
    <Cluster className={classNames(css.toast, rise.rise)}>
      <span className={css.text}>{text}</span>
      <button type="button" className={css.act} onClick={accept}>
        {label}
      </button>
      <IconButton label={t`Later`} onClick={dismiss}>
        <Icon name="close" size={20} />
      </IconButton>
    </Cluster>
  )
}

/** A toast with Undo stays on its screen, because reaching the button by keyboard or screen reader takes time. */
function ShownToast({ text, undo }: Toast) {
  const toasts = useToasts()
  const router = useRouter()
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (undo) return router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && toasts.hide())
    if (isPaused) return
    const timer = setTimeout(toasts.hide, durationMs)
    return () => clearTimeout(timer)
  }, [toasts, router, isPaused, undo])

  function press() {
    toasts.hide()
    undo?.().then(
      () => toasts.show(t`Undone`),
      (failure) => {
        console.error('The undo failed:', failure)
        toasts.show(t`Not undone. Please try again.`, undo)
      },
    )
  }
  return (
    <Cluster
      className={classNames(css.toast, rise.rise)}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onClick={undo === undefined ? toasts.hide : undefined}
    >
      <Icon name="check" size={20} />
      <span className={css.text}>{text}</span>
      {undo && (
        <>
          <button type="button" className={css.act} onClick={press}>
            {t`Undo`}
          </button>
          <IconButton label={t`Dismiss`} onClick={toasts.hide}>
            <Icon name="close" size={20} />
          </IconButton>
        </>
      )}
    </Cluster>
  )
}
