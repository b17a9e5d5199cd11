import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './toast.module.css'

type Undo = () => Promise<unknown>
type Slip = { id: number; text: string; undo?: Undo | undefined }
type Act = {
  label: string
  press: () => void
  onLater?: () => void
  /** What it is about is one member's: it goes when they do. */
  ofMember?: boolean
}
type Offer = Act & { text: string }

const shownForMs = 4000
/** Whoever is to read, decide and press has longer. */
const undoableForMs = 10_000
let slip: Slip | undefined
let offers: readonly Offer[] = []
let listeners: readonly (() => void)[] = []

/**
 * Says a small success, such as 'Link copied', for four seconds; for ten, with a button, where it can be undone. A newer one
 * takes the place of an older.
 */
export function toast(text: string, undo?: Undo) {
  show({ id: (slip?.id ?? 0) + 1, text, undo })
}

/** Takes away what is said and the way to undo it, and what is offered to this member alone. */
export function hideToast() {
  offers = offers.filter(({ ofMember }) => !ofMember)
  show(undefined)
}

/**
 * Says what can be done now, and stays until that is done or put off. A toast takes its place for its while, and so does
 * what is offered later.
 */
export function offer(text: string, act: Act) {
  offers = [...offers.filter((offered) => offered.text !== text), { text, ...act }]
  tell()
}

/** Takes an offer back that has come to nothing. */
export function withdraw(text: string) {
  offers = offers.filter((offered) => offered.text !== text)
  tell()
}

const latestSlip = () => slip
const latestOffer = () => offers.at(-1)

/** Stands once, in the frame of the app: the place is announced, so it is there before it is filled. */
export function ToastHost() {
  const current = useSyncExternalStore(subscribe, latestSlip, latestSlip)
  const waiting = useSyncExternalStore(subscribe, latestOffer, latestOffer)
  return (
    <div role="status" className={css.host}>
      {current !== undefined ? (
        <Toast key={current.id} {...current} />
      ) : (
        waiting !== undefined && <OfferSlip key={waiting.text} offered={waiting} />
      )}
    </div>
  )
}

function OfferSlip({ offered }: { offered: Offer }) {
  const { text, label, press, onLater } = offered

  function accept() {
    withdraw(text)
    press()
  }
  function putOff() {
    withdraw(text)
    onLater?.()
  }
  return (
    <div className={css.toast}>
      {text}
      <button type="button" className={css.act} onClick={accept}>
        {label}
      </button>
      <IconButton label="Later" onClick={putOff}>
        <Icon name="close" size={20} />
      </IconButton>
    </div>
  )
}

function Toast({ text, undo }: Slip) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => show(undefined), undo ? undoableForMs : shownForMs)
    return () => clearTimeout(timer)
  }, [held, undo])

  function press() {
    show(undefined)
    undo?.().then(
      () => toast('Undone'),
      (failure) => {
        console.error('What was done could not be undone:', failure)
        toast('Not undone. Please try again.')
      },
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it goes by itself; a tap lets a finger to what is below at once.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      className={css.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onClick={undo === undefined ? () => show(undefined) : undefined}
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

function show(next: Slip | undefined) {
  slip = next
  tell()
}

function tell() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners = [...listeners, listener]
  return () => {
    listeners = listeners.filter((other) => other !== listener)
  }
}
