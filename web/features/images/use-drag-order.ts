import { type PointerEvent, useRef, useState } from 'react'

/** A finger that moves earlier scrolls the page. */
const longPressMs = 250

interface Drag {
  readonly key: string
  /** The index of the item under the pointer. */
  readonly over: number
}

/**
 * Orders the items of a list by dragging, with a mouse at once, with a finger after a long press. Native drag and drop does not
 * work with fingers everywhere.
 */
export function useDragOrder(onMove: (key: string, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isDragging = useRef(false)

  function start(element: Element, pointerId: number, key: string) {
    element.setPointerCapture(pointerId)
    isDragging.current = true
    setDrag({ key, over: -1 })
  }

  function move({ clientX, clientY }: PointerEvent) {
    if (drag === undefined || list.current === null) return
    const item = document.elementFromPoint(clientX, clientY)?.closest('li')
    const over = item ? Array.from(list.current.children).indexOf(item) : -1
    if (over === drag.over) return
    setDrag({ ...drag, over })
    if (over >= 0) item?.scrollIntoView({ block: 'nearest' })
  }

  function end() {
    clearTimeout(press.current)
    isDragging.current = false
    setDrag(undefined)
  }

  return {
    list,
    drag,
    /** Returns the props of the part by which an item is dragged. */
    handleProps: (key: string) => ({
      ref(element: HTMLElement | null) {
        // React's listener is passive, so it can't keep the page from scrolling.
        const stopScrolling = (event: TouchEvent) => isDragging.current && event.preventDefault()
        element?.addEventListener('touchmove', stopScrolling, { passive: false })
        return () => element?.removeEventListener('touchmove', stopScrolling)
      },
      onPointerDown({ currentTarget, pointerId, pointerType, button, isPrimary }: PointerEvent) {
        if (!isPrimary || button !== 0) return
        if (pointerType === 'mouse') start(currentTarget, pointerId, key)
        else press.current = setTimeout(() => start(currentTarget, pointerId, key), longPressMs)
      },
      onPointerMove: move,
      onPointerUp() {
        end()
        if (drag !== undefined && drag.over >= 0) onMove(drag.key, drag.over)
      },
      onPointerCancel: end,
      /** A long press opens the browser's menu for images. */
      onContextMenu: (event: { preventDefault(): void }) => isDragging.current && event.preventDefault(),
    }),
  }
}
