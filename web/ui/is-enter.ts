import type { KeyboardEvent } from 'react'

/** The code of keys that an input method handles. */
const inputMethodKey = 229

/** Returns whether Enter was pressed, and not to end a composition of an input method. */
export function isEnter({ key, keyCode, nativeEvent }: KeyboardEvent): boolean {
  // Safari ends the composition before it sends the key.
  return key === 'Enter' && !nativeEvent.isComposing && keyCode !== inputMethodKey
}
