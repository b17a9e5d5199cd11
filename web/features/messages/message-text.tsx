import { find } from 'linkifyjs'

/** A message as it was written; addresses in it can be followed, and nothing else is markup. */
export function MessageText({ text }: { text: string }) {
  const links = find(text, 'url').filter(({ href }) => /^https?:\/\//i.test(href))
  const parts = links.map(({ start, end, href }, place) => {
    const before = text.slice(links[place - 1]?.end ?? 0, start)
    return (
      <span key={start}>
        {before}
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {text.slice(start, end)}
        </a>
      </span>
    )
  })
  return (
    <>
      {parts}
      {text.slice(links.at(-1)?.end ?? 0)}
    </>
  )
}
