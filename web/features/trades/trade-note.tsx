import css from './trade-note.module.css'

/** Shows the note of a request in quotation marks. */
export function TradeNote({ note }: { note: string }) {
  return (
    <blockquote className={css.note} dir="auto">
      {note}
    </blockquote>
  )
}
