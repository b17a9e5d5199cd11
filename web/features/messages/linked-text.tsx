import { find } from 'linkifyjs'

/** Matches what is meant as a web address. A sentence without a space after its period is none: `They are ready.To whom…`. */
const webAddress = /^(?:https?:\/\/[^/]|www\.)/i

/** Renders the text of a message with its web addresses as links. */
export function LinkedText({ text }: { text: string }) {
  const links = find(text, 'url', { defaultProtocol: 'https' }).filter(({ value }) => webAddress.test(value))
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
