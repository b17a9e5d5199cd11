/** Whether a click follows a link on this page: with a modifier key the browser opens it elsewhere. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: PlainClick): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
}

type PlainClick = Pick<MouseEvent, 'button' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>
