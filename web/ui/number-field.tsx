import type { ClipboardEvent, ComponentProps, InputEvent, SyntheticEvent } from 'react'
import { normalizeIdentifier } from '#contract/identifiers.ts'
import { TextField } from './field.tsx'

/** A field for a number. Accepts a decimal comma and digits of all scripts, which browsers drop: `3,50` would become 350. */
export function NumberField(props: Omit<ComponentProps<typeof TextField>, 'type'>) {
  return <TextField {...props} type="number" onBeforeInput={insertNumber} onPaste={pasteNumber} />
}

/** Returns a number as the browser reads it. A comma before one or two last digits is decimal. */
function plainNumber(text: string): string {
  return normalizeIdentifier(text).replace(/^(\d*),(\d{0,2})$/, '$1.$2')
}

function insertNumber(event: InputEvent<HTMLInputElement>) {
  const { data } = event.nativeEvent
  if (data && plainNumber(data) !== data) replaceInput(event, plainNumber(data))
}

function pasteNumber(event: ClipboardEvent<HTMLInputElement>) {
  replaceInput(event, plainNumber(event.clipboardData.getData('text/plain')))
}

function replaceInput(event: SyntheticEvent, text: string) {
  event.preventDefault()
  // A number field exposes no selection to scripts, so this is the only way to insert at its cursor.
  document.execCommand('insertText', false, text)
}
