/** Returns whether a click on a link navigates in this tab. With a modifier key the browser opens a tab or a window. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: PlainClick): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
}

type PlainClick = Pick<MouseEvent, 'button' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>
