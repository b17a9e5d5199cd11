import { type UIEvent, useRef, useState } from 'react'

/** Tells and sets which item of a row is shown. The row has the class of `snap-row.module.css`: its items are as wide as itself. */
export function useSnapRow(count: number, first = 0) {
  const row = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState(first)

  function onScroll({ currentTarget: { scrollLeft, clientWidth } }: UIEvent<HTMLUListElement>) {
    // `scrollLeft` is negative from right to left.
    if (clientWidth > 0) setShown(Math.round(Math.abs(scrollLeft) / clientWidth))
  }

  function show(index: number, behavior: ScrollBehavior = 'auto') {
    const item = row.current?.children[Math.min(Math.max(index, 0), count - 1)]
    item?.scrollIntoView({ behavior, block: 'nearest', inline: 'start' })
  }

  return { row, shown, onScroll, show }
}
