import type { ComponentProps, KeyboardEvent } from 'react'
import { TextField } from './field.tsx'

type NumberFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'onKeyDown'> & {
  /** Reads what is typed, in the language of the page. */
  read: (typed: string) => number
}

/**
 * A field for a number, whose arrow keys change it by `step` between `min` and `max`. It is a text field: browsers drop the commas and
 * the digits of other scripts from a number field, so that `3,50` would become 350.
 */
export function NumberField({ read, ...props }: NumberFieldProps) {
  return <TextField {...props} autoComplete="off" onKeyDown={(event) => stepByArrow(event, read)} />
}

function stepByArrow(event: KeyboardEvent<HTMLInputElement>, read: NumberFieldProps['read']) {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key]
  const field = event.currentTarget
  const count = field.value.trim() === '' ? 0 : read(field.value)
  if (direction === undefined || Number.isNaN(count)) return
  event.preventDefault()
  const stepped = Math.floor(count) + direction * Number(field.step || 1)
  const most = field.max === '' ? Number.POSITIVE_INFINITY : Number(field.max)
  field.select()
  // Unlike a change of `value`, this fires the events of typing and can be undone.
  document.execCommand('insertText', false, String(Math.min(Math.max(stepped, Number(field.min)), most)))
}
