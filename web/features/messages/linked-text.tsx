import { find } from 'linkifyjs'

/** Renders the text of a message with its web addresses as links. */
export function LinkedText({ text }: { text: string }) {
  const links = find(text, 'url').filter(({ href }) => /^https?:\/\//i.test(href))
  const parts = links.map(({ start, end, href }, index) => {
    const before = text.slice(links[index - 1]?.end ?? 0, start)
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
